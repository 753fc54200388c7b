// Package crash tells of a panic without anything that the data hold: what the system said
// of it, its numbers left out, and where it happened.
package crash

import (
	"fmt"
	"path/filepath"
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
	var places []string
	counters := make([]uintptr, mostCalls)
	frames := runtime.CallersFrames(counters[:runtime.Callers(3, counters)])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		places = append(places, fmt.Sprintf("%s (%s:%d)", frame.Function, filepath.Base(frame.File), frame.Line))
	}
	return Report(what + ", in " + strings.Join(places, ", from "))
}
