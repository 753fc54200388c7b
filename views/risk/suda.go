package risk

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk/suda"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Suda is the pane of SUDA2: the records by their DIS-SUDA score, and what the key
// variables and their categories contribute to the scores.
type Suda struct {
	views.TablePane
	part int // which of sudaParts comes first
}

// sudaParts are what can stand in the pane, as tables of the measure.
var sudaParts = [...]struct{ table, title string }{
	{"dis_intervals", "records by DIS-SUDA"}, {"contribution_percent", "contributions of variables"},
	{"category_percent", "contributions of categories"}, {"msus_by_size", "by number of variables"},
}

// NewSuda returns the pane of SUDA2.
func NewSuda() *Suda {
	p := &Suda{TablePane: views.TablePane{PaneID: "suda", Heading: "SUDA2", Risk: true}}
	p.Content, p.Titled = p.table, p.frame
	p.Explained = func(s views.State) []views.Figure { return s.ExplainedOpen("suda") }
	p.Actions = func() []views.KeyAction {
		return []views.KeyAction{views.Handles("t", "next table",
			func() { p.part, p.Cursor = (p.part+1)%len(sudaParts), draw.Cursor{} }),
			views.Emits("enter", "compute, parameters", views.ComputeMeasure{Name: "suda"}), showingKey("suda"), views.Stopping("suda")}
	}
	return p
}

// IsOf reports whether the pane shows what the measure tells.
func (*Suda) IsOf(name string) bool { return name == "suda" }

// showingKey shows all that an open measure tells.
func showingKey(name string) views.KeyAction {
	return views.EmitsFrom("a", "all figures", func(s views.State) draw.Action {
		if s.Measured(name) == nil {
			return views.ComputeMeasure{Name: name}
		}
		return views.ShowMeasure{Name: name}
	})
}

func (p *Suda) frame(s views.State) string {
	if o := s.Measured("suda"); o == nil || o.Current == nil || o.Current.NotApplicable != "" {
		return p.Heading
	}
	return p.Heading + " · " + sudaParts[p.part].title
}

func (p *Suda) table(s views.State, _ int) draw.Table {
	o := s.Measured("suda")
	if o == nil {
		return draw.Table{Instead: "SUDA2 looks for the smallest sets of key variables on which a record is unique. enter computes it."}
	}
	if text := o.Waiting(); text != "" {
		return draw.Table{Instead: text}
	}
	r, ok := o.Current.Values.Result.(*suda.Result)
	if !ok {
		return draw.Table{Instead: s.Waiting()}
	}
	t := p.drawn(s, o, sudaParts[p.part].table)
	t.Above = func(width, height int) []string {
		lines := []string{s.Strong.Fit(" "+wording.Counted(r.Scored, "record")+" with an MSU, "+wording.Percent(r.Scored,
			r.Table().Records()), width)}
		if height > 8 {
			lines = append(lines,
				s.Plain.Indented(fmt.Sprintf("DIS %s · sum of DIS-SUDA %s · highest score %s", wording.Probability(r.Rate),
					o.Current.Value("expected_dis", 0).Text(), wording.Amount(r.Highest)), 1, width)...)
		}
		return withNews(s, o, lines, width)
	}
	if p.part == 0 {
		t.Foot = func(width, height int) []string {
			if height < 4 {
				return nil
			}
			under := p.drawn(s, o, sudaParts[1].table)
			return append([]string{""}, under.Lines(s.Look, nil, width, height-1, false)...)
		}
	}
	return t
}

// withNews puts the line that tells that figures are not of the current data before
// others.
func withNews(s views.State, o *views.Opened, lines []string, width int) []string {
	if line := o.News(s, width); line != "" {
		return append([]string{line}, lines...)
	}
	return lines
}

// drawn is a table of the measure with bars: each row ends with a number.
func (p *Suda) drawn(s views.State, o *views.Opened, name string) draw.Table {
	now, before := tableNamed(o.Current, name), tableNamed(o.Original, name)
	if now == nil {
		return draw.Table{None: "it has no rows"}
	}
	last := len(now.Columns) - 1
	number := func(t *measure.Table, row int) float64 { return amountOf(t.Rows[row][last]) }
	was := map[string]float64{}
	largest := 0.0
	if before != nil {
		for row := range before.Rows {
			was[fmt.Sprint(before.Rows[row][:last]...)] = number(before, row)
			largest = max(largest, number(before, row))
		}
	}
	for row := range now.Rows {
		largest = max(largest, number(now, row))
	}
	t := draw.Table{Rows: len(now.Rows), None: "nothing contributes"}
	for c := range last {
		t.Columns = append(t.Columns, draw.Column{Head: now.Columns[c], Most: 24})
	}
	t.Columns = append(t.Columns, draw.Column{Kind: draw.Bars},
		draw.Column{Head: map[bool]string{true: "percent", false: now.Columns[last]}[now.Columns[last] == "contribution"],
			Short: "n", Kind: draw.Counts, Size: 8})
	t.Row = func(row int) []draw.Cell {
		var cells []draw.Cell
		for _, value := range now.Rows[row][:last] {
			cells = append(cells, draw.Cell{Text: s.MeasuredText(value)})
		}
		style := &s.Bar
		if name == "dis_intervals" && row > 1 {
			style = views.DangerStyle(s.Theme, float64(row-1)/10)
		}
		share := 0.0
		if largest > 0 {
			share = number(now, row) / largest
		}
		cells = append(cells, draw.Cell{Share: share, Had: was[fmt.Sprint(now.Rows[row][:last]...)] / max(largest, 1e-300),
			Style: style})
		return append(cells, draw.Cell{Text: s.MeasuredText(now.Rows[row][last])})
	}
	if name == "contribution_percent" {
		name := func(row int) string {
			name, _ := now.Rows[row][0].(string)
			return name
		}
		t = s.WithLabels(t, t.Rows, name)
		t.Choose = func(row int) draw.Action { return views.SelectVariable{Name: name(row)} }
	}
	return t
}

// tableNamed returns a table of a measure; nil where there is none.
func tableNamed(e *measure.Entry, name string) *measure.Table {
	if e == nil {
		return nil
	}
	for i := range e.Values.Tables {
		if e.Values.Tables[i].Name == name {
			return &e.Values.Tables[i]
		}
	}
	return nil
}

// amountOf returns a cell of a table as a number.
func amountOf(cell any) float64 {
	switch x := cell.(type) {
	case int:
		return float64(x)
	case float64:
		return x
	case measure.Percent:
		return float64(x)
	}
	return 0
}
