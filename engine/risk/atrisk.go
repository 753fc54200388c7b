package risk

import (
	"cmp"
	"slices"
	"sync"
)

// atRisk caches the last result of RecordsAtRisk.
type atRisk struct {
	mutex    sync.Mutex
	limit, k int
	records  []int
}

// RecordsAtRisk returns at most limit violators of k in descending order of individual risk; ties are in file
// order. It sorts the violating key patterns and walks the records once; the result is cached for further calls
// with the same k and no larger limit. The slice must not be modified.
func (a *Assessment) RecordsAtRisk(limit, k int) []int {
	if limit <= 0 {
		return nil
	}
	last := &a.atRisk
	last.mutex.Lock()
	defer last.mutex.Unlock()
	if last.k != k || last.limit < limit {
		last.limit, last.k, last.records = limit, k, a.rankRecords(limit, k)
	}
	return slices.Clip(last.records[:min(limit, len(last.records))])
}

// rankRecords collects records only from key patterns whose risk is at least that of the last record required.
func (a *Assessment) rankRecords(limit, k int) []int {
	var violating []int
	for key := range a.risks {
		if a.frequencies.Violates(key, k) {
			violating = append(violating, key)
		}
	}
	slices.SortFunc(violating, func(x, y int) int { return cmp.Compare(a.risks[y], a.risks[x]) })
	least, before := 0.0, 0 // before counts the rows of key patterns with a higher risk than least
	for _, key := range violating {
		if before >= limit {
			break
		}
		least = a.risks[key]
		if before++; a.table.Multiplicity() == nil {
			before += int(a.table.Counts()[key]) - 1
		}
	}
	var records []int
	for row := range a.table.Rows() {
		if key := a.table.Key(row); a.risks[key] >= least && a.frequencies.Violates(int(key), k) {
			records = append(records, row)
		}
	}
	slices.SortStableFunc(records, func(x, y int) int { return cmp.Compare(a.Risk(y), a.Risk(x)) })
	return records[:min(limit, len(records))]
}
