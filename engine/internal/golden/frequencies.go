package golden

import (
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Frequencies returns the sample frequency of every record on the given key variables by comparing every pair of
// keys, as an oracle for faster algorithms. Under RuleConservative2 it counts the records with the identical key,
// which decides whether a record is safe.
func Frequencies(columns []*microdata.Column, rule microdata.Rule, alpha float64) []float64 {
	records := codesOf(columns)
	// by key: its first record, and by that record the number of records
	first, counts := make(map[string]int), make([]float64, len(records))
	same := make([]int, len(records)) // by record, the first record with the same key
	for i, key := range records {
		name := fmt.Sprint(key)
		if _, known := first[name]; !known {
			first[name] = i
		}
		same[i] = first[name]
		counts[same[i]]++
	}
	switch rule {
	case microdata.RuleConservative:
		alpha = 0
	case microdata.RuleCategorySize:
		alpha = 1
	}
	frequencies := make([]float64, len(records))
	for i, key := range records {
		if same[i] < i {
			frequencies[i] = frequencies[same[i]]
			continue
		}
		for j, other := range records {
			if counts[j] > 0 {
				frequencies[i] += float64(counts[j] * contribution(columns, key, other, rule, alpha))
			}
		}
		if empty(key) && rule != microdata.RuleConservative2 && rule != microdata.RuleOwnCategory {
			frequencies[i] = float64(len(records))
		}
	}
	return frequencies
}

// Violators returns the number of records with a frequency below k.
func Violators(columns []*microdata.Column, rule microdata.Rule, alpha float64, k int) int {
	count := 0
	for _, f := range Frequencies(columns, rule, alpha) {
		if f < float64(k)-1e-9 {
			count++
		}
	}
	return count
}

func codesOf(columns []*microdata.Column) [][]uint32 {
	records := make([][]uint32, columns[0].Len())
	for i := range records {
		records[i] = make([]uint32, len(columns))
		for j, column := range columns {
			records[i][j] = column.Categories().Codes.At(i)
		}
	}
	return records
}

// contribution returns what a record adds to the frequency of another record's key.
func contribution(columns []*microdata.Column, key, other []uint32, rule microdata.Rule, alpha float64) float64 {
	identical, share := true, 1.0
	for j := range key {
		if key[j] == other[j] {
			continue
		}
		identical = false
		if key[j] != 0 && other[j] != 0 {
			return 0
		}
		if other[j] == 0 {
			counts := columns[j].Categories().Counts()
			share *= float64(counts[key[j]]) / float64(columns[j].Len())
		}
	}
	switch {
	case identical:
		return 1
	case rule == microdata.RuleConservative2 || rule == microdata.RuleOwnCategory:
		return 0
	case complete(other):
		return 1
	case complete(key) && rule == microdata.RuleCategorySize:
		return share
	default:
		return alpha
	}
}

func complete(key []uint32) bool { return !slices.Contains(key, 0) }

func empty(key []uint32) bool {
	return !slices.ContainsFunc(key, func(code uint32) bool { return code != 0 })
}

// Columns returns the named columns of a dataset; it panics if one is missing.
func Columns(data *microdata.Dataset, names ...string) []*microdata.Column {
	columns := make([]*microdata.Column, len(names))
	for i, name := range names {
		column, ok := data.Column(name)
		if !ok {
			panic("no column " + name)
		}
		columns[i] = column
	}
	return columns
}
