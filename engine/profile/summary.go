package profile

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Summary is what a list of variables tells of each.
type Summary struct {
	Distinct int // values that are not missing
	Missing  int
	Rare     int      // records whose value fewer than k records have
	Examples []string // the first three distinct values of the first records
}

// Summarise looks at one variable, k being how many records are to share a value. A
// variable that is stored as numbers costs the time of sorting them.
func Summarise(column *microdata.Column, k int) *Summary {
	s := &Summary{Missing: column.MissingCount(), Examples: examples(column)}
	count := func(records int) {
		if s.Distinct++; records < k {
			s.Rare += records
		}
	}
	numbers := column.StoredAsNumbers()
	if numbers == nil {
		for _, records := range column.Categories().Counts()[1:] {
			if records > 0 {
				count(records)
			}
		}
		return s
	}
	type cell struct {
		x       float64
		records int
	}
	cells := make([]cell, 0, len(numbers.Values))
	for row, x := range numbers.Values {
		if x == x {
			cells = append(cells, cell{x, column.RecordsAt(row)})
		}
	}
	slices.SortFunc(cells, func(a, b cell) int {
		switch {
		case a.x < b.x:
			return -1
		case a.x > b.x:
			return 1
		}
		return 0
	})
	records := 0
	for i, c := range cells {
		if records += c.records; i == len(cells)-1 || cells[i+1].x != c.x {
			count(records)
			records = 0
		}
	}
	return s
}

// examples returns the first three distinct values of the first records.
func examples(column *microdata.Column) []string {
	const look, want = 2000, 3
	var found []string
	for row := range min(look, column.Len()) {
		if text := column.Text(row); text != "" && !slices.Contains(found, text) {
			if found = append(found, text); len(found) == want {
				break
			}
		}
	}
	return found
}
