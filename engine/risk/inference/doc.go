// Package inference finds the variables of a released file that reveal what protection removed: the suppressed
// cells of a key variable, and the categories before a recode. This is attribute inference within one record: from
// birth year to age, from the size of the household to the number of its members, or from another member of the
// household.
//
//	found, err := inference.Find(ctx, measure.Input{Original: original, Current: released}, nil)
//	for _, inferred := range found.Inferred {
//		fmt.Println(inferred.Variable, inferred.By, inferred.Exactly.True, inferred.Probably.True, inferred.Cells)
//	}
//
// # What is found
//
// X is a key variable that was recoded or lost cells. Z is a released variable, a pair of them, or the household.
// Records with a missing Z reveal nothing, and records with a missing X are not used for learning. For suppressed
// cells, claims are learned from the released records alone. For source categories, they are learned from the
// original, given the released category. Intruders do not have the original, so this is an upper bound; it is
// reported separately.
//
// The other records with the same Z reveal a category exactly if there are at least 3 of them (1 if Z is the
// household), all of them have it, and at least 95 % of such claims are right for the records with a value, each
// left out in turn. They reveal it probably if a share of at least 0.8 of them has it. If the original is
// available, claims about suppressed cells are compared with it; otherwise the share of right claims is that of
// the records left out.
//
// The base is the better of two guesses of the same cells: the most frequent category of the other records that
// agree on all other key variables that are not missing, except Z; and the most frequent category overall. Z is
// reported if the lower confidence limit of its share of right claims is above the base and, for a pair, above the
// share of right guesses by the most frequent category given either variable. This must hold for the suppressed
// cells, if the original is available, and, except for the guess from the other keys, for the records left out:
// suppressed cells are selected, and what holds for them only because of the selection is not knowledge gained
// from Z. A rival counts with its share of the same cells or of all cells, whichever is higher. The limit is exact
// (Clopper and Pearson 1934), with an error of 0.1 % over all tests (Bonferroni). Variables without a value that
// enough records have, such as IDs, make no claims and are not tested.
//
// Pairs consist of variables with at most 1,000 categories. They are screened on 50,000 equally spaced rows, or
// fewer if there are very many variables, by how many more records they reveal than the better of their variables,
// each record left out in turn. The best 20 are counted on all rows.
//
// # Numbers
//
// A numeric variable that was masked or lost cells can be inferred from a sum of up to five others, with signs,
// that equals its original values within rounding. Such a sum is searched among 200 complete records. It is
// reported if it holds for at least 99 % of all complete records and its share of right claims is above the base
// as before, here the most frequent value. The order of records before masking can be inferred from another
// variable that orders most pairs of neighbours in the released values correctly: at least 0.8 of them, and more
// than the released values do, by the lower confidence limit.
//
// Sampling weights are ignored: what can be inferred of a record does not depend on how many units it represents.
// Rows that represent several records count as that many.
package inference
