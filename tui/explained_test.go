package tui

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/views"
)

// Every pane of every tab explains its figures with name, value, definition and source, before any step and after
// some.
func TestEveryPaneIsExplained(t *testing.T) {
	beside(t)
	d := surveyOf(t, 200, 60)
	walk := func(when string) {
		for range tabCount {
			d.Press("]")
			for place, name := range d.m.bench.names() {
				d.m.bench.focus[d.m.bench.tab] = place
				figures := d.m.explained()
				if len(figures) == 0 {
					t.Errorf("%s: the pane %s explains nothing", when, name)
				}
				for i := range figures {
					checkFigure(t, when+", "+name, &figures[i])
				}
				if d.Press("i"); d.m.dialog == nil {
					t.Errorf("%s: i opens nothing in %s", when, name)
				}
				d.Press("esc")
			}
		}
	}
	walk("before any step")
	recodeAge(d)
	d.Press("K", "enter")
	walk("after two steps")
}

func checkFigure(t *testing.T, what string, f *views.Figure) {
	t.Helper()
	if f.Name == "" || f.Value == "" || f.Definition == "" || f.Source == "" {
		t.Errorf("%s: a figure is not explained: %+v", what, *f)
	}
}
