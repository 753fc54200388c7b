package tui

import (
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// allKeys are the keys of random presses.
func allKeys() []string {
	names := strings.Split("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/:?[]+-.,;<>'é漢", "")
	for name := range draw.NamedKeys {
		names = append(names, name)
	}
	slices.Sort(names)
	return append(names, "shift+tab", "ctrl+r", "shift+up", "shift+down", "shift+left", "shift+right", "alt+1", "alt+2",
		"alt+3", "ctrl+a", "enter", "esc", "down", "tab")
}

// someKeys are every fifth key, or all in long tests.
func someKeys() []string {
	all := allKeys()
	if longtests.Wanted() {
		return all
	}
	var some []string
	for i := 0; i < len(all); i += 5 {
		some = append(some, all[i])
	}
	return some
}

// pressing presses a key, except keys that would quit the program or write a file to a random path.
func (d *driver) pressing(name string) {
	d.Helper()
	if dialog := d.m.dialog; dialog != nil && name == "enter" &&
		(strings.HasPrefix(dialog.Title(), "Export") || strings.HasPrefix(dialog.Title(), "Write ")) {
		return
	}
	d.Send(draw.Press(name))
	if d.quit {
		d.quit = false
	}
}

// Any sequence of keys on any size of screen draws exactly the screen and never panics; the driver checks every
// frame.
func TestRandomKeysOnAnySize(t *testing.T) {
	names := allKeys()
	rapid.Check(t, func(r *rapid.T) {
		width, height := rapid.IntRange(1, 220).Draw(r, "width"), rapid.IntRange(1, 70).Draw(r, "height")
		d := guide(t, width, height)
		for range rapid.IntRange(0, 40).Draw(r, "keys") {
			d.pressing(rapid.SampledFrom(names).Draw(r, "key"))
			if rapid.IntRange(0, 20).Draw(r, "resize") == 0 {
				d.Resize(rapid.IntRange(1, 220).Draw(r, "width"), rapid.IntRange(1, 70).Draw(r, "height"))
			}
		}
	})
}

// Every page, pane and dialog fills any size of screen exactly.
func TestEveryRoomFitsAnySize(t *testing.T) {
	rooms := map[string][]string{
		"workbench": nil, "zoom": {"z"}, "keys": {"]"}, "data": {"[", "[", "down"}, "tables": {"[", "a", "enter", "down"}, "palette": {":"}, "help": {"?"},
		"explain":       {"i"},
		"recode groups": {"1", "r", "space", "down", "space"}, "recode intervals": {"1", "down", "down", "down", "r", "right",
			"a"},
		"k-anonymity": {"K"}, "suppress above": {"R"}, "export": {"e"}, "variables": {"v"}, "records": {"2", "enter"},
		"record":   {"4", "enter"},
		"variable": {"1", "enter"}, "cross table": {"1", "enter", "x", "enter"}, "variables help": {"v", "?"},
		"filter": {"2", "/", "a"}, "suggestions": {"S"}, "hierarchy": {"1", "r", "H"}, "recode file": {"1", "r", "o", "x"},
		"top coding": {"1", "down", "down", "down", "T"},
	}
	for name, keys := range rooms {
		t.Run(name, func(t *testing.T) {
			d := surveyOf(t, 120, 40).Press(keys...)
			rapid.Check(t, func(r *rapid.T) {
				d.Resize(rapid.IntRange(1, 250).Draw(r, "width"), rapid.IntRange(1, 80).Draw(r, "height"))
			})
		})
	}
}

func FuzzKeys(f *testing.F) {
	f.Add("K\r", uint8(80), uint8(24))
	f.Add("1jjjr4 14 24\r", uint8(120), uint8(40))
	f.Add("2jr m\x1buU", uint8(20), uint8(5))
	f.Add("e\x1bv\x1b:the\r?\x1bi\t\x1b", uint8(100), uint8(30))
	f.Fuzz(func(t *testing.T, keys string, width, height uint8) {
		d := guide(t, max(1, int(width)), max(1, int(height)))
		for _, r := range keys[:min(len(keys), 40)] {
			switch r {
			case '\r', '\n':
				d.pressing("enter")
			case 0x1b:
				d.pressing("esc")
			case '\t':
				d.pressing("tab")
			default:
				if r >= ' ' && r != 0x7f {
					d.pressing(string(r))
				}
			}
		}
	})
}

// focuses returns the keys that lead to every place with its own keys, in a small file.
func focuses() map[string][]string {
	places := map[string][]string{"records": {"2", "enter"}, "record": {"4", "enter"}, "variable": {"1", "enter"},
		"extremes": {"1", "enter", "t"}, "cross table": {"1", "enter", "t", "t"}}
	for tab := range tabCount {
		for number, pane := range tabs[tab].panes {
			places[tabs[tab].name+" "+pane] = append(slices.Repeat([]string{"]"}, int(tab)), string(rune('1'+number)))
		}
	}
	return places
}

// No key has two meanings in one place: two commands, or a command and an action of the pane.
func TestNoKeyMeansTwoThings(t *testing.T) {
	for place, keys := range focuses() {
		d := guide(t, 120, 40).Press(keys...)
		owners := map[string]string{"esc": "leave"}
		own := func(b key.Binding, what string) {
			for _, name := range b.Keys() {
				if other, taken := owners[name]; taken && name != "esc" {
					t.Errorf("%s: the key %s means %q and %q", place, name, other, what)
				}
				owners[name] = what
			}
		}
		for _, c := range d.m.commands() {
			own(c.binding, c.name)
		}
		for _, b := range d.m.focused().Keys() {
			own(b, d.m.focused().ID()+": "+b.Help().Desc)
		}
	}
}

// Panes and pages use exactly the keys that they declare.
func TestPanesDeclareTheirKeys(t *testing.T) {
	for place, keys := range focuses() {
		d := guide(t, 120, 40).Press(keys...)
		declared := map[string]bool{}
		for _, b := range d.m.focused().Keys() {
			for _, name := range b.Keys() {
				declared[name] = true
			}
		}
		for _, c := range d.m.commands() {
			for _, name := range c.binding.Keys() {
				declared[name] = true
			}
		}
		for _, name := range someKeys() {
			if declared[name] || name == "esc" {
				continue
			}
			if action := d.m.focused().HandleKey(draw.Press(name), d.m.state()); action != nil {
				t.Errorf("%s obeys %q with %#v and does not declare it", place, name, action)
			}
		}
	}
}

// Keys of pages and dialogs do not collide with each other or with global keys.
func TestNoKeyOfAPageMeansTwoThings(t *testing.T) {
	check := func(place string, bindings []key.Binding) {
		owners := map[string]string{}
		for _, b := range bindings {
			for _, name := range b.Keys() {
				if other, taken := owners[name]; taken {
					t.Errorf("%s: the key %s means %q and %q", place, name, other, b.Help().Desc)
				}
				owners[name] = b.Help().Desc
			}
		}
	}
	d := surveyOf(t, 120, 40).Press("v")
	var anywhere []key.Binding
	for _, c := range d.m.commands() {
		if c.anywhere {
			anywhere = append(anywhere, c.binding)
		}
	}
	check("variables", slices.Concat(d.m.page.Keys(), anywhere))
	d = start(t, Options{}, 120, 40)
	check("start", slices.Concat(d.m.page.Keys(), anywhere))
	d = start(t, Options{Path: testFile("survey.csv")}, 120, 40)
	check("import", slices.Concat(d.m.page.Keys(), anywhere))
	for name, keys := range map[string][]string{"recode groups": {"r"},
		"recode intervals": {"1", "down", "down", "down", "r"},
		"k-anonymity":      {"K"}, "export": {"e"}, "suppress above": {"R"}, "palette": {":"}, "help": {"?"},
		"explain": {"i"}} {
		d := surveyOf(t, 120, 40).Press(keys...)
		if d.m.dialog == nil {
			t.Errorf("no dialog opens for %s", name)
			continue
		}
		check(name, d.m.dialog.Keys())
	}
}

// A key whose command cannot be used is not shown.
func TestBottomLineShowsWhatCanBeUsed(t *testing.T) {
	for place, keys := range focuses() {
		d := guide(t, 120, 40).Press(keys...)
		shown, always := d.m.shownKeys()
		for _, b := range slices.Concat(shown, always) {
			for _, c := range d.m.commands() {
				if c.binding.Help() == b.Help() && c.why(d.m) != "" {
					t.Errorf("%s shows %s, which cannot be used: %s", place, b.Help().Key, c.why(d.m))
				}
			}
		}
	}
	d := surveyOf(t, 200, 40)
	d.Screen().Lacks("u undo", "redo")
	recodeAge(d).Screen().Contains("u undo")
}

// Labels that would harm a terminal or break a column are displayed safely.
func TestHarmfulLabels(t *testing.T) {
	values := []string{"a\x1b[31mred", "b\x07\x00", "漢字漢字漢字", "e\u0301\u0301\u0301", "👩‍👩‍👧‍👦",
		strings.Repeat("long ", 2000), "line\nbreak\ttab", "\u202eright to left", "", "x"}
	text := "key,other\n"
	for _, value := range values {
		for range 2 {
			text += `"` + value + `",` + "1\n"
		}
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"key", "other"}
	d := start(t, Options{Demo: true, OpenDemo: textOpener("harm\x1b[2J.csv", text, scenario)}, 100, 30)
	for _, name := range []string{"1", "2", "down", "down", "enter", "right", "esc", "4", "enter", "esc", "]", "]", "down",
		"r", "space", "esc", "v", "esc", "e"} {
		d.Press(name)
		for _, bad := range []string{"\x1b[31mred", "\x07", "\x1b[2J", "\u202e"} {
			if strings.Contains(d.m.frame(), bad) {
				t.Fatalf("after %s the screen has %q", name, bad)
			}
		}
	}
}

// Almost empty files can be examined like any other.
func TestAlmostEmptyFiles(t *testing.T) {
	keyed := microdata.NewScenario()
	keyed.Keys = []string{"a"}
	for name, file := range map[string]struct {
		text     string
		scenario microdata.Scenario
	}{
		"no key variables": {"a,b\n1,x\n2,y\n", microdata.NewScenario()},
		"no records":       {"a,b\n", keyed},
		"one record":       {"a,b\n1,x\n", keyed},
		"all missing":      {"a,b\n,x\n,y\n", keyed},
	} {
		t.Run(name, func(t *testing.T) {
			for _, first := range someKeys() {
				d := start(t, Options{Demo: true, OpenDemo: textOpener("small.csv", file.text, file.scenario)}, 100, 30)
				for _, name := range []string{first, "down", "enter", "right", "tab", "enter", "esc", "]", first, "enter", "i",
					"esc", "esc"} {
					d.pressing(name)
				}
			}
		})
	}
}

// An omitted number shows its meaning.
func TestNumbersLeftOut(t *testing.T) {
	d := surveyOf(t, 120, 40).openMethod("sample")
	d.Dialog().Contains("0.1, unless count is given").Dialog().Lacks("none")
	d.focus("share")
	d.retype("0.5").Dialog().Contains("0.5").Dialog().Lacks("share   0.1")
}
