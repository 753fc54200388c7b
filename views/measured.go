package views

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Measured is the pane of one open measure: its numbers, now and in the original
// data, and its tables, one at a time.
type Measured struct {
	TablePane
	name  string
	table int // 0: the numbers; from 1 on the tables; after them the worst records, where there are some
	worst Cache[*measure.Entry, []measure.Extreme]
}

var _ Seeker = (*Measured)(nil)

// mostTitle is the number of cells that the frame of 80 columns has for a title.
const mostTitle = 74

// mostWorst is the number of records that are listed as the worst.
const mostWorst = 200

// ranking returns the place of the column by which the worst records are listed, and its
// name; ok is false where there is none.
func ranking(e *measure.Entry) (column int, ok bool) {
	if e == nil || e.Spec.Page.Worst == "" {
		return 0, false
	}
	column = slices.IndexFunc(e.Columns(), func(c measure.Column) bool { return c.Name == e.Spec.Page.Worst })
	return column, column >= 0 && e.Values.Record(column) != nil
}

// Seek looks for the worst records while they are in sight.
func (p *Measured) Seek(s State) Piece {
	o := s.Measured(p.name)
	if o == nil || o.Stale || p.table <= 0 || o.Current == nil || p.table <= len(o.Current.Values.Tables) {
		return nil
	}
	column, ok := ranking(o.Current)
	if !ok {
		return nil
	}
	figure, records, least := o.Current.Values.Record(column), s.Rows(), o.Spec.Page.Least
	return p.worst.Seek(o.Current, func(ctx context.Context) ([]measure.Extreme, error) {
		return measure.Extremes(ctx, figure, records, mostWorst, least)
	})
}

// pages returns the number of what can be turned to.
func (p *Measured) pages(e *measure.Entry) int {
	pages := 1 + len(e.Values.Tables)
	if _, ok := ranking(e); ok {
		pages++
	}
	return pages
}

// worstOf lists the worst records, each of which can be opened.
func (p *Measured) worstOf(s State, o *Opened) draw.Table {
	column, _ := ranking(o.Current)
	found := p.worst.Found(o.Current)
	if found == nil {
		return draw.Table{Instead: "counting …"}
	}
	of := o.Current.Columns()[column]
	return draw.Table{
		Columns: []draw.Column{{Head: s.Row(), Kind: draw.Counts, Size: 8}, {Head: cmp.Or(of.Title, strings.ReplaceAll(of.Name, "_", " ")), Kind: draw.Values,
			Size: 12, Most: 40}},
		Rows: len(*found),
		Row: func(row int) []draw.Cell {
			e := (*found)[row]
			v := measure.Value{Number: e.Figure, Unit: of.Unit}
			return []draw.Cell{{Text: draw.Count(e.Record + 1)}, {Text: v.Text(), Style: &s.Strong}}
		},
		None: "no record has such a figure",
	}
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
			all := p.pages(o.Current)
			p.table = (p.table + by + all) % all
			p.Cursor = draw.Cursor{}
		}
		return draw.Handled{}
	}
	return []KeyAction{{draw.Bind("t ←→", "other tables", "t", "right", "l", "left", "h"), turn},
		EmitsFrom("enter", "parameters, record", p.enter), Stopping(p.name),
		Emits("d", "close the measure", CloseMeasure{p.name})}
}

// frame names the measure and the table that is shown.
func (p *Measured) frame(s State) string {
	o := s.Measured(p.name)
	if o == nil {
		return p.Heading
	}
	title := cmp.Or(o.Spec.Title, o.Spec.Name)
	if o.Current == nil || p.pages(o.Current) == 1 {
		return title
	}
	at, name := p.at(o.Current), "figures"
	switch tables := o.Current.Values.Tables; {
	case at > len(tables):
		name = "worst records"
	case at > 0:
		name = tables[at-1].Title
	}
	part := fmt.Sprintf("%s (%d of %d)", name, at+1, p.pages(o.Current))
	return draw.Fitting(mostTitle, title+" · "+part, part)
}

// at returns what is turned to, as far as it is there.
func (p *Measured) at(e *measure.Entry) int { return min(p.table, p.pages(e)-1) }

// enter opens the record under the cursor, or the parameters.
func (p *Measured) enter(s State) draw.Action {
	if o := s.Measured(p.name); o != nil && o.Current != nil && p.at(o.Current) > len(o.Current.Values.Tables) {
		if found := p.worst.Found(o.Current); found != nil && p.Cursor.At < len(*found) && !o.Stale {
			return ShowRecord{(*found)[p.Cursor.At].Record}
		}
		return draw.Handled{}
	}
	return ComputeMeasure{p.name}
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
	switch at := p.at(o.Current); {
	case at > len(o.Current.Values.Tables):
		t = p.worstOf(s, o)
	case at > 0:
		t = s.TableOf(&o.Current.Values.Tables[at-1], p.Cursor.At)
	default:
		t = numbersOf(s, o)
	}
	t.Above = p.above(s, o)
	return t
}

func (p *Measured) above(s State, o *Opened) func(width, height int) []string {
	return func(width, height int) []string {
		var lines []string
		if line := o.News(s, width); line != "" {
			lines = append(lines, line)
		}
		if o.Original != nil && o.Original.NotApplicable != "" && o.Current != nil && o.Current.NotApplicable == "" {
			lines = append(lines, s.Faint.Indented("Original: "+o.Original.NotApplicable+".", 1, width)...)
		}
		if p.table == 0 && o.Waiting() == "" {
			lines = append(lines, pictured(s, o, width, height-len(lines))...)
		}
		return lines
	}
}

// What a page needs to have its sentence, and its bars, above the figures.
const (
	leastForMeaning = 9
	leastForBars    = 17
	mostBars        = 8
)

// pictured says in a sentence what the figures mean, and draws a bar for each part, as far
// as there is room.
func pictured(s State, o *Opened, width, height int) (lines []string) {
	values, page := &o.Current.Values, o.Spec.Page
	if height >= leastForMeaning && page.Meaning != nil {
		lines = append(s.Fresh(&s.Plain).Indented(page.Meaning(values), 1, width), "")
	}
	if height < leastForBars || page.Bars == nil {
		return lines
	}
	bars := page.Bars(values)
	bars = bars[:min(mostBars, len(bars))]
	most, label, text := 0.0, 0, 0
	for _, bar := range bars {
		most, label, text = max(most, bar.Value), max(label, draw.Width(draw.Safe(bar.Label))), max(text, draw.Width(bar.Text))
	}
	label = min(label, width/3)
	if len(bars) > 0 {
		lines = append(lines, s.Faint.Fit(" "+page.Drawn, width))
	}
	for _, bar := range bars {
		share := 0.0
		if most > 0 {
			share = bar.Value / most
		}
		lines = append(lines, s.Plain.Fit(" "+draw.Safe(bar.Label), label+2)+
			s.Fresh(&s.Bar).Render(draw.Bar(share, max(1, width-label-text-4)))+s.Plain.Render(draw.FitRight(bar.Text, text+1))+" ")
	}
	if len(bars) > 0 {
		lines = append(lines, "")
	}
	return lines
}

func (p *Measured) explain(s State) []Figure {
	o := s.Measured(p.name)
	if o == nil || o.Current == nil {
		return nil
	}
	numbers, rows := o.Current.Values.Numbers, rowsOf(o)
	return ExplainedFrom(o.OriginalSet(), o.Current, func(v *measure.Value) bool {
		return p.table > 0 || p.Cursor.At < len(rows) && v == &numbers[max(0, rows[p.Cursor.At])]
	})
}

// rowsOf returns the place of the number of each row: those that stand first, a line
// between (-1), and the others.
func rowsOf(o *Opened) []int {
	places, first := o.Spec.Page.Order(o.Current.Values.Numbers)
	if len(places) > first {
		places = slices.Insert(places, first, -1)
	}
	return places
}

// numbersOf lists the numbers of a measure, now and in the original data.
func numbersOf(s State, o *Opened) draw.Table {
	was := o.OriginalSet()
	numbers, rows := o.Current.Values.Numbers, rowsOf(o)
	return draw.Table{
		Columns: []draw.Column{{Head: "figure", Size: 30, Most: 60}, {Head: "now", Kind: draw.Values, Size: 12, Most: 44},
			{Head: "original", Kind: draw.Values, Size: 12, Most: 44, Rank: 1}},
		Rows: len(rows),
		Row: func(row int) []draw.Cell {
			if rows[row] < 0 {
				return []draw.Cell{{Text: "── all other figures", Style: &s.Faint}}
			}
			v := &numbers[rows[row]]
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
