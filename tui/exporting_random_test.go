package tui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// exportKeys are the random key presses in the dialogs of an export. Those that continue are more frequent: the
// whole word, and the way to a finding and its fix, which single random keys would hardly ever produce. None of
// them leads out of the folder.
func exportKeys() (hands [][]string) {
	keys := slices.DeleteFunc(allKeys(), func(name string) bool { return name == "/" })
	for _, often := range []string{"enter", "enter", "down", "right", "up", "1", "backspace"} {
		keys = append(keys, slices.Repeat([]string{often}, 8)...)
	}
	for _, name := range keys {
		hands = append(hands, []string{name})
	}
	fix := append(slices.Repeat([]string{"down"}, 5), "1", "enter")
	return append(hands, slices.Repeat([][]string{{"y", "e", "s"}, fix}, 3)...)
}

// persons returns the text of a file whose first variable identifies persons.
func persons() string {
	text := "pid,hid,region,sex,age,income\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%d,r%d,%d,%d,%d\n", 1000+i, i/3, i%4, i%2, 20+i%30, 900+17*i)
	}
	return text
}

// exports counts what random key presses have written.
type exports struct{ clean, accepted int }

// look removes the files written by a key, and checks those with the identifier: they must have been accepted with
// the word.
func (e *exports) look(t *testing.T, agreed bool) {
	t.Helper()
	for path, text := range written(t) {
		header, _, _ := strings.Cut(text, "\n")
		// random IDs are not the original identifiers
		switch identified := strings.HasPrefix(header, "pid,") && strings.Contains(text, "\n1030,") && strings.Contains(text, "\n1059,"); {
		case identified && !agreed:
			t.Fatalf("%s was written with the identifier, and nobody typed yes", path)
		case identified:
			e.accepted++
		case strings.Contains(header, "hid,region,"):
			e.clean++
		}
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if err := os.RemoveAll(entry.Name()); err != nil {
			t.Fatal(err)
		}
	}
}

// Random keys in the dialogs of an export: no panic, no file outside the folder, and no critical finding is
// exported without the typed word.
func TestRandomKeysInExports(t *testing.T) {
	longtests.Needed(t)
	presses, most := 4_000, 160 // in total, and per session
	switch {
	case longtests.Wanted():
		presses = 20_000
	case testing.Short():
		presses = 2_000
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "sex", "age"}
	consented := regexp.MustCompile(`(?s)reason +\S.*accepted by +\S.*▸ type yes +yes `)
	random, keys := rand.New(rand.NewPCG(1, 2)), exportKeys()
	var d *driver
	var e exports
	for i := range presses {
		if i%most == 0 {
			if scenario.Remove = nil; i/most%2 == 1 {
				scenario.Remove = []string{"pid"} // no critical finding is left
			}
			size := frames[random.IntN(len(frames))]
			d = start(t, Options{Demo: true, OpenDemo: textOpener("persons.csv", persons(), scenario)}, size[0], size[1])
		}
		if d.m.dialog == nil {
			d.Press("e")
		}
		screen := d.Text()
		agreed := strings.Contains(screen, "Export with these findings?") && consented.MatchString(screen)
		d.Press(keys[random.IntN(len(keys))]...)
		if d.quit = false; d.m.page != nil {
			t.Fatalf("key %d leads to another page:\n%s", i, d.Text())
		}
		e.look(t, agreed)
	}
	outside, err := filepath.Glob("../*")
	if err != nil || len(outside) != 1 {
		t.Errorf("beside the folder there is %q, %v", outside, err)
	}
	if longtests.Wanted() && (e.clean == 0 || e.accepted == 0) {
		t.Errorf("%d files were written with what was accepted, and %d others", e.accepted, e.clean)
	}
	t.Logf("%d with what was accepted, %d others", e.accepted, e.clean)
}
