package cli

import (
	"strings"
	"testing"
)

// For a misspelt command the nearest one is suggested, even with further arguments.
func TestMisspeltCommands(t *testing.T) {
	for _, args := range [][]string{{"inspct"}, {"inspct", "x"}} {
		_, err := sdcdesk(args...)
		if err == nil || !strings.Contains(err.Error(), `did you mean "sdcdesk `+strings.Join(append([]string{"inspect"}, args[1:]...), " ")+`"?`) {
			t.Errorf("%v: %v", args, err)
		}
	}
	if _, err := sdcdesk("quite-another.csv"); err == nil || strings.Contains(err.Error(), "did you mean") {
		t.Error(err)
	}
}
