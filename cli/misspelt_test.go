package cli

import (
	"strings"
	"testing"
)

// A command that is misspelt is told the nearest one, with names behind it too.
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
