package risk

import (
	"cmp"
	"slices"
	"sync"
)

// atRisk is the last answer of RecordsAtRisk.
type atRisk struct {
	mutex    sync.Mutex
	limit, k int
	records  []int
}

// RecordsAtRisk returns the violators of k, highest individual risk first,
// equal ones in the order of the file; at most limit of them. Its cost is that
// of sorting the violating keys and of one walk over the records; asked again
// for the same k and no more records it has the answer at hand. The records are
// not to be modified.
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

// rankRecords looks for the records only among the keys whose risk is not below
// that of the last record that is asked for.
func (a *Assessment) rankRecords(limit, k int) []int {
	var violating []int
	for key := range a.risks {
		if a.frequencies.Violates(key, k) {
			violating = append(violating, key)
		}
	}
	slices.SortFunc(violating, func(x, y int) int { return cmp.Compare(a.risks[y], a.risks[x]) })
	least, before := 0.0, 0 // rows of keys with a higher risk, at least
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
