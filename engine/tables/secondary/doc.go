// Package secondary chooses which further cells of a table are suppressed, so that no sensitive one can be recalculated.
//
// Source: O. Langsrud, Secondary cell suppression by Gaussian elimination: an algorithm suitable for handling issues with
// zeros and singletons, Privacy in Statistical Databases, 2024.
//
//	pattern, err := secondary.Gauss(ctx, secondary.Problem{Cells: cells})
package secondary
