package profile

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Summary has what a list of variables shows for each.
type Summary struct {
	Distinct int // distinct values, excluding missing
	Missing  int
	Rare     int      // records with a value that fewer than k records have
	Examples []string // the first three distinct values of the first records
}

// Summarise summarises one variable in one pass over its cells. k is the minimum number of records that should
// share a value.
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
	for t := range tallies(numbers.Values, column.RecordsAt) {
		for _, records := range t.records {
			if records > 0 {
				count(records)
			}
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
