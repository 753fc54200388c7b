// Package plan looks for plans: recodes of key variables together with the local
// suppression that is left after them, for a wanted k. It lays them out as a
// frontier of detail lost by the recodes against cells blanked: of no plan in it
// is there another one that loses no more detail and blanks no more cells. One end
// is suppression alone, which loses no detail, the other recodes alone, which blank
// no cell.
//
//	search, err := plan.New(ctx, data, scenario, plan.Options{K: 3})
//	for !search.Found().Exhausted {
//		if err := search.Continue(ctx, nil); err != nil {
//			break // cancelled: what was found stays
//		}
//		for _, p := range search.Found().Frontier {
//			fmt.Println(p.Lost, p.Cells, len(p.Steps))
//		}
//	}
//
// # Definition
//
// Detail lost is that of package suggest: the bits by which the entropy of a key
// variable's categories falls, from the records that have a value, added up over
// the key variables. Cells, and the bound that no suppression can beat after the
// same recodes, are those of package suppress, computed for every point that is
// shown: its steps, run as a script, give the same figures.
//
// # The search
//
// A combination of recodes is a grouping of the categories of each key variable.
// From one combination the search goes on to those that differ in one variable by
// one move: two groups become one, the rarest or outermost become one, numbers are
// cut at round widths, a group is split, a category changes its group, or another
// level of the hierarchy is taken that was given for the variable. It begins with no
// recode and with all categories of each variable as one. What no other combination
// dominates, in detail lost and in records that violate k, is kept and expanded in turn,
// first what stands in the widest gaps of the frontier (Pareto local search), then what is
// dominated by little.
//
// Violators are counted on the distinct keys, of groups that change only. Suppression is
// computed for combinations on the frontier that are far from each other.
//
// The work of a round is counted in keys, not in time: after so many rounds the
// frontier is the same on every machine and any number of processors.
//
// Sources: the search is this project's own; Pareto local search as in Paquete,
// Chiarandini and Stützle (2004), Pareto local optimum sets in the biobjective
// traveling salesman problem.
package plan
