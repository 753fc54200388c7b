package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// passage is a part of README's walk: its keys, those that stand in backquotes, are pressed
// one after the other, and then the screen is looked at.
type passage struct {
	text   string
	does   func(d *driver, keys []string) // nil: the keys are pressed
	screen []string
}

var backquoted = regexp.MustCompile("`([^`]+)`")

// keys are the keys that a passage names.
func (p *passage) keys() (keys []string) {
	for _, found := range backquoted.FindAllStringSubmatch(p.text, -1) {
		name := found[1]
		if len([]rune(name)) == 1 || name == "enter" || name == "right" || name == "down" {
			keys = append(keys, name)
		}
	}
	return keys
}

// walk are the passages of README's walk, in order.
func walk() []passage {
	nothing := func(*driver, []string) {}
	return []passage{
		{text: "1. The first page shows how the file will be read.", screen: []string{"delimiter", "comma"}},
		{text: "`enter` reads it."},
		{text: "2. The page Variables shows what each variable is.", screen: []string{"Variables", "suggested"}},
		{text: "`a` takes the suggested roles;", screen: []string{"weight", "household", "KEY"}},
		{text: "`k` makes the variable under the cursor a key variable, one that a neighbour may know.",
			does: func(d *driver, keys []string) { d.Press("down").Press(keys...).Press(keys...) }}, // and not again
		{text: "`enter` opens the workbench."},
		{text: "3. The pane k-anonymity counts the violators, records that share their key pattern with too few others. " +
			"With the suggested roles 4,701 of 5,000 records violate k = 3.", screen: []string{"3 k-anonymity", "violators",
			"5,000 records", "4,701"}},
		{text: "`3` selects the pane, and `i` explains its figures with worked examples.",
			screen: []string{"Violators of 3-anonymity", "4,445 + 256 = 4,701"}},
		{text: "4. `1` selects the key variables.", does: func(d *driver, keys []string) { d.Press("esc").Press(keys...) },
			screen: []string{"▸region"}},
		{text: "Select age with `down` and press `r`: while you move a break, the figures show what they would be after the recode.",
			does: func(d *driver, keys []string) {
				for range 3 {
					d.Press(keys[0])
				}
				d.Press(keys[1]).Dialog().Contains("Recode age", "4,119")
				d.Press("right")
			}, screen: []string{"would be", "4,124"}},
		{text: "`enter` applies it,", screen: []string{"▸ 1 intervals age", "94 levels become 10"}},
		{text: "`u` undoes it.", screen: []string{"▸   original data"}},
		{text: "5. `K` shows how many cells local suppression needs for k = 3, and the lower bound that no method can beat.",
			screen: []string{"9,991 cells", "no method can do with fewer than 9,270"}},
		{text: "`enter` applies it.", screen: []string{" 1 k-anonymity k=3", "9,991 cells suppressed"}},
		{text: "6. `e` runs the pre-release checks and offers fixes for the first critical finding; the arrows select another one.",
			screen: []string{"✗ Original household IDs", "1  random IDs for hid at export"}},
		{text: "`1` replaces the household IDs with random IDs.", screen: []string{"new identifiers  hid"}},
		{text: "A second critical finding says that members of a household still reveal suppressed cells, so that k = 3 does not hold;",
			screen: []string{"1 critical", "✗ k-anonymity that no longer holds"}},
		{text: "`1` suppresses them in whole households.", screen: []string{"0 critical"}},
		{text: "`enter` writes `survey-protected.csv`.", screen: []string{"protected file written to", "5,000 records"}},
		{text: "7. `e` opens the dialog with the options as they were.", screen: []string{"0 critical"}},
		{text: "`right` leads to the release, a folder with the file and both reports that `sdcdesk verify` repeats byte for byte;",
			screen: []string{"◂ release ▸"}},
		{text: "`enter` writes `survey-release`.", screen: []string{"released with both reports: 5,000 records"}},
		{text: "`e` `right` `right` `enter` writes the steps as the script `survey-steps.jsonl`.", screen: []string{"script written"}},
		{text: "Before the first step, `e` says that no protection has been applied, and the file is called `survey-copy.csv`.",
			does: func(d *driver, keys []string) {
				d.Press("u", "u", "u").Press(keys...).chooseExport("file without protection")
			},
			screen: []string{"Export: no protection has been applied", "survey-copy.csv"}},
		{text: "`?` lists the keys of the current pane,", does: func(d *driver, keys []string) { d.Press("esc").Press(keys...) },
			screen: []string{"Keys"}},
		{text: "`:` finds every command and method by name, and", does: func(d *driver, keys []string) { d.Press("esc").Press(keys...) },
			screen: []string{"esc"}},
		{text: "`q` quits.", does: func(d *driver, keys []string) {
			if d.Press("esc").Press(keys...); !d.quit {
				d.Errorf("the program goes on:\n%s", d.Text())
			}
		}},
		{text: "Open the file again to resume the session.", does: nothing},
	}
}

// WalkREADME does what README's walk says, in a folder with the survey; what it writes stays there.
func WalkREADME(t *testing.T, readme string) {
	_, rest, _ := strings.Cut(readme, "go run . testdata/survey.csv\n```")
	rest, _, ok := strings.Cut(rest, "The same without a terminal:")
	if !ok {
		t.Fatal("README has no walk")
	}
	rest = strings.Join(strings.Fields(rest), " ")
	d := start(t, Options{Path: filepath.Join(mustGetwd(t), "survey.csv")}, 120, 40)
	for _, p := range walk() {
		var found bool
		if rest, found = strings.CutPrefix(rest, p.text); !found {
			t.Fatalf("README goes on with %.80q, and the walk of this test with %q", rest, p.text)
		}
		rest = strings.TrimSpace(rest)
		if p.does != nil {
			p.does(d, p.keys())
		} else {
			d.Press(p.keys()...)
		}
		if len(p.screen) > 0 {
			d.Screen().Contains(p.screen...)
		}
		if t.Failed() {
			t.Fatalf("after %q", p.text)
		}
		for _, found := range backquoted.FindAllStringSubmatch(p.text, -1) {
			if name := found[1]; strings.HasPrefix(name, "survey-") && name != "survey-copy.csv" {
				if _, err := os.Stat(name); err != nil {
					t.Errorf("after %q: %v", p.text, err)
				}
			}
		}
	}
	if rest != "" {
		t.Errorf("nothing is done for README's %q", rest)
	}
	start(t, Options{Path: filepath.Join(mustGetwd(t), "survey.csv")}, 120, 40).Screen().Contains("Continue?")
}

func mustGetwd(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return folder
}
