package panes

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
	"github.com/sdcdesk/sdcdesk/engine/whatif"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/pages"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
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
func framed(s views.State, p views.Pane, z viewtest.Size) string {
	return draw.Box(s.Theme, 1, p.TitleFor(s), p.View(s, z.Width-2, z.Height-2, true), z.Width, z.Height, true)
}

// Each pane in the original data, in the middle and at the end of three steps, at its sizes on small, medium and
// large screens.
func TestGoldenPanes(t *testing.T) {
	tests := []struct {
		pane  string
		sizes []viewtest.Size
	}{
		{"key-variables", []viewtest.Size{{Width: 20, Height: 5}, {Width: 48, Height: 13}, {Width: 80, Height: 13}}},
		{"frequencies", []viewtest.Size{{Width: 20, Height: 5}, {Width: 32, Height: 13}, {Width: 66, Height: 13}}},
		{"k-anonymity", []viewtest.Size{{Width: 20, Height: 5}, {Width: 40, Height: 13}, {Width: 66, Height: 18}}},
		{"records-at-risk", []viewtest.Size{{Width: 20, Height: 5}, {Width: 74, Height: 13}, {Width: 124, Height: 12}}},
		{"risk", []viewtest.Size{{Width: 20, Height: 5}, {Width: 46, Height: 15}, {Width: 76, Height: 20}}},
		{"steps", []viewtest.Size{{Width: 20, Height: 6}, {Width: 80, Height: 7}, {Width: 120, Height: 8}}},
		{"suppressions", []viewtest.Size{{Width: 20, Height: 6}, {Width: 36, Height: 18}, {Width: 80, Height: 16}}},
		{"data", []viewtest.Size{{Width: 20, Height: 6}, {Width: 80, Height: 14}, {Width: 140, Height: 14}}},
		{"risk-distribution", []viewtest.Size{{Width: 20, Height: 6}, {Width: 68, Height: 19}, {Width: 100, Height: 24}}},
		{"record", []viewtest.Size{{Width: 20, Height: 6}, {Width: 80, Height: 24}, {Width: 120, Height: 26}}},
	}
	for _, test := range tests {
		t.Run(test.pane, func(t *testing.T) {
			var all strings.Builder
			for _, position := range []int{0, 2, 3} {
				s, p := viewtest.SurveyAt(t, position), newPane(test.pane)
				sought := test.pane == "record" || test.pane == "risk-distribution"
				if sought {
					viewtest.SeekAll(t, p, s)
				}
				for _, z := range test.sizes {
					if !sought {
						p = newPane(test.pane)
					}
					fmt.Fprintf(&all, "after %d of 3 steps, %d×%d\n%s\n\n", position, z.Width, z.Height,
						viewtest.Styles.ReplaceAllString(framed(s, p, z), ""))
				}
			}
			golden(t, test.pane, all.String())
		})
	}
}

// newPane returns a new pane with an ID.
func newPane(id string) views.Pane {
	for _, p := range append(All(), pages.NewRecord(319)) {
		if p.ID() == id {
			return p
		}
	}
	panic("no pane " + id)
}

func TestGoldenWhatIf(t *testing.T) {
	v, err := viewtest.Survey()
	if err != nil {
		t.Fatal(err)
	}
	bound := 129
	s := v.At(0, draw.NewTheme(true, false))
	w := views.WhatIf{NeedK: 3,
		Answer: whatif.Answer{WhatIf: &whatif.Result{Figures: v.States[2].Figures, Elapsed: 4 * time.Millisecond},
			Need: &method.Suppression{Total: 131, Bound: &bound, Cells: method.Counts{{Name: "region", Count: 22}, {Name: "sex"},
				{Name: "age", Count: 97}, {Name: "educ", Count: 12}}}}}
	var all strings.Builder
	for _, z := range []viewtest.Size{{Width: 44, Height: 18}, {Width: 38, Height: 12}, {Width: 78, Height: 3}} {
		for _, pending := range []bool{false, true} {
			w.Pending = pending
			fmt.Fprintf(&all, "%d×%d, pending %v\n%s\n\n", z.Width, z.Height, pending,
				viewtest.Styles.ReplaceAllString(views.WhatIfBlock(s, w, z.Width, z.Height), ""))
		}
	}
	all.WriteString("risk lines\n")
	for _, width := range []int{80, 50, 34, 26, 20} {
		all.WriteString(viewtest.Styles.ReplaceAllString(views.RiskLine(s, width), "") + "|\n")
	}
	s.Stale = true
	all.WriteString(viewtest.Styles.ReplaceAllString(views.RiskLine(s, 80), "") + "|\n")
	golden(t, "what-if", all.String())
}

// One frame in the colours of each theme.
func TestGoldenThemes(t *testing.T) {
	v, err := viewtest.Survey()
	if err != nil {
		t.Fatal(err)
	}
	for name, theme := range map[string]*draw.Theme{"dark": draw.NewTheme(true, true), "light": draw.NewTheme(false, true),
		"none": draw.NewTheme(true, false)} {
		s := v.At(3, theme)
		var all strings.Builder
		for _, id := range []string{"key-variables", "frequencies", "k-anonymity", "steps"} {
			all.WriteString(framed(s, newPane(id), viewtest.Size{Width: 80, Height: 12}) + "\n")
		}
		golden(t, "theme-"+name, all.String())
	}
}

// While figures are being recomputed, every pane with figures is marked.
func TestStaleFiguresAreMarked(t *testing.T) {
	s := viewtest.SurveyAt(t, 2)
	s.Stale = true
	for _, id := range []string{"key-variables", "frequencies", "k-anonymity", "records-at-risk", "risk"} {
		if frame := newPane(id).View(s, 60, 14, true); !strings.Contains(frame, draw.StaleMark) {
			t.Errorf("%s does not mark stale figures:\n%s", id, frame)
		}
	}
}
