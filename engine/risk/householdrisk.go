package risk

import (
	"context"
	"runtime"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// HouseholdRisk is the risk that at least one member of a household is correctly linked: 1 minus the product over
// its members of 1 minus their individual risks. All members have the same household risk. Hundepool et al.,
// Statistical Disclosure Control, 2012, 3.3.
type HouseholdRisk struct {
	Expected float64 // sum over all records: expected number of re-identifications
	Global   float64 // Expected / records
	Highest  float64

	risks []float64 // per household
}

// householdsPerTask is chosen so that a task has about parallel.Block members.
const householdsPerTask = parallel.Block / 4

// householdRisks computes the risks of all households from the risks of key patterns.
func householdRisks(ctx context.Context, h *microdata.Households, t *keys.Table,
	keyRisks []float64) (*HouseholdRisk, error) {
	recordKeys, regroup := t.Origin()
	if regroup != nil {
		spread := make([]float64, len(regroup))
		for i, key := range regroup {
			spread[i] = keyRisks[key]
		}
		keyRisks = spread
	}
	out := &HouseholdRisk{risks: make([]float64, h.Len())}
	// One sum per task, added in order, so that the result does not depend on the number of workers.
	tasks := (h.Len() + householdsPerTask - 1) / householdsPerTask
	sums, highest := make([]float64, tasks), make([]float64, tasks)
	workers := parallel.Workers(h.Records(), runtime.GOMAXPROCS(0))
	err := parallel.Tasks(ctx, tasks, workers, func(_, task int) {
		from := task * householdsPerTask
		to := min(from+householdsPerTask, h.Len())
		sums[task], highest[task] = combine(h, out.risks[from:to], from, recordKeys, keyRisks)
	})
	for i, sum := range sums {
		out.Expected += sum
		out.Highest = max(out.Highest, highest[i])
	}
	if n := t.Records(); n > 0 {
		out.Global = out.Expected / float64(n)
	}
	return out, err
}

// combine computes the risks of households from index first on. It returns their sum over records and the highest.
func combine(h *microdata.Households, risks []float64, first int, recordKeys []uint32,
	keyRisks []float64) (sum, highest float64) {
	for i := range risks {
		members, risk := h.Members(first+i), 0.0
		for member := range members {
			r := keyRisks[recordKeys[h.Member(first+i, member)]]
			risk += r - float64(risk*r)
		}
		risks[i] = risk
		sum += float64(risk * float64(members))
		highest = max(highest, risk)
	}
	return sum, highest
}

// HouseholdRiskOfKeys returns, for each key pattern, the highest household risk of its records, or nil if there
// are no households. It makes one pass over the records and returns the error of ctx, if any.
func (a *Assessment) HouseholdRiskOfKeys(ctx context.Context) ([]float64, error) {
	if a.Households == nil {
		return nil, nil
	}
	highest, keys := make([]float64, a.table.Keys()), a.table.RowKeys()
	for h, risk := range a.Households.risks {
		if parallel.Stopped(ctx, h) {
			return nil, ctx.Err()
		}
		for i := range a.index.Members(h) {
			key := keys[a.index.Member(h, i)]
			highest[key] = max(highest[key], risk)
		}
	}
	return highest, nil
}
