package views

import (
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// violators are the violators of one assessment. Those further down are looked
// up when they are wanted.
type violators struct {
	violating int   // records that violate k
	k         int   // of those that are listed: where nobody violates k all are
	count     int   // of all that are listed
	records   []int // the first ones
}

// everyKey is a k that every key violates.
const everyKey = math.MaxInt32

// violatorsAt returns how many violate a k of an assessment, and what is listed.
func violatorsAt(a *risk.Assessment, k int) violators {
	count := a.Table().Violators(a.KeyFrequencies(), k)
	if count > 0 {
		return violators{violating: count, k: k, count: count}
	}
	return violators{k: everyKey, count: a.Table().Rows()}
}

// firstViolators is the number of violators that are looked up at first.
const firstViolators = 512

// violatorsOf returns the violators of a k that the scenario counts.
func violatorsOf(a *risk.Assessment, k int) (risk.Violators, bool) {
	if i := slices.IndexFunc(a.Violators, func(v risk.Violators) bool { return v.K == k }); i >= 0 {
		return a.Violators[i], true
	}
	return risk.Violators{}, false
}

// assessmentAt is an assessment and a k of it.
type assessmentAt struct {
	*risk.Assessment
	k int
}

// alphaOf names alpha where the rule has one.
func alphaOf(s State) string {
	if s.Scenario.Alpha == 1 || s.Scenario.Rule != "default" {
		return ""
	}
	return fmt.Sprintf(" with alpha %v", s.Scenario.Alpha)
}
