package utility

import (
	"cmp"
	"strings"

	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// NewOpenMeasures returns the pane of the active measures, each with its first figure.
func NewOpenMeasures() views.Pane {
	p := &views.TablePane{PaneID: "open-measures", Heading: "Active measures", Enter: "show"}
	p.Content = func(s views.State, _ int) draw.Table { return openMeasures(s, &p.Cursor) }
	chosen := func(key, text string, do func(name string) draw.Action) views.KeyAction {
		return p.OnRow(key, text, func(s views.State) draw.Action { return do(s.Measures[p.Cursor.At].Spec.Name) })
	}
	p.Actions = func() []views.KeyAction {
		return []views.KeyAction{chosen("o", "set parameters",
			func(name string) draw.Action { return views.OpenMeasure{Name: name} }),
			chosen("c", "stop or compute", func(name string) draw.Action { return views.StopMeasure{Name: name} }),
			chosen("d", "close", func(name string) draw.Action { return views.CloseMeasure{Name: name} })}
	}
	return p
}

// openMeasures has one row per active measure. If there is no room for the names of the figures, that of the row under
// the cursor is below the table.
func openMeasures(s views.State, cursor *draw.Cursor) draw.Table {
	if len(s.Measures) == 0 {
		return draw.Table{Instead: "No active measure. m activates one; it is computed in the background after every step."}
	}
	t := draw.Table{
		Columns: []draw.Column{{Head: "measure", Size: 12, Most: 40}, {Head: "figure", Size: 16, Most: 44, Rank: 1},
			{Head: "now", Kind: draw.Values, Size: 7}, {Head: "original", Kind: draw.Values, Size: 8, Rank: 2}},
		Rows: len(s.Measures),
		Row: func(row int) []draw.Cell {
			o := &s.Measures[row]
			name := draw.Cell{Text: cmp.Or(o.Spec.Title, o.Spec.Name)}
			name.Short = strings.Replace(name.Text, "information loss of", "loss:", 1)
			switch text := o.Waiting(); {
			case o.Err != nil:
				return []draw.Cell{name, {Text: text, Style: &s.Error}, {}, {}}
			case text != "":
				return []draw.Cell{name, {Text: text, Style: &s.Faint}, {}, {}}
			case len(o.Current.Values.Numbers) == 0:
				return []draw.Cell{name, {}, {}, {}}
			}
			places, _ := o.Spec.Page.Order(o.Current.Values.Numbers)
			v := &o.Current.Values.Numbers[places[0]]
			now := draw.Cell{Text: v.Text(), Style: &s.Strong}
			if o.Stale {
				name.Tail, now.Style = draw.StaleMark, &s.Warning
			}
			was := draw.Cell{Style: &s.Faint}
			if old := o.OriginalSet().Like(o.Spec.Name, v); old != nil {
				was.Text = old.Text()
			}
			title, short := v.Row()
			return []draw.Cell{name, {Text: title, Short: short, Style: &s.Faint}, now, was}
		},
		Open: func(row int) draw.Action { return views.ShowMeasure{Name: s.Measures[row].Spec.Name} },
	}
	t.Foot = func(width, _ int) []string {
		figure := t.Row(cursor.At)[1]
		if figure.Text == "" || strings.Contains(t.Lines(s.Look, cursor, width, 2, false)[0], "figure") {
			return nil
		}
		return figure.Style.Indented(figure.Text, 1, width)
	}
	return t
}
