package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/views/draw"
)

// AsProgram runs the program in the place of the tests if a test started their binary as such.
var AsProgram = func() {}

var (
	// exampleOfManual is a block of commands, or a row of keys and what the screen shows after them.
	exampleOfManual = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$|^\\| ([^|\n]*`[^|\n]*) \\| ([^|\n]*) \\|$|^(\\| press \\|)")
	inBackquotes    = regexp.MustCompile("`([^`]+)`")
	inItalics       = regexp.MustCompile(`\*([^*]+)\*`)
)

// WalkPage carries out the examples of a page in the working folder, which has the demonstration file. Blocks of
// commands are run, but for those that open the screen. In a table with the heads "press" and "screen", each row presses the keys
// and types the texts that stand in backquotes; the screen must then show what stands in italics, and there must be files of the
// names in backquotes.
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
				scenario := surveyScenario() // and the other roles of the demonstration
				scenario.Numeric, scenario.Sensitive = []string{"income", "expend", "savings"}, []string{"health"}
				scenario.SameForHousehold = []string{"region", "urbrur"}
				d = start(t, Options{Demo: true, OpenDemo: opener("survey.csv", scenario)}, 120, 40)
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

// pressRow carries out a row of a table of keys.
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

// isKey reports whether a name is that of a key, with ctrl or shift or without.
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

// picture is a block of a page with lines of a golden frame: "```text recode-intervals-80x24 3-12".
var picture = regexp.MustCompile("(?ms)^```text (\\S+-\\d+x\\d+) (\\d+)-(\\d+)\n.*?^```$")

// The pictures of the manual are cut from golden frames.
func TestPicturesOfTheManual(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(here, "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, path := range pages {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page := strings.ReplaceAll(string(content), "\r\n", "\n")
		current := picture.ReplaceAllStringFunc(page, func(block string) string {
			seen++
			parts := picture.FindStringSubmatch(block)
			return fmt.Sprintf("```text %s %s-%s\n%s```", parts[1], parts[2], parts[3], cutGolden(t, parts[1], parts[2], parts[3]))
		})
		switch {
		case current == page:
		case *update:
			if err := os.WriteFile(path, []byte(current), 0o644); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s shows screens that are out of date: go test ./tui -run PicturesOfTheManual -update", filepath.Base(path))
		}
	}
	if seen == 0 {
		t.Error("no page has a picture")
	}
}

// cutGolden returns lines of a golden frame, counted from 1.
func cutGolden(t *testing.T, name, first, last string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(here, "testdata", "golden", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
	from, errFrom := strconv.Atoi(first)
	to, errTo := strconv.Atoi(last)
	if errFrom != nil || errTo != nil || from < 1 || to > len(lines) || from > to {
		t.Fatalf("%s has no lines %s to %s", name, first, last)
	}
	return strings.Join(lines[from-1:to], "\n") + "\n"
}
