// Package audit attacks a table as an intruder would who reads what is published: it finds the suppressed cells that can
// be recalculated, those that a contributor to another cell can recalculate, and the interval of every other one.
//
//	known := audit.Solve(table.Equations(), suppressed, nil)
//	if known.Exact(cell) { … }
package audit
