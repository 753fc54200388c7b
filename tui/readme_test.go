package tui_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/cli"
	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/tui"
)

// What README says of five minutes with the demonstration file happens, key by key, and the command
// lines under it work as they stand there on what the walk has written.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	survey, err := os.ReadFile(filepath.Join("..", "testdata", "survey.csv"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("survey.csv", survey, 0o600); err != nil {
		t.Fatal(err)
	}
	tui.WalkREADME(t, string(readme))
	_, block, _ := strings.Cut(string(readme), "The same without a terminal:\n\n```\n")
	block, _, _ = strings.Cut(block, "```")
	// What needs a terminal or a file of candidates, and plans, which take long.
	skipped := map[string]bool{"learn": true, "try": true, "plan": true}
	for line := range strings.Lines(block) {
		if !longtests.Wanted() { // package cli has each command
			break
		}
		line, _, _ = strings.Cut(line, "  ")
		args := strings.Fields(line)
		if len(args) == 0 { // what the line before does
			continue
		}
		if args = args[1:]; skipped[args[0]] {
			continue
		}
		var out, errs bytes.Buffer
		if status := cli.Main(args, &out, &errs, cli.Examples{}); status != 0 {
			t.Errorf("%s: exit status %d\n%s%s", line, status, out.String(), errs.String())
		}
	}
}
