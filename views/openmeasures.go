package views

import (
	"cmp"

	tea "charm.land/bubbletea/v2"
)

// NewOpenMeasures returns the pane of the measures that are open, each with its first
// figure.
func NewOpenMeasures() Pane {
	p := &tablePane{id: "open-measures", title: "Open measures", enter: "show", content: openMeasures}
	chosen := func(do func(o *Opened) Action) func(tea.KeyPressMsg, State) Action {
		return func(_ tea.KeyPressMsg, s State) Action {
			if len(s.Measures) == 0 {
				return Handled{}
			}
			p.cursor.clamp(len(s.Measures))
			return do(&s.Measures[p.cursor.At])
		}
	}
	p.acts = func() []act {
		return []act{{bind("o", "parameters", "o"), chosen(func(o *Opened) Action { return OpenMeasure{o.Spec.Name} })},
			{bind("c", "stop, compute", "c"), chosen(func(o *Opened) Action { return StopMeasure{o.Spec.Name} })},
			{bind("d", "close", "d"), chosen(func(o *Opened) Action { return CloseMeasure{o.Spec.Name} })}}
	}
	return p
}

// openMeasures has one row per open measure.
func openMeasures(s State, _ int) Table {
	if len(s.Measures) == 0 {
		return Table{Instead: "No measure is open. m opens one: it is computed beside the screen, and anew after every step."}
	}
	return Table{
		Columns: []Column{{Head: "measure", Size: 12, Most: 24}, {Head: "figure", Size: 16, Most: 44, Rank: 1}, {Head: "now", Kind: Values, Size: 7}, {Head: "original", Kind: Values, Size: 8, Rank: 2}},
		Rows:    len(s.Measures),
		Row: func(row int) []Cell {
			o := &s.Measures[row]
			name := Cell{Text: cmp.Or(o.Spec.Title, o.Spec.Name)}
			switch text := o.waiting(); {
			case o.Err != nil:
				return []Cell{name, {Text: text, Style: &s.Theme.Error}, {}, {}}
			case text != "":
				return []Cell{name, {Text: text, Style: &s.Theme.Faint}, {}, {}}
			case len(o.Current.Values.Numbers) == 0:
				return []Cell{name, {}, {}, {}}
			}
			v := &o.Current.Values.Numbers[0]
			now := Cell{Text: v.Text(), Style: &s.Theme.Strong}
			if o.Stale {
				name.Tail, now.Style = StaleMark, &s.Theme.Warning
			}
			was := Cell{Style: &s.Theme.Faint}
			if old := o.original().Like(o.Spec.Name, v); old != nil {
				was.Text = old.Text()
			}
			title, short := v.Row()
			return []Cell{name, {Text: title, Short: short, Style: &s.Theme.Faint}, now, was}
		},
		Open: func(row int) Action { return ShowMeasure{s.Measures[row].Spec.Name} },
	}
}
