// Package crash reports a panic, or where a program was when a signal ended it, without anything
// that the data hold: no argument of a call, no number of a message, no text.
package crash

import (
	"fmt"
	"runtime"
	"strings"
)

// Report is what happened, and where, on one line.
type Report string

// mostCalls is how many calls that led to a panic are told.
const mostCalls = 24

// Told returns the report of what was recovered. A function that was deferred calls it, so
// that the calls that led to the panic still stand. Texts that somebody panicked with may
// hold a value of the data, and arguments of calls do: neither is told.
func Told(reason any) Report {
	if told, ok := reason.(Report); ok {
		return told // by the goroutine where it happened
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
