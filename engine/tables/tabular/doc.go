// Package tabular builds the tables that statistical offices publish: counts or sums over every
// combination of the nodes of hierarchical variables, with what rules of disclosure need of each
// cell, and the equations by which an intruder computes one cell from others.
//
//	region, err := tabular.NewTree("region", [][]string{{"Wien", "East"}, {"Graz", "South"}})
//	table, err := tabular.New(region, sex)
//	err = table.Add(tabular.Contribution{Codes: []int{1, 2}, Value: 120, Weight: 1})
//	table.Sum()
package tabular
