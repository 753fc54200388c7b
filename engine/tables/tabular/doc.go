// Package tabular builds the tables that statistical offices publish: counts or sums over every combination of the nodes
// of hierarchical variables. Each cell has the number of its contributors and the largest contributions, which rules of
// disclosure need; Equations are the sums by which an intruder computes one cell from others.
//
//	table, err := tabular.Of(ctx, data, &tabular.Definition{By: []tabular.Spanning{{Variable: "region"}}, Response: "turnover"})
//	table.Cells[0].Value // the grand total
//	table.Equations()
package tabular
