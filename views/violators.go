package views

import (
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Violators are the violators of one assessment. Those further down are looked
// up when they are wanted.
type Violators struct {
	Violating int   // records that violate k
	K         int   // of those that are listed: where nobody violates k all are
	Count     int   // of all rows that are listed
	Records   []int // the first ones
}

// everyKey is a k that every key violates.
const everyKey = math.MaxInt32

// ViolatorsAt returns how many violate a k of an assessment, and what is listed.
func ViolatorsAt(a *risk.Assessment, k int) Violators {
	count := a.Table().Violators(a.KeyFrequencies(), k)
	if count > 0 {
		return Violators{Violating: count, K: k, Count: violatingRows(a, k, count)}
	}
	return Violators{K: everyKey, Count: a.Table().Rows()}
}

// violatingRows returns the number of rows that so many violating records stand in.
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

// FirstViolators is the number of violators that are looked up at first.
const FirstViolators = 512

// ViolatorsOf returns the violators of a k that the scenario counts.
func ViolatorsOf(a *risk.Assessment, k int) (risk.Violators, bool) {
	if i := slices.IndexFunc(a.Violators, func(v risk.Violators) bool { return v.K == k }); i >= 0 {
		return a.Violators[i], true
	}
	return risk.Violators{}, false
}

// AssessmentAt is an assessment and a k of it.
type AssessmentAt struct {
	*risk.Assessment
	K int
}

// AssessmentAt returns the current assessment at the k of the screen.
func (s State) AssessmentAt() AssessmentAt { return AssessmentAt{s.Current.Assessment, s.K} }

// AlphaOf names alpha where the rule has one.
func AlphaOf(s State) string {
	if s.Scenario.Alpha == 1 || s.Scenario.Rule != "default" {
		return ""
	}
	return fmt.Sprintf(" with alpha %v", s.Scenario.Alpha)
}
