package views

import (
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Violators lists the records at risk of an assessment. Only the first are computed; the rest are looked up on
// demand.
type Violators struct {
	Violating int   // records that violate k-anonymity
	K         int   // the k of the listed records; if no record violates k-anonymity, all are listed
	Count     int   // number of listed rows
	Records   []int // the first of the listed rows
}

// everyKey is a k that every key pattern violates.
const everyKey = math.MaxInt32

// ViolatorsAt returns the number of violators of k and the list to show.
func ViolatorsAt(a *risk.Assessment, k int) Violators {
	count := a.Table().Violators(a.KeyFrequencies(), k)
	if count > 0 {
		return Violators{Violating: count, K: k, Count: violatingRows(a, k, count)}
	}
	return Violators{K: everyKey, Count: a.Table().Rows()}
}

// violatingRows returns the number of rows that hold the violating records.
func violatingRows(a *risk.Assessment, k, records int) int {
	t, f := a.Table(), a.KeyFrequencies()
	if t.Multiplicity() == nil {
		return records
	}
	rows := 0
	for row := range t.Rows() {
		if f.Violates(int(t.Key(row)), k) {
			rows++
		}
	}
	return rows
}

// FirstViolators is the number of violators looked up at first.
const FirstViolators = 512

// ViolatorsOf returns the violators of a k, if the scenario counts that k.
func ViolatorsOf(a *risk.Assessment, k int) (risk.Violators, bool) {
	if i := slices.IndexFunc(a.Violators, func(v risk.Violators) bool { return v.K == k }); i >= 0 {
		return a.Violators[i], true
	}
	return risk.Violators{}, false
}

// AssessmentAt is an assessment with a k.
type AssessmentAt struct {
	*risk.Assessment
	K int
}

// AssessmentAt returns the current assessment at the k of the screen.
func (s State) AssessmentAt() AssessmentAt { return AssessmentAt{s.Current.Assessment, s.K} }

// AlphaOf names the alpha of the missing-value rule if it has one.
func AlphaOf(s State) string {
	if s.Scenario.Alpha == 1 || s.Scenario.Rule != "default" {
		return ""
	}
	return fmt.Sprintf(" with alpha %v", s.Scenario.Alpha)
}
