// Package plan searches for protection plans: publishable recodes of key variables, followed by the local
// suppression that is still needed to reach a target k. The result is a frontier of information loss against
// suppressed cells: no plan in it both loses more and suppresses more than another. With Options.Single the same
// search returns recodes of one variable, without suppression.
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
// # Publishable recodes
//
// Only recodes that can be documented in a codebook are tried. Numbers are divided into bands of 1, 2, 2.5 or 5
// times a power of ten that start at multiples of their width, with top and bottom codes at multiples. For ordered
// categories, neighbours are merged; for others, the rarest. A variable with a hierarchy uses its levels only. A
// variable is removed, which leaves one category, only in plans that are better than every plan that removes
// fewer.
//
// # Definition
//
// Information loss is the decrease in the entropy of a variable in bits, computed from the records that have a
// value and summed over the key variables. The number of cells, and the lower bound for any suppression after the
// same recodes, are those of package suppress. They are computed for every point shown, so running its steps as a
// script gives the same figures.
//
// # The search
//
// The search starts from no recode and from the coarsest recodes that remove nothing. From a combination of
// recodes it proceeds to those that differ in one variable, and counts their violators on the regrouped key table.
// Combinations that no other dominates are kept and expanded in turn, starting in the widest gaps of the frontier
// (Pareto local search). Suppression is computed for well-spread combinations on the frontier.
//
// The work of a round is measured in key patterns and not in time: after a given number of rounds the frontier is
// the same on every machine and for any number of processors.
//
// Sources: Paquete, Chiarandini and Stützle (2004), Pareto local optimum sets in the
// biobjective traveling salesman problem; Hundepool et al. (2012), Statistical Disclosure
// Control, section 3.7 (entropy).
package plan
