package crash

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// reported returns the report of a panic.
func reported(panics func()) (report string) {
	defer func() { report = string(ReportOf(recover())) }()
	panics()
	return "no panic"
}

// Reports contain the place of a panic but nothing from the data: no argument, no number of an index, no text.
func TestReportsHoldNoValues(t *testing.T) {
	list, none := make([]int, 3), (*strings.Builder)(nil)
	for want, panics := range map[string]func(){
		"index out of range [####] with length #": func() { list[at(4711)]++ },
		"nil pointer dereference":                 func() { none.WriteString("Arden") },
		"a panic with a string":                   func() { panic("Arden") },
		"a panic with a *errors.errorString":      func() { panic(errors.New("Arden 4711")) },
		"a panic with a *fmt.wrapError":           func() { panic(fmt.Errorf("4711: %w", errors.ErrUnsupported)) },
	} {
		got := reported(panics)
		if !strings.Contains(got, want) || !strings.Contains(got, "crash.TestReportsHoldNoValues") ||
			!strings.Contains(got, "crash_test.go:") || strings.Contains(got, "\n") {
			t.Errorf("want %s: %s", want, got)
		}
		for _, secret := range []string{"Arden", "4711", "0x"} {
			if strings.Contains(got, secret) {
				t.Errorf("%s is told: %s", secret, got)
			}
		}
		if again := reported(func() { panic(Report(got)) }); again != got {
			t.Errorf("told by another goroutine: %s, want %s", again, got)
		}
	}
}

//go:noinline
func at(index int) int { return index }

// Calls names the calls of all goroutines without their arguments.
func TestCallsHaveNoArguments(t *testing.T) {
	all := strings.Join(Calls(), "\n")
	if !strings.Contains(all, "crash.TestCallsHaveNoArguments (crash_test.go:") || strings.Contains(all, "0x") {
		t.Errorf("calls:\n%s", all)
	}
}
