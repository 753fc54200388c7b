package minimal

import (
	"math"
	"slices"
)

// naiveFile is a file of records, each a row of codes, with naive counts.
type naiveFile [][]uint32

// expand returns the records of p, key by key.
func expand(p *Problem) naiveFile {
	var file naiveFile
	for key, count := range p.Count {
		for range count {
			row := make([]uint32, p.variables())
			for v := range row {
				row[v] = p.Codes[v][key]
			}
			file = append(file, row)
		}
	}
	return file
}

// apply applies the suppressions of s, and returns the new file and the newly suppressed cells.
func apply(p *Problem, s *Solution) (file naiveFile, suppressed [][]bool) {
	file = expand(p)
	suppressed = make([][]bool, len(file))
	first := make([]int, p.keys())
	for key := 1; key < p.keys(); key++ {
		first[key] = first[key-1] + int(p.Count[key-1])
	}
	for i := range suppressed {
		suppressed[i] = make([]bool, p.variables())
	}
	for _, part := range s.Parts {
		for range part.Count {
			for v := range p.variables() {
				if part.Set>>v&1 == 1 {
					file[first[part.Key]][v] = 0
					suppressed[first[part.Key]][v] = true
				}
			}
			first[part.Key]++
		}
	}
	return file, suppressed
}

func isComplete(row []uint32) bool { return !slices.Contains(row, 0) }

func areCompatible(a, b []uint32) bool {
	for v := range a {
		if a[v] != b[v] && a[v] != 0 && b[v] != 0 {
			return false
		}
	}
	return true
}

// frequency returns the frequency of record i under a rule.
func (f naiveFile) frequency(i int, rule Rule, alpha float64) float64 {
	row := f[i]
	if rule == CategorySize && isComplete(row) {
		return f.categorySize(row)
	}
	switch rule {
	case Conservative:
		alpha = 0
	case CategorySize:
		alpha = 1
	}
	if rule != OwnCategory && !slices.ContainsFunc(row, func(c uint32) bool { return c != 0 }) {
		return float64(len(f))
	}
	sum := 0.0
	for _, other := range f {
		switch {
		case slices.Equal(row, other):
			sum++
		case rule == OwnCategory || !areCompatible(row, other):
		case isComplete(other):
			sum++
		default:
			sum += alpha
		}
	}
	return sum
}

// categorySize returns the frequency of a complete record under the rule CategorySize.
func (f naiveFile) categorySize(row []uint32) float64 {
	sum := 0.0
	for _, other := range f {
		if !areCompatible(row, other) {
			continue
		}
		part := 1.0
		for v, code := range other {
			if code == 0 {
				same := 0
				for _, third := range f {
					if third[v] == row[v] {
						same++
					}
				}
				part *= float64(same) / float64(len(f))
			}
		}
		sum += part
	}
	return sum
}

// violators counts the records with a frequency below k.
func (f naiveFile) violators(k int, rule Rule, alpha float64) int {
	n := 0
	for i := range f {
		if f.frequency(i, rule, alpha) < float64(k)-1e-9 {
			n++
		}
	}
	return n
}

// restorable returns a suppressed cell that can be restored without a violator.
func (f naiveFile) restorable(source naiveFile, suppressed [][]bool, k int, rule Rule,
	alpha float64) (record, variable int, found bool) {
	for i := range f {
		for v := range f[i] {
			if !suppressed[i][v] {
				continue
			}
			f[i][v] = source[i][v]
			n := f.violators(k, rule, alpha)
			f[i][v] = 0
			if n == 0 {
				return i, v, true
			}
		}
	}
	return 0, 0, false
}

// naiveBound computes the lower bound by definition.
func naiveBound(p *Problem) int64 {
	file := expand(p)
	var sum int64
	for i, row := range file {
		same := 0
		for _, other := range file {
			if slices.Equal(row, other) {
				same++
			}
		}
		if p.Rule != OwnCategory && isComplete(row) && same >= p.K {
			continue
		}
		best := int64(math.MaxInt64)
		for set := range p.full() + 1 {
			if count, price := file.agreeing(p, i, set); count >= p.K {
				best = min(best, price)
			}
		}
		sum += best
	}
	return sum
}

// agreeing returns the number of records that have all their missing values inside set and agree with record i
// outside it, and the price of set for that record. It returns none if the record has missing values outside.
func (f naiveFile) agreeing(p *Problem, i int, set uint64) (count int, price int64) {
	for v, code := range f[i] {
		if inside := set>>v&1 == 1; code == 0 && !inside {
			return 0, 0
		} else if code != 0 && inside {
			price += int64(p.Price[v])
		}
	}
	for _, other := range f {
		agree := true
		for v, code := range other {
			agree = agree && (set>>v&1 == 1 || code == f[i][v])
		}
		if agree {
			count++
		}
	}
	return count, price
}

// optimum tries every suppression and returns the least price without a violator.
func optimum(p *Problem) int64 {
	source := expand(p)
	file := expand(p)
	best := int64(math.MaxInt64)
	var choose func(i int, price int64)
	choose = func(i int, price int64) {
		if price >= best {
			return
		}
		if i == len(file) {
			if file.violators(p.K, p.Rule, p.Alpha) == 0 {
				best = price
			}
			return
		}
		for set := range p.full() + 1 {
			more := int64(0)
			for v, code := range source[i] {
				file[i][v] = code
				if set>>v&1 == 1 {
					file[i][v] = 0
					if code != 0 {
						more += int64(p.Price[v])
					} else {
						more = math.MaxInt32 // suppressing a missing cell is the same as another set
					}
				}
			}
			if more < math.MaxInt32 {
				choose(i+1, price+more)
			}
		}
	}
	choose(0, 0)
	return best
}
