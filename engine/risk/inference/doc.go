// Package inference finds the variables of a released file that reveal what protection took
// away: the cells of a key variable that were suppressed, and the categories before a recode.
// It is attribute inference within one record: birth year next to age, the size of the
// household next to the number of its members, another member of the household.
//
//	found, err := inference.Find(ctx, measure.Input{Original: original, Current: released}, nil)
//	for _, inferred := range found.Inferred {
//		fmt.Println(inferred.Variable, inferred.By, inferred.Exactly.True, inferred.Probably.True, inferred.Cells)
//	}
//
// # What is found
//
// X is a key variable that was recoded or lost cells; Z a released variable, a pair of
// them, or the household. A missing Z reveals nothing, a missing X is not learned from.
// Suppressed cells are learned from the released records alone. Source categories are
// learned from the original, given the released category: who attacks does not have it,
// so that this is an upper bound, inferred apart.
//
// Others with the same Z reveal a category exactly where there are at least 3 of them (1
// where Z is the household), all have it, and such claims are right in at least 95 % of
// the records that have a value, each left out in turn; they reveal it probably where at
// least 0.8 of them have it. Where the original is there, claims on suppressed cells are
// right or wrong against it; else the share of right ones is that of the records left
// out.
//
// The base is the better of two guesses at the same cells: the most frequent category of
// the other records that agree with a record on all its other key variables that are not
// missing, those that are Z left out; and the most frequent category of all. Z can be inferred of
// where the lower limit of its share of right claims is above the base, and that of a
// pair above the share in which the most frequent category given either part is right.
// This must hold of the suppressed cells, where the original is there, and, but for the guess
// from the other keys, of the records left out: suppressed cells are chosen, and what is true
// of them by that choice alone is no knowledge that Z gives. A rival counts by its share of
// the same cells or of all, whichever is more. The limit is exact (Clopper and Pearson
// 1934), with an error of 0.1 % over all that was tried (Bonferroni). A variable without a
// value that enough records have, such as an ID, makes no claim and is not tried.
//
// Pairs are of variables of at most 1,000 categories. They are screened on 50,000 rows at
// equal distances, fewer in files of very many variables, by how many more records they
// reveal than the better one of their parts, each left out; the best 20 are counted on all.
//
// # Numbers
//
// A variable of numbers that was masked or lost cells can be inferred by a sum of up to five others,
// with signs, that is true of its original values within rounding: it is found among 200
// records that have all values, holds on at least 99 % of all, and its right claims are
// above the base as before, which is the most frequent value. The order that records had
// before masking can be inferred by another variable that puts most pairs of neighbours in the
// released values into it: at least 0.8 of them, and more than the released values do, by
// the lower limit.
//
// Weights have no part in it: what can be inferred of a record does not depend on whom it stands
// for. Rows that stand for several records count as so many.
package inference
