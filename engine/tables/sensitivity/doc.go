// Package sensitivity judges which cells of a table may not be published, and how wide the interval must be in which an
// intruder can place them: minimum frequency, (n,k)-dominance, the p % and pq rules.
//
// Source: A. Hundepool et al., Statistical Disclosure Control, Wiley 2012, section 4.2 and table 4.4.
//
//	rule, err := sensitivity.Parse("p:10")
//	verdict := sensitivity.Judge(&table.Cells[0], rule)
package sensitivity
