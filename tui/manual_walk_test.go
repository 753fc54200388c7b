package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// AsProgram runs the program instead of the tests if a test started their binary for that.
var AsProgram = func() {}

var (
	// exampleOfManual matches a block of commands, or a row of keys with the resulting screen.
	exampleOfManual = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$|^\\| ([^|\n]*`[^|\n]*) \\| ([^|\n]*) \\|$|^(\\| press \\|)")
	inBackquotes    = regexp.MustCompile("`([^`]+)`")
	inItalics       = regexp.MustCompile(`\*([^*]+)\*`)
)

// WalkPage runs the examples of a page in the working folder, which has the demonstration file. It runs blocks of
// commands, except those that open the screen. In a table with the heads "press" and "screen", each row presses
// the keys and types the texts in backquotes; the screen must then show the texts in italics, and files with the
// names in backquotes must exist.
func WalkPage(t *testing.T, page string, run func(block string)) {
	t.Helper()
	var d *driver
	table := false
	for _, part := range strings.SplitAfter(page, "\n\n") {
		if table = strings.Contains(part, "| press | screen |"); table && d == nil {
			t.Fatalf("no command opens the screen before\n%s", part)
		}
		for _, found := range exampleOfManual.FindAllStringSubmatch(part, -1) {
			switch block := found[1]; {
			case block == "sdcdesk demo\n":
				d = start(t, Options{Demo: true, OpenDemo: opener("survey.csv", demonstrationScenario())}, 120, 40)
			case block == "sdcdesk survey.csv\n":
				d = start(t, Options{Path: filepath.Join(mustGetwd(t), "survey.csv")}, 120, 40)
			case block != "":
				run(block)
			case table && found[2] != "":
				d.pressRow(found[2], found[3])
			}
			if t.Failed() {
				t.Fatalf("at\n%s", found[0])
			}
		}
	}
}

// pressRow runs a row of a table of keys.
func (d *driver) pressRow(keys, shown string) {
	d.Helper()
	for _, quoted := range inBackquotes.FindAllStringSubmatch(keys, -1) {
		if name := quoted[1]; len([]rune(name)) == 1 || isKey(name) {
			d.Press(name)
		} else {
			d.Type(name)
		}
	}
	for _, text := range inItalics.FindAllStringSubmatch(shown, -1) {
		d.Screen().Contains(text[1])
	}
	for _, file := range inBackquotes.FindAllStringSubmatch(shown, -1) {
		if _, err := os.Stat(file[1]); err != nil && strings.ContainsAny(file[1], "-.") {
			d.Error(err)
		}
	}
}

// isKey reports whether a name is that of a key, with or without ctrl or shift.
func isKey(name string) bool {
	for _, prefix := range []string{"", "ctrl+", "shift+", "alt+"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && (draw.NamedKeys[rest] != 0 || prefix != "" && len(rest) == 1) {
			return true
		}
	}
	return false
}

func mustGetwd(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// demonstrationScenario is the scenario with which "sdcdesk demo" opens.
func demonstrationScenario() microdata.Scenario {
	scenario := surveyScenario()
	scenario.Numeric, scenario.Sensitive = []string{"income", "expend", "savings"}, []string{"health"}
	scenario.SameForHousehold = []string{"region", "urbrur"}
	return scenario
}
