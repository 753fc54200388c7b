// Package crash reports a panic, or the state of the program when a signal ended it, without anything from the
// data: no arguments of calls, no numbers and no texts in messages.
package crash

import (
	"fmt"
	"runtime"
	"strings"
)

// Report is a line with what happened and where.
type Report string

// mostCalls is the maximum number of calls in a report.
const mostCalls = 24

// ReportOf returns the report of a recovered value. It must be called by the deferred function, while the panicking
// calls are still on the stack. Texts of panics and arguments of calls may be values of the data and are left out.
func ReportOf(reason any) Report {
	if report, ok := reason.(Report); ok {
		return report // already made by the goroutine that panicked
	}
	what := fmt.Sprintf("a panic with a %T", reason)
	if err, ok := reason.(runtime.Error); ok {
		what = strings.Map(func(r rune) rune {
			if '0' <= r && r <= '9' {
				return '#'
			}
			return r
		}, err.Error())
	}
	counters := make([]uintptr, mostCalls)
	return Report(what + ", in " + places(counters[:runtime.Callers(3, counters)]))
}
