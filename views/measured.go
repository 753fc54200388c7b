package views

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Measured is the pane of one open measure: its numbers, now and in the original
// data, and its tables, one at a time.
type Measured struct {
	TablePane
	name  string
	table int // 0: the numbers; from 1 on the tables
}

// NewMeasured returns the pane of an open measure.
func NewMeasured(name string) *Measured {
	p := &Measured{name: name, TablePane: TablePane{PaneID: "measure", Heading: "Measure"}}
	p.Content, p.Titled, p.Explained, p.Actions = p.tableOf, p.frame, p.explain, p.keys
	return p
}

// OfMeasure is a pane that shows what an open measure tells.
type OfMeasure interface {
	IsOf(name string) bool
}

// IsOf reports whether the pane is that of the measure.
func (p *Measured) IsOf(name string) bool { return p.name == name }

// Name is that of the measure.
func (p *Measured) Name() string { return p.name }

func (p *Measured) keys() []KeyAction {
	turn := func(msg tea.KeyPressMsg, s State) draw.Action {
		if o := s.Measured(p.name); o != nil && o.Current != nil {
			by, back := draw.Stepped(msg, []int{-1}, []string{"left", "h"})
			if !back {
				by = 1
			}
			all := len(o.Current.Values.Tables) + 1
			p.table = (p.table + by + all) % all
			p.Cursor = draw.Cursor{}
		}
		return draw.Handled{}
	}
	return []KeyAction{{draw.Bind("t ←→", "tables", "t", "right", "l", "left", "h"), turn},
		Emits("enter", "parameters", OpenMeasure{p.name}), Stopping(p.name),
		Emits("d", "close the measure", CloseMeasure{p.name})}
}

// frame names the measure and the table that is shown.
func (p *Measured) frame(s State) string {
	o := s.Measured(p.name)
	if o == nil {
		return p.Heading
	}
	title := cmp.Or(o.Spec.Title, o.Spec.Name)
	if o.Current == nil || len(o.Current.Values.Tables) == 0 {
		return title
	}
	at, name := min(p.table, len(o.Current.Values.Tables)), "figures"
	if at > 0 {
		name = o.Current.Values.Tables[at-1].Title
	}
	return fmt.Sprintf("%s · %s (%d of %d)", title, name, at+1, len(o.Current.Values.Tables)+1)
}

func (p *Measured) tableOf(s State, _ int) draw.Table {
	o := s.Measured(p.name)
	if o == nil {
		return draw.Table{Instead: "This measure is not open any more."}
	}
	if text := o.Waiting(); text != "" {
		return draw.Table{Instead: text, Above: p.above(s, o)}
	}
	var t draw.Table
	if at := min(p.table, len(o.Current.Values.Tables)); at > 0 {
		t = s.TableOf(&o.Current.Values.Tables[at-1], p.Cursor.At)
	} else {
		t = numbersOf(s, o)
	}
	t.Above = p.above(s, o)
	return t
}

func (*Measured) above(s State, o *Opened) func(width, height int) []string {
	return func(width, _ int) []string {
		var lines []string
		if line := o.News(s, width); line != "" {
			lines = append(lines, line)
		}
		if o.Original != nil && o.Original.NotApplicable != "" && o.Current != nil && o.Current.NotApplicable == "" {
			lines = append(lines, s.Faint.Indented("Original: "+o.Original.NotApplicable+".", 1, width)...)
		}
		return lines
	}
}

func (p *Measured) explain(s State) []Figure {
	o := s.Measured(p.name)
	if o == nil || o.Current == nil {
		return nil
	}
	numbers, at := o.Current.Values.Numbers, p.Cursor.At
	return ExplainedFrom(o.OriginalSet(), o.Current,
		func(v *measure.Value) bool { return p.table > 0 || at < len(numbers) && v == &numbers[at] })
}

// numbersOf lists the numbers of a measure, now and in the original data.
func numbersOf(s State, o *Opened) draw.Table {
	was := o.OriginalSet()
	numbers := o.Current.Values.Numbers
	return draw.Table{
		Columns: []draw.Column{{Head: "figure", Size: 30, Most: 60}, {Head: "now", Kind: draw.Values, Size: 12, Most: 44},
			{Head: "original", Kind: draw.Values, Size: 12, Most: 44, Rank: 1}},
		Rows: len(numbers),
		Row: func(row int) []draw.Cell {
			v := &numbers[row]
			name, short := v.Row()
			if v.K > 0 && v.Title == "" {
				name = fmt.Sprintf("k = %d", v.K)
			}
			before := draw.Cell{Text: draw.NoFigure, Style: &s.Faint}
			if old := was.Like(o.Spec.Name, v); old != nil {
				before.Text = old.Text()
			}
			return []draw.Cell{{Text: name, Short: short}, {Text: v.Text(), Style: &s.Strong}, before}
		},
		None: "it has no figures",
	}
}
