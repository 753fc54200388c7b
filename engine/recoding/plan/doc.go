// Package plan searches for plans: publishable recodes of key variables together with
// the local suppression that is left after them, for a target k. It lays them out as a
// frontier of information loss against suppressed cells: no plan in it loses more and
// suppresses more than another one. With Options.Single the same search returns recodes
// of one variable, without suppression.
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
// Only recodes that can be printed in a codebook are tried. Numbers are cut into bands of
// 1, 2, 2.5 or 5 times a power of ten that begin at multiples of their width, with top and
// bottom codes at multiples. Of ordered categories neighbours are grouped, of others the
// rarest. A variable with a hierarchy goes along its levels. A variable is removed, which
// leaves one category, only in plans that do better than every plan that removes fewer.
//
// # Definition
//
// Information loss is the number of bits by which the entropy of a variable falls, from the
// records that have a value, added up over the key variables. Cells, and the bound that no
// suppression can beat after the same recodes, are those of package suppress, computed for
// every point that is shown: its steps, run as a script, give the same figures.
//
// # The search
//
// It begins with no recode and with the coarsest recodes that remove nothing. From a
// combination it goes on to those that differ in one variable, and counts their violators
// on the regrouped key table. What no other combination dominates is kept and expanded in
// turn, first what stands in the widest gaps of the frontier (Pareto local search).
// Suppression is computed for combinations on the frontier that are far from each other.
//
// The work of a round is counted in keys, not in time: after so many rounds the frontier is
// the same on every machine and any number of processors.
//
// Sources: Paquete, Chiarandini and Stützle (2004), Pareto local optimum sets in the
// biobjective traveling salesman problem; Hundepool et al. (2012), Statistical Disclosure
// Control, section 3.7 (entropy).
package plan
