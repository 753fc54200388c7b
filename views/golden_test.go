package views

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

var update = flag.Bool("update", false, "write the golden frames anew")

// golden compares a text with the file of that name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with -update and read it", err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("%s differs from the golden frame (-want +got):\n%s", name, diff)
	}
}

// framed draws a pane in its frame, without colour.
func framed(s State, p Pane, z size) string {
	return Box(s.Theme, 1, p.TitleFor(s), p.View(s, z.width-2, z.height-2, true), z.width, z.height, true)
}

// Each pane in the original data, in the middle and at the end of three steps,
// at the sizes that it has on small, middle and large screens.
func TestGoldenPanes(t *testing.T) {
	tests := []struct {
		pane  string
		sizes []size
	}{
		{"key-variables", []size{{20, 5}, {48, 13}, {80, 13}}},
		{"frequencies", []size{{20, 5}, {32, 13}, {66, 13}}},
		{"k-anonymity", []size{{20, 5}, {40, 13}, {66, 18}}},
		{"records-at-risk", []size{{20, 5}, {74, 13}, {124, 12}}},
		{"risk", []size{{20, 5}, {46, 15}, {76, 20}}},
		{"steps", []size{{20, 6}, {80, 7}, {120, 8}}},
		{"suppressions", []size{{20, 6}, {36, 18}, {80, 16}}},
		{"data", []size{{20, 6}, {80, 14}, {140, 14}}},
		{"risk-distribution", []size{{20, 6}, {68, 19}, {100, 24}}},
		{"record", []size{{20, 6}, {80, 24}, {120, 26}}},
	}
	for _, test := range tests {
		t.Run(test.pane, func(t *testing.T) {
			var all strings.Builder
			for _, position := range []int{0, 2, 3} {
				s, p := surveyAt(t, position), newPane(test.pane)
				sought := test.pane == "record" || test.pane == "risk-distribution"
				if sought {
					seekAll(t, p, s)
				}
				for _, z := range test.sizes {
					if !sought {
						p = newPane(test.pane)
					}
					fmt.Fprintf(&all, "after %d of 3 steps, %d×%d\n%s\n\n", position, z.width, z.height, styles.ReplaceAllString(framed(s, p, z), ""))
				}
			}
			golden(t, test.pane, all.String())
		})
	}
}

// newPane returns a new pane of an id.
func newPane(id string) Pane {
	for _, p := range append(All(), NewRecord(319)) {
		if p.ID() == id {
			return p
		}
	}
	panic("no pane " + id)
}

func TestGoldenWhatIf(t *testing.T) {
	v, err := survey()
	if err != nil {
		t.Fatal(err)
	}
	bound := 129
	s := v.at(0, NewTheme(true, false))
	w := WhatIfFigures{After: v.states[2].Figures, NeedK: 3, Elapsed: 4 * time.Millisecond,
		Need: &method.Suppression{Total: 131, Bound: &bound, Cells: method.Counts{{Name: "region", Count: 22}, {Name: "sex"}, {Name: "age", Count: 97}, {Name: "educ", Count: 12}}}}
	var all strings.Builder
	for _, z := range []size{{44, 18}, {38, 12}, {78, 3}} {
		for _, pending := range []bool{false, true} {
			w.Pending, w.NeedOld = pending, pending
			fmt.Fprintf(&all, "%d×%d, pending %v\n%s\n\n", z.width, z.height, pending, styles.ReplaceAllString(WhatIfBlock(s, w, z.width, z.height), ""))
		}
	}
	all.WriteString("risk lines\n")
	for _, width := range []int{80, 50, 34, 26, 20} {
		all.WriteString(styles.ReplaceAllString(RiskLine(s, width), "") + "|\n")
	}
	s.Stale = true
	all.WriteString(styles.ReplaceAllString(RiskLine(s, 80), "") + "|\n")
	golden(t, "what-if", all.String())
}

// One frame in the colours of each theme.
func TestGoldenThemes(t *testing.T) {
	v, err := survey()
	if err != nil {
		t.Fatal(err)
	}
	for name, theme := range map[string]*Theme{"dark": NewTheme(true, true), "light": NewTheme(false, true), "none": NewTheme(true, false)} {
		s := v.at(3, theme)
		var all strings.Builder
		for _, id := range []string{"key-variables", "frequencies", "k-anonymity", "steps"} {
			all.WriteString(framed(s, newPane(id), size{80, 12}) + "\n")
		}
		golden(t, "theme-"+name, all.String())
	}
}

// While figures are being recalculated every pane that shows some says so.
func TestStaleFiguresAreMarked(t *testing.T) {
	s := surveyAt(t, 2)
	s.Stale = true
	for _, id := range []string{"key-variables", "frequencies", "k-anonymity", "records-at-risk", "risk"} {
		if frame := newPane(id).View(s, 60, 14, true); !strings.Contains(frame, StaleMark) {
			t.Errorf("%s does not mark stale figures:\n%s", id, frame)
		}
	}
}
