package views

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// MeasurePane is the pane of one or several measures: their current and original figures, their tables, and the
// records with the worst values, one section at a time.
type MeasurePane struct {
	TablePane
	of       []MeasurePages
	turned   int  // index of the section
	inactive bool // the measure of the last frame was not active
	alone    bool // the last frame had one section
	worst    Cache[*measure.Entry, []measure.Extreme]
	about    Cache[aboutRow, []string]
}

// MeasurePages defines how a pane shows a measure.
type MeasurePages struct {
	Name  string
	First string // the table shown first; "": the figures
	Intro string // shown until the measure is computed
}

// measureSection is one section of a pane: the figures of a measure, one of its tables, or its worst records.
type measureSection struct {
	MeasurePages
	*Opened // nil if the measure is not active
	title   string
	table   *measure.Table // nil if the section is not a table
	worst   bool
}

// figures reports whether the section shows the figures of the measure.
func (m *measureSection) figures() bool { return m.table == nil && !m.worst }

// aboutRow is a table row with an explanation below the table.
type aboutRow struct {
	table *measure.Table
	row   int
	bare  bool
}

var _ Seeker = (*MeasurePane)(nil)

// NewMeasured returns the pane of an active measure.
func NewMeasured(name string) *MeasurePane {
	return NewMeasures("measure", "Measure", MeasurePages{Name: name, Intro: "This measure is no longer active."})
}

// NewMeasures returns a pane for measures that belong to a tab.
func NewMeasures(id, heading string, of ...MeasurePages) *MeasurePane {
	p := &MeasurePane{of: of, TablePane: TablePane{PaneID: id, Heading: heading}}
	p.Content, p.Titled, p.Explained, p.Actions = p.tableOf, p.frame, p.explain, p.keys
	return p
}

// IsOf reports whether the pane shows the measure.
func (p *MeasurePane) IsOf(name string) bool {
	return slices.ContainsFunc(p.of, func(of MeasurePages) bool { return of.Name == name })
}

// mostTitle is the number of cells for a title in a frame of 80 columns.
const mostTitle = 74

// mostWorst is the number of worst records listed.
const mostWorst = 200

// ranking returns the index of the column that ranks the worst records; ok is false if there is none.
func ranking(e *measure.Entry) (column int, ok bool) {
	if e.Spec.Page.Worst == "" {
		return 0, false
	}
	column = slices.IndexFunc(e.Columns(), func(c measure.Column) bool { return c.Name == e.Spec.Page.Worst })
	return column, column >= 0 && e.Values.Record(column) != nil
}

// sections lists the sections of the pane: the first section of each measure, then all others.
func (p *MeasurePane) sections(s State) []measureSection {
	var first, others []measureSection
	for _, of := range p.of {
		o, at := s.Measured(of.Name), 0
		all := []measureSection{{of, o, "Figures", nil, false}}
		if o != nil && o.Current != nil {
			for i := range o.Current.Values.Tables {
				t := &o.Current.Values.Tables[i]
				if t.Name == of.First {
					at = len(all)
				}
				title, _, _ := strings.Cut(t.Title, ":")
				all = append(all, measureSection{of, o, title, t, false})
			}
			if _, ok := ranking(o.Current); ok {
				all = append(all, measureSection{of, o, "Records with the highest scores", nil, true})
			}
		}
		first, others = append(first, all[at]), append(others, slices.Delete(all, at, at+1)...)
	}
	return append(first, others...)
}

// section returns the visible section, its index, and the number of sections.
func (p *MeasurePane) section(s State) (section *measureSection, at, all int) {
	sections := p.sections(s)
	at = min(p.turned, len(sections)-1)
	return &sections[at], at, len(sections)
}

// Seek finds the worst records while their section is visible.
func (p *MeasurePane) Seek(s State) Piece {
	o, _, _ := p.section(s)
	if !o.worst || o.Stale {
		return nil
	}
	column, _ := ranking(o.Current)
	figure, records, least := o.Current.Values.Record(column), s.Rows(), o.Spec.Page.Least
	return p.worst.Seek(o.Current, func(ctx context.Context) ([]measure.Extreme, error) {
		return measure.Extremes(ctx, figure, records, mostWorst, least)
	})
}

// worstOf lists the worst records; enter opens one.
func (p *MeasurePane) worstOf(s State, o *measureSection) draw.Table {
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
		None: "no record has this figure",
	}
}

func (p *MeasurePane) keys() []KeyAction {
	turn := func(msg tea.KeyPressMsg, s State) draw.Action {
		by, back := draw.Stepped(msg, []int{-1}, []string{"left", "h"})
		if !back {
			by = 1
		}
		_, at, all := p.section(s)
		p.turned = (at + by + all) % all
		p.Cursor = draw.Cursor{}
		return draw.Handled{}
	}
	named := func(help, text string, do func(name string) draw.Action) KeyAction {
		return EmitsFrom(help, text, func(s State) draw.Action {
			o, _, _ := p.section(s)
			return do(o.Name)
		})
	}
	turns := Presses("t ←→", "switch table", turn, "t", "right", "l", "left", "h")
	if p.alone {
		turns.Binding = key.Binding{}
	}
	if p.inactive {
		return []KeyAction{EmitsFrom("enter", "compute", p.enter), turns}
	}
	return []KeyAction{turns,
		EmitsFrom("enter", "compute or list records", p.enter),
		named("o", "set parameters", func(name string) draw.Action { return ComputeMeasure{name} }),
		named("c", "stop or compute", func(name string) draw.Action { return StopMeasure{name} }),
		named("d", "close the measure", func(name string) draw.Action { return CloseMeasure{name} })}
}

// frame names the measure and the visible section.
func (p *MeasurePane) frame(s State) string {
	o, at, all := p.section(s)
	if o.Opened == nil {
		return p.Heading
	}
	title := wording.Capital(cmp.Or(o.Spec.Title, o.Spec.Name))
	if p.PaneID != "measure" && len(p.of) == 1 {
		title = p.Heading // the tab already names the measure
	}
	if o.Current == nil || all == 1 {
		return title
	}
	part := fmt.Sprintf("%s (%d of %d)", o.title, at+1, all)
	return draw.Fitting(mostTitle, title+" · "+part, part)
}

// enter opens the record or the records of the row under the cursor, otherwise the parameters of the measure.
func (p *MeasurePane) enter(s State) draw.Action {
	o, _, _ := p.section(s)
	switch {
	case o.figures() || o.Current.NotApplicable != "":
	case o.Stale:
		return draw.Handled{}
	case o.worst:
		if found := p.worst.Found(o.Current); found != nil && len(*found) > 0 {
			return ShowRecord{(*found)[p.Cursor.At].Record}
		}
		return draw.Handled{}
	case len(o.table.Rows) > 0:
		for _, cell := range o.table.Rows[p.Cursor.At] {
			if categories, ok := cell.(microdata.Combination); ok {
				return ShowMatching{s.Condition(categories)}
			}
		}
	}
	return ComputeMeasure{o.Name}
}

func (p *MeasurePane) tableOf(s State, _ int) (t draw.Table) {
	o, _, all := p.section(s)
	p.inactive, p.alone = o.Opened == nil, all == 1
	switch {
	case p.inactive:
		return draw.Table{Instead: o.Intro}
	case o.Waiting() != "":
		return draw.Table{Instead: o.Waiting()}
	case o.table != nil:
		t = s.TableOf(o.table, o.tableBefore(o.table.Name), &p.Cursor)
		p.explainRow(s, o, &t)
	case o.worst:
		t = p.worstOf(s, o)
	default:
		t = numbersOf(s, o)
	}
	t.Above = func(width, height int) []string { return o.above(s, width, height) }
	return t
}

// explainRow adds an explanation of the row under the cursor below a table, if the measure has one. Stale tables get
// none, because their variables may have changed.
func (p *MeasurePane) explainRow(s State, o *measureSection, t *draw.Table) {
	table := o.table
	if table.About == nil || o.Stale || len(table.Rows) == 0 {
		return
	}
	t.Status = func(width int) (lines []string) {
		row := p.Cursor.At
		for _, text := range *p.about.Look(aboutRow{table, row, s.Bare}, func() []string { return table.About(row, s.WithCode) }) {
			lines = append(lines, s.Faint.Indented(text, 1, width)...)
		}
		return lines
	}
}

func (m *measureSection) above(s State, width, height int) []string {
	var lines []string
	if line := m.News(s, width); line != "" {
		lines = append(lines, line)
	}
	if m.Original != nil && m.Original.NotApplicable != "" {
		lines = append(lines, s.Faint.Indented("Original: "+m.Original.NotApplicable+".", 1, width)...)
	}
	if m.figures() {
		return append(lines, pictured(s, m.Opened, width, height-len(lines))...)
	}
	return append(lines, headlines(s, m.Opened, width, height)...)
}

// headlines returns a line for each main figure, only the first if there is little room.
func headlines(s State, o *Opened, width, height int) (lines []string) {
	numbers := o.Current.Values.Numbers
	places, first := o.Spec.Page.Order(numbers)
	if height < 12 {
		first = min(first, 1)
	}
	was := o.OriginalSet()
	for _, place := range places[:first] {
		v := &numbers[place]
		text, original := v.Text(), ""
		if old := was.Like(o.Spec.Name, v); old != nil {
			text, original = v.Pair(old)
			original = " (" + original + ")"
		}
		if v.Unit == measure.Count && v.Of > 0 {
			text += ", " + wording.PercentOf(int(v.Number), v.Of)
		}
		text = " " + text + original
		name, short := v.Row()
		lines = append(lines, s.Plain.Fit(" "+draw.Fitting(width-1, name+text, cmp.Or(short, name)+text), width))
	}
	return lines
}

// The heights that a page needs to show its sentence and its bars above the figures.
const (
	leastForMeaning = 9
	leastForBars    = 17
	mostBars        = 8
)

// pictured returns a sentence on what the figures mean and a bar for each part, as far as there is room.
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
	if len(bars) == 0 {
		return lines
	}
	most := 1e-300
	for _, bar := range bars {
		most = max(most, bar.Value)
	}
	t := draw.Table{Columns: []draw.Column{{Most: max(1, width/3)}, {Kind: draw.Bars}, {Kind: draw.Values}}, Rows: len(bars),
		Row: func(row int) []draw.Cell {
			bar := &bars[row]
			return []draw.Cell{{Text: bar.Label}, {Share: bar.Value / most, Style: &s.Bar}, {Text: bar.Text}}
		}}
	lines = append(append(lines, s.Faint.Fit(" "+page.Drawn, width)), t.Lines(s.Look, nil, width, len(bars), false)...)
	return append(lines, "")
}

func (p *MeasurePane) explain(s State) []Figure {
	o, _, _ := p.section(s)
	if o.Opened == nil || o.Current == nil {
		return nil
	}
	numbers, rows := o.Current.Values.Numbers, rowsOf(o)
	return ExplainedFrom(o.OriginalSet(), o.Current, func(v *measure.Value) bool {
		return !o.figures() || p.Cursor.At < len(rows) && v == &numbers[max(0, rows[p.Cursor.At])]
	})
}

// rowsOf returns for each row the index of its figure: the main figures, a separator (-1), and the others.
func rowsOf(o *measureSection) []int {
	places, first := o.Spec.Page.Order(o.Current.Values.Numbers)
	if len(places) > first {
		places = slices.Insert(places, first, -1)
	}
	return places
}

// numbersOf lists the current and the original figures of a measure.
func numbersOf(s State, o *measureSection) draw.Table {
	was := o.OriginalSet()
	numbers, rows := o.Current.Values.Numbers, rowsOf(o)
	values := make([]*measure.Value, 0, 2*len(numbers))
	for i := range numbers {
		values = append(values, &numbers[i], cmp.Or(was.Like(o.Spec.Name, &numbers[i]), &measure.Value{Number: math.NaN(), None: draw.NoFigure}))
	}
	texts := measure.Texts(values...)
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
			return []draw.Cell{{Text: name, Short: short}, {Text: texts[2*rows[row]], Style: &s.Strong},
				{Text: texts[2*rows[row]+1], Style: &s.Faint}}
		},
		None: "no figures",
	}
}
