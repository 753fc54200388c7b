// Package suggest looks for recodes of key variables that remove many violators
// for little detail.
//
// Detail is what a variable tells: the entropy of its categories in bits, from
// the records that have a value. A recode that groups categories of n1, n2, ...
// of the N records with a value loses
//
//	( S log2 S - n1 log2 n1 - n2 log2 n2 - ... ) / N,  S = n1 + n2 + ...
//
// bits of it. Suggestions are ranked by violators removed per bit lost. Weights
// play no part.
//
// Of an ordered variable neighbours are merged, and the highest or the lowest
// categories are grouped; of any other variable any two are merged, and the
// rarest ones are grouped. A numeric variable that was not recoded is also cut
// into intervals of round widths.
//
//	search, err := suggest.New(data, scenario, assessment, 3)
//	for !search.Done() {
//		err = search.Continue(ctx, 100*time.Millisecond)
//	}
//	for _, s := range search.Ranked(10) {
//		step, method := s.Step()
//		fmt.Println(s.Variable, step, method, s.Before, s.After, s.Lost)
//	}
//
// # Exactness
//
// Violators after a recode are those that the recoded data have, under the rule
// and alpha of the assessment. Grouping categories of a variable changes the
// frequency only of keys that have one of them, and only records with one of
// them or with a missing value in the variable are compatible with such keys:
// each candidate costs time in the number of these keys. Where no key has a
// missing value it is one walk over them: they are told by the values of the other
// variables, numbered once; else their frequencies are counted anew. The rule
// category-size, where keys have missing values, takes the whole table, and so do
// intervals.
//
// Source of the entropy as a measure of lost detail: Hundepool et al. (2012),
// Statistical Disclosure Control, section 3.7.
package suggest
