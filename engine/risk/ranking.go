package risk

import (
	"cmp"
	"math"
	"slices"
)

// ranking holds the distinct risks of a file, ascending, with the number of records of each.
type ranking struct {
	risks   []float64
	records []int
}

func (a *Assessment) makeRanking() *ranking {
	entries := make([]entry, len(a.risks))
	for key, count := range a.table.Counts() {
		entries[key] = entry{a.risks[key], int(count)}
	}
	return ranked(entries)
}

// entry is a risk, or a distance from one, with a number of records.
type entry struct {
	risk    float64
	records int
}

// ranked sorts entries and merges equal ones.
func ranked(entries []entry) *ranking {
	slices.SortFunc(entries, func(x, y entry) int { return cmp.Compare(x.risk, y.risk) })
	r := &ranking{}
	for _, e := range entries {
		if last := len(r.risks) - 1; last >= 0 && r.risks[last] == e.risk {
			r.records[last] += e.records
			continue
		}
		r.risks = append(r.risks, e.risk)
		r.records = append(r.records, e.records)
	}
	return r
}

// median returns the median over records, or NaN without records. For an even number it is the mean of the middle
// two.
func (r *ranking) median() float64 {
	total := 0
	for _, count := range r.records {
		total += count
	}
	if total == 0 {
		return math.NaN()
	}
	return (r.at((total-1)/2) + r.at(total/2)) / 2
}

// at returns the risk of the record with the given index in ascending order.
func (r *ranking) at(place int) float64 {
	for i, count := range r.records {
		if place -= count; place < 0 {
			return r.risks[i]
		}
	}
	return math.NaN()
}

// deviations returns the absolute deviations from a centre, ascending.
func (r *ranking) deviations(centre float64) *ranking {
	entries := make([]entry, len(r.risks))
	for i, risk := range r.risks {
		entries[i] = entry{math.Abs(risk - centre), r.records[i]}
	}
	return ranked(entries)
}

// consistency scales the median absolute deviation to estimate the standard deviation of a normal distribution.
const consistency = 1.4826

// AboveMain returns the number of records whose individual risk is above the main part of the risks: above median
// + 2 MAD and above 0.1, where MAD is 1.4826 times the median absolute deviation from the median. It is computed
// on first use.
func (a *Assessment) AboveMain() int { return a.aboveMain() }

func (a *Assessment) countAboveMain() int {
	r := a.ranking()
	median := r.median()
	limit := math.Max(0.1, median+2*float64(consistency*r.deviations(median).median()))
	above := 0
	for i, risk := range r.risks {
		if risk > limit {
			above += r.records[i]
		}
	}
	return above
}

// Threshold returns the risk threshold for a global risk: the highest risk t of the file such that replacing every
// risk above t by t brings the global risk below the target, or 0 if even the lowest risk is too high. needed is
// false if the global risk is already below the target.
func (a *Assessment) Threshold(target float64) (value float64, needed bool) {
	limit := target * float64(a.Records)
	if a.Expected < limit {
		return 0, false
	}
	r := a.ranking()
	above, sum := a.Records, 0.0
	for i, risk := range r.risks {
		if sum+float64(risk*float64(above)) >= limit {
			break
		}
		value = risk
		sum += float64(risk * float64(r.records[i]))
		above -= r.records[i]
	}
	return value, true
}

// HighestRisk returns the highest individual risk, or 0 without records.
func (a *Assessment) HighestRisk() float64 { return slices.Max(append([]float64{0}, a.risks...)) }
