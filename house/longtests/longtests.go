// Package longtests says how much tests do: as much as somebody who changes a line waits for, or all of it, where
// SDCDESK_LONG_TESTS is set. It also keeps what they write in temporary folders. No other code may import it.
package longtests

import (
	"flag"
	"os"
	"testing"

	_ "pgregory.net/rapid" // has the flag
)

// Wanted reports whether all is tested.
func Wanted() bool { return os.Getenv("SDCDESK_LONG_TESTS") != "" }

// Needed skips a test that takes long.
func Needed(tb testing.TB) {
	tb.Helper()
	if !Wanted() {
		tb.Skip("takes long: runs where SDCDESK_LONG_TESTS is set")
	}
}

// Some reports whether a case of a test that has many of them is tested: all are where that is wanted, else one of so
// many.
func Some(number, of int) bool { return Wanted() || number%of == 0 }

// Properties are tried on a few draws, always the same; on more of them, other ones every time, where all is tested.
// They leave no file in the source tree where one fails. The command line may ask for more.
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
