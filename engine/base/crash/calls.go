package crash

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Calls returns the stacks of all goroutines, one per line, without arguments, which may be values of the data.
func Calls() (lines []string) {
	records := make([]runtime.StackRecord, runtime.NumGoroutine()+16)
	n, _ := runtime.GoroutineProfile(records)
	for i := range records[:min(n, len(records))] {
		lines = append(lines, places(records[i].Stack()))
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// places formats the calls of a stack, innermost first.
func places(counters []uintptr) string {
	var calls []string
	frames := runtime.CallersFrames(counters)
	for more := len(counters) > 0; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		calls = append(calls, fmt.Sprintf("%s (%s:%d)", frame.Function, filepath.Base(frame.File), frame.Line))
	}
	return strings.Join(calls, ", from ")
}
