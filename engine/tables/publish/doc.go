// Package publish evaluates a table that is published: it builds the table from data and a definition, decides which
// cells are sensitive, suppresses cells, and attacks the result as an intruder would.
//
//	cells, err := publish.Build(ctx, data, definition, nil) // takes time in the number of records
//	table, err := publish.Judge(cells, definition)          // in the number of cells
//	tables, err := publish.Protect(ctx, []*publish.Table{table}) // together with those that share cells
//	table.Safety()                                          // the exact check: milliseconds
//	intervals, err := table.Intervals(ctx, false)           // linear programs: seconds
//	table.File()                                            // what is published
//
// The same data and definition give the same table.
package publish
