package suppress

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/suppression/minimal"
)

// mostShort is the number of incomplete cells short of k up to which complete ones are looked for that agree.
const mostShort = 64

// holds reports whether no record violates k within some variables, by the cells of their table: most combinations
// hold, and are passed over by counting alone. It may say no where they do.
func (s *subsetSearch) holds(k int, variables []int) bool {
	counts := s.cells(variables)
	if counts == nil || s.stratum.size < k {
		return false
	}
	var short [][]int
	for cell, count := range counts {
		if count == 0 || int(count) >= k {
			continue
		}
		codes := s.codesOf(cell, variables)
		if s.rule == minimal.OwnCategory || !slices.Contains(codes, 0) || len(short) == mostShort {
			return false
		}
		short = append(short, codes)
	}
	short = slices.DeleteFunc(short, func(codes []int) bool { // without any value they are like all
		return !slices.ContainsFunc(codes, func(code int) bool { return code != 0 })
	})
	for cell := 0; cell < len(counts) && len(short) > 0; cell++ {
		if int(counts[cell]) < k {
			continue
		}
		if all := s.codesOf(cell, variables); !slices.Contains(all, 0) {
			short = slices.DeleteFunc(short, func(codes []int) bool { return agree(codes, all) })
		}
	}
	return len(short) == 0
}

// agree reports whether codes, 0 where they are missing, agree with complete ones.
func agree(codes, complete []int) bool {
	for i, code := range codes {
		if code != 0 && code != complete[i] {
			return false
		}
	}
	return true
}

// cells counts the records in each cell of the table of some variables, missing values a category; nil where it has more
// cells than there are rows.
func (s *subsetSearch) cells(variables []int) []uint32 {
	steps, cells := make([]int, len(variables)), 1
	for i, v := range variables {
		steps[i] = cells
		if cells *= s.stratum.Levels[v] + 1; cells > len(s.rows) {
			return nil
		}
	}
	counts := make([]uint32, cells)
	for i := range s.rows {
		row, cell := &s.rows[i], 0
		for j, v := range variables {
			if row.Set>>v&1 == 0 {
				cell += int(s.stratum.Codes[v][row.Key]) * steps[j]
			}
		}
		counts[cell] += row.Count
	}
	return counts
}

// codesOf returns the codes of a cell.
func (s *subsetSearch) codesOf(cell int, variables []int) []int {
	codes := make([]int, len(variables))
	for i, v := range variables {
		size := s.stratum.Levels[v] + 1
		codes[i], cell = cell%size, cell/size
	}
	return codes
}
