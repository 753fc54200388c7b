package risk

import (
	"cmp"
	"slices"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
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

func (a *Assessment) rankRecords(limit, k int) []int {
	chosen := a.riskiestKeys(limit, k)
	var records []int
	for row := range a.table.Rows() {
		if chosen[a.table.Key(row)] {
			records = append(records, row)
		}
	}
	slices.SortStableFunc(records, func(x, y int) int { return cmp.Compare(a.Risk(y), a.Risk(x)) })
	return records[:min(limit, len(records))]
}

// riskiestKeys marks the violating keys that the first limit records come
// from, with all keys that tie with the last.
func (a *Assessment) riskiestKeys(limit, k int) []bool {
	violating := make([]int, 0, parallel.Block)
	for key := range a.risks {
		if a.frequencies.Violates(key, k) {
			violating = append(violating, key)
		}
	}
	slices.SortFunc(violating, func(x, y int) int { return cmp.Compare(a.risks[y], a.risks[x]) })
	chosen := make([]bool, len(a.risks))
	counts, records := a.table.Counts(), 0
	for i, key := range violating {
		if records >= limit && a.risks[key] < a.risks[violating[i-1]] {
			break
		}
		chosen[key] = true
		records += int(counts[key])
	}
	return chosen
}
