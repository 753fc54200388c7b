package tui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/views"
)

// between matches the borders and gaps between texts in one line.
var between = regexp.MustCompile(`[│╭╮╰╯─]+|\s{2,}`)

// plainWord matches a word of a sentence, not a value, a name with a capital or a number.
var plainWord = regexp.MustCompile(`^[("]?[a-z][a-z'’-]*[,;:.)"]*$`)

// cutSentences returns the parts of a screen that are sentences, with at least three words, and end in the mark of
// a cut. A range, a list of recodes, and a list without some items are not sentences.
func cutSentences(screen string) (cut []string) {
	for line := range strings.SplitSeq(ansi.Strip(screen), "\n") {
		for _, part := range between.Split(line, -1) {
			before, _, marked := strings.Cut(part, "…")
			if !marked || strings.HasSuffix(before, ", ") || strings.HasSuffix(part, "counting …") ||
				strings.Contains(part, "→") || strings.Contains(part, " · ") && strings.HasSuffix(before, " ") {
				continue
			}
			words := 0
			for _, word := range strings.Fields(before) {
				if plainWord.MatchString(word) {
					words++
				}
			}
			if words > 2 {
				cut = append(cut, strings.TrimSpace(part))
			}
		}
	}
	return cut
}

// open opens the dialog of a measure.
func open(d *driver, measure string) *driver {
	d.act(func() { d.m.do(views.OpenMeasure{Name: measure}) })
	return d
}

// places visits every place of the program with the demonstration's data.
func places(t *testing.T, width, height int, visit func(name string, d *driver)) {
	survey := func() *driver { return surveyOf(t, width, height) }
	states := []string{"", "with steps"}
	if !longtests.Wanted() {
		states = states[:1]
	}
	for _, steps := range states {
		d := survey()
		if steps != "" {
			recodeAge(d).Press("K", "enter")
			d.openMethod("microaggregate")
			d.Press("enter")
			for _, m := range d.m.options.Measures {
				open(d, m.Name).Press("enter", "esc")
			}
		}
		for range tabCount {
			for number, name := range d.m.bench.names() {
				at := func(what string) string { return fmt.Sprint(steps, " ", d.m.bench.tab, " ", name, what) }
				d.Press(string(rune('1' + number)))
				for range 8 {
					visit(at(""), d)
					d.Press("pgdown")
				}
				d.Press("i")
				visit(at(" explained"), d)
				d.Press("esc", "?")
				visit(at(" keys"), d)
				d.Press("esc")
			}
			d.Press("]")
		}
	}
	for name := range dialogRooms(survey()) {
		d := survey()
		dialogRooms(d)[name]()
		visit("dialog "+name, d)
		if d.m.dialog != nil {
			d.Press("?")
			for range 3 {
				visit("dialog "+name+" help", d)
				d.Press("pgdown")
			}
		}
	}
	for i, m := range survey().m.options.Measures {
		if !longtests.Some(i, 5) {
			continue
		}
		d := survey()
		open(d, m.Name)
		visit("measure "+m.Name, d)
		d.Press("?")
		visit("measure "+m.Name+" help", d)
		d = open(survey(), m.Name).Press("enter")
		for range 6 {
			visit("measured "+m.Name, d)
			d.Press("t")
		}
	}
	for _, room := range rooms {
		visit("room "+room.name, survey().Press(room.keys...))
	}
}

// No sentence on any pane, page, dialog or help is cut.
func TestNoSentenceIsCut(t *testing.T) {
	sizes := [][2]int{{80, 24}, {120, 40}}
	for i, size := range sizes {
		if !longtests.Some(i, len(sizes)) {
			continue
		}
		seen := map[string]bool{}
		places(t, size[0], size[1], func(name string, d *driver) {
			if strings.Contains(name, "records-at-risk") || strings.HasSuffix(name, " tables") || strings.HasSuffix(name, " export") ||
				strings.HasSuffix(name, " plans") {
				return // cells of data and their heads, findings that name their variables, and lists of recodes
			}
			for _, cut := range cutSentences(d.frame()) {
				if !seen[cut] {
					seen[cut] = true
					t.Errorf("%s at %d×%d: %s", name, size[0], size[1], cut)
				}
			}
		})
	}
}
