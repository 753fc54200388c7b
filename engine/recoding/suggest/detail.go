package suggest

import "math"

// detail returns the entropy in bits of categories with the given numbers of
// records, missing, at place 0, left out; 0 where no record has a value.
func detail(counts []int) float64 {
	total := 0
	for _, count := range counts[1:] {
		total += count
	}
	return lost(counts[1:], total)
}

// lost returns by how many bits the entropy falls when categories of the given
// numbers of records, of total records with a value, become one.
func lost(counts []int, total int) float64 {
	if total == 0 {
		return 0
	}
	sum, parts := 0, 0.0
	for _, count := range counts {
		sum += count
		parts += weighed(count)
	}
	return (weighed(sum) - parts) / float64(total)
}

// weighed returns n log2 n; 0 for none.
func weighed(n int) float64 {
	if n <= 1 {
		return 0
	}
	return float64(n) * math.Log2(float64(n))
}

// Lost returns by how many bits the entropy of a variable falls when its codes
// are mapped to others, from the records that have a value. counts are the
// records per code, missing at 0; mapping, of the same length, takes no code
// with records to 0.
func Lost(counts []int, mapping []uint32) float64 {
	highest := uint32(0)
	for _, to := range mapping {
		highest = max(highest, to)
	}
	after := make([]int, highest+1)
	for code, count := range counts {
		after[mapping[code]] += count
	}
	return detail(counts) - detail(after)
}
