package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/session"
)

var update = flag.Bool("update", false, "write the golden frames anew; read them before they are kept")

// golden compares a text with testdata/golden/NAME.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(here, "testdata", "golden", name)
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
		t.Fatalf("%v; write it with: go test ./tui -run %s -update", err, t.Name())
	}
	if difference := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); difference != "" {
		t.Errorf("%s is not as it was (-want +got):\n%s", name, difference)
	}
}

// still removes times from the frame.
func (d *driver) still() *driver {
	if whatIf := d.m.asking.answer.WhatIf; whatIf != nil {
		whatIf.Elapsed = 4 * time.Millisecond
	}
	if d.m.bench != nil {
		for i := range d.m.bench.tree {
			d.m.bench.tree[i].At = d.now.Add(time.Duration(i-1) * time.Minute)
		}
	}
	return d
}

// plain returns the screen without colours and trailing spaces.
func (d *driver) plain() string {
	lines := strings.Split(d.Text(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// rooms are the places with golden frames, by the keys that lead there.
var rooms = []struct {
	name string
	keys []string
}{
	{"overview", nil},
	{"keys", []string{"]"}},
	{"numeric", []string{"]", "]", "]"}},
	{"numeric-masked", []string{":", "m", "i", "c", "r", "o", "a", "g", "enter", "enter", "]", "]", "]", "3", "x"}},
	{"risk", []string{"]", "]", "]", "]", "3", "enter", "4", "enter", "enter", "1", "right"}},
	{"data", []string{"[", "[", "down", "right"}},
	{"tables", slices.Concat([]string{"[", "a", "ctrl+u"}, strings.Split("ethnic,educ", ""), []string{"enter", "down", "right", "right"})},
	{"recode-intervals", []string{"1", "down", "down", "down", "r"}},
	{"recode-groups", []string{"1", "r", "down", "space", "down", "space"}},
	{"suggestions", []string{"S"}},
	{"plans", []string{"p", "down", "down", "down"}},
	{"hierarchy", []string{"1", "r", "H"}},
	{"k-anonymity", []string{"K"}},
	{"export", []string{"e"}},
	{"variables", []string{"v"}},
	{"records", []string{"2", "down", "enter"}},
	{"record", []string{"4", "enter"}},
	{"explain", []string{"5", "i"}},
	{"inspector", []string{"1", "down", "down", "down", "I"}},
	{"palette", []string{":", "z", "o"}},
	{"help", []string{"?"}},
	{"help-searched", []string{"?", "/", "g", "e", "n", "e", "r", "a", "l"}},
}

// frames are the sizes of golden frames.
var frames = [][2]int{{60, 15}, {80, 24}, {120, 40}, {200, 60}}

func TestGoldenFrames(t *testing.T) {
	t.Chdir(t.TempDir())
	for i, size := range frames {
		for j, room := range rooms {
			if !longtests.Some(i+j, len(frames)) {
				continue
			}
			name := fmt.Sprintf("%s-%dx%d.txt", room.name, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				d := demonstration(t, size[0], size[1]).Press(room.keys...).still()
				golden(t, name, d.plain())
			})
		}
	}
}

// A session with steps, one of them undone.
func TestGoldenSteps(t *testing.T) {
	for i, size := range frames {
		if !longtests.Some(i, 2) {
			continue
		}
		d := recodeAge(demonstration(t, size[0], size[1])).Press("1", "g", "r", "down", "space", "down", "space", "m", "esc", "K",
			"enter", "u", "6").still()
		golden(t, fmt.Sprintf("steps-%dx%d.txt", size[0], size[1]), d.plain())
	}
}

func TestGoldenStart(t *testing.T) {
	at := time.Date(2024, 5, 4, 9, 30, 0, 0, time.UTC)
	recent := func(*session.MethodSource) ([]session.JournalInfo, error) {
		return []session.JournalInfo{
			{Path: "/state/a.jsonl", Identity: session.Identity{Path: "/data/survey.csv"}, Steps: make([]session.Step, 3),
				Position: 3, Modified: at},
			{Path: "/state/b.jsonl", Identity: session.Identity{Path: "/data/census.csv"}, Steps: make([]session.Step, 5),
				Position: 2, Modified: at, Changed: true},
		}, nil
	}
	for _, size := range [][2]int{{20, 5}, {60, 15}, {80, 24}, {120, 40}} {
		golden(t, fmt.Sprintf("start-%dx%d.txt", size[0], size[1]),
			start(t, Options{Recent: recent}, size[0], size[1]).plain())
		golden(t, fmt.Sprintf("import-%dx%d.txt", size[0], size[1]),
			start(t, Options{Path: testFile("survey.csv")}, size[0], size[1]).plain())
	}
}

// One frame in colour per theme.
func TestGoldenColours(t *testing.T) {
	for _, theme := range []string{"dark", "light", "none"} {
		d := start(t, Options{Demo: true, OpenDemo: opener("survey.csv", surveyScenario()), Theme: theme}, 120, 40)
		recodeAge(d).still()
		golden(t, "colours-"+theme+".ans", d.frame()+"\n")
	}
}
