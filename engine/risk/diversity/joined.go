package diversity

import "slices"

// MergedCategories has the figures of a key pattern if all categories of one key variable were merged.
type MergedCategories struct {
	Records   int // of the key pattern after merging
	Distinct  int
	Entropy   float64
	Recursive int
	Distance  float64
}

// Joins returns, for each key variable, the figures of a key pattern if all categories of that variable were
// merged, so that it includes all key patterns that differ only in that variable. It makes one pass over the key
// patterns.
func (s *Spread) Joins(key int, c float64) []MergedCategories {
	q := s.Table.Variables()
	merged := make([]map[uint32]int, q)
	codes := make([][]uint32, q)
	for v := range codes {
		merged[v], codes[v] = map[uint32]int{}, s.Table.Codes(v)
	}
	for other := range s.Table.Keys() {
		apart, variables := 0, 0
		for v := range codes {
			if codes[v][other] != codes[v][key] {
				if variables++; variables > 1 {
					break
				}
				apart = v
			}
		}
		switch variables {
		case 0:
			for v := range merged {
				s.addTo(merged[v], other)
			}
		case 1:
			s.addTo(merged[apart], other)
		}
	}
	distance := s.distance()
	out := make([]MergedCategories, q)
	for v, of := range merged {
		var values []uint32
		var count []int
		for code := range of {
			values = append(values, code)
		}
		slices.Sort(values)
		records := 0
		for _, code := range values {
			count = append(count, of[code])
			records += int(of[code])
		}
		distinct, entropy, recursive, _ := diversityOf(values, count, c, nil)
		out[v] = MergedCategories{Records: records, Distinct: int(distinct), Entropy: entropy, Recursive: int(recursive),
			Distance: distance(values, count)}
	}
	return out
}

// addTo adds the counts of a key pattern's values to values.
func (s *Spread) addTo(values map[uint32]int, key int) {
	codes, count := s.Of(key)
	for i, code := range codes {
		values[code] += count[i]
	}
}
