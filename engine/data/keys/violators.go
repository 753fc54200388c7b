package keys

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// Tolerance is how far rounding may reduce a frequency below k.
const Tolerance = 1e-9

// Violates reports whether the records of a key violate k-anonymity: their frequency is less than k or, under the
// rule conservative-2, fewer than k records have the same key.
func (f *Frequencies) Violates(key, k int) bool {
	if f.Rule == microdata.RuleConservative2 {
		return f.Identical[key] < k
	}
	return f.Sample[key] < float64(k)-Tolerance
}

// Violators returns the number of records that violate k-anonymity.
func (t *Table) Violators(f *Frequencies, k int) int {
	violators := 0
	if f.Rule == microdata.RuleConservative2 {
		for key, count := range t.counts {
			if f.Violates(key, k) {
				violators += count
			}
		}
		return violators
	}
	limit := float64(k) - Tolerance
	for key, count := range t.counts {
		if f.Sample[key] < limit {
			violators += count
		}
	}
	return violators
}
