// Package loglinear measures disclosure risk with a model of the population. A Poisson log-linear model smooths
// the counts of the full cross table of some variables, and estimates for every cell with one record how likely it
// is to have one unit in the population too. [Skinner and Holmes 1998, Estimating the re-identification risk per
// record in microdata]
//
//	formula, err := loglinear.ParseFormula("region + sex*age")
//	cells, err := loglinear.NewCells(ctx, version, formula)
//	fitted, err := cells.Fit(ctx, loglinear.Default)
//	tau1, tau2 := cells.Risk(fitted, false)
package loglinear
