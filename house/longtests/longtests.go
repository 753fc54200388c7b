// Package longtests controls how much tests do: a short version that runs while code is changed or, if
// SDCDESK_LONG_TESTS is set, everything. Main keeps what tests write in temporary folders. Only tests may import
// it.
package longtests

import (
	"flag"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	_ "pgregory.net/rapid" // has the flag
)

// Wanted reports whether long tests run.
func Wanted() bool { return os.Getenv("SDCDESK_LONG_TESTS") != "" }

// Needed skips a test that takes long, unless long tests run.
func Needed(tb testing.TB) {
	tb.Helper()
	if !Wanted() {
		tb.Skip("takes long: runs where SDCDESK_LONG_TESTS is set")
	}
}

// Some reports whether to run a case of a test with many cases: all if long tests run, otherwise one of every of
// cases.
func Some(number, of int) bool { return Wanted() || number%of == 0 }

// Tests leave much to collect and keep little. Benchmarks collect it as often as the program.
func init() {
	const seldom = 400
	if !slices.ContainsFunc(os.Args, func(option string) bool { return strings.HasPrefix(option, "-test.bench=") }) {
		debug.SetGCPercent(seldom)
	}
}

// Properties are tried on a few draws, always the same; if long tests run, on more and different ones. Failures
// write no file into the source tree. The command line can ask for more draws.
func init() {
	set("rapid.nofailfile", "true")
	if !Wanted() {
		set("rapid.checks", "25")
		set("rapid.seed", "1")
	}
}

func set(option, value string) {
	if err := flag.Set(option, value); err != nil {
		panic(err)
	}
}
