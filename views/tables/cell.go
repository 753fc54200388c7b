package tables

import (
	"fmt"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// cellPane is the pane of the cell under the cursor.
type cellPane struct {
	views.TablePane
	*room
}

func newCell(r *room) views.Pane {
	p := &cellPane{TablePane: views.TablePane{PaneID: "table-cell", Heading: "Cell"}, room: r}
	p.Content, p.Titled, p.Explained = p.content, p.named, r.explain
	return p
}

func (p *cellPane) named(s views.State) string {
	if known, _ := p.room.table(s); known != nil {
		return p.Heading + " · " + strings.Join(known.table.Codes(p.under(known.table)), " × ")
	}
	return p.Heading
}

func (p *cellPane) content(s views.State, width int) draw.Table {
	known, _ := p.room.table(s)
	if known == nil {
		return draw.Table{Instead: "The cell under the cursor of the table: its contributors, the rule, and what an intruder learns."}
	}
	return draw.TextOf(p.lines(s, known.table, width), func(int) bool { return false })
}

// lines describes the cell.
func (p *cellPane) lines(s views.State, t *publish.Table, width int) (lines []string) {
	cell := p.under(t)
	c := &t.Cells[cell]
	add := func(style *draw.Style, text string) { lines = append(lines, style.Indented(text, 1, width)...) }
	text := spelled(t, c.Value)
	if t.Changed(cell) {
		text += " → " + value(t, cell)
	}
	add(&s.Strong, valueName(t)+" "+text+" · "+wording.Counted(c.N, "contributor"))
	add(verdict(s.Theme, t, cell))
	e := t.Explain(cell)
	if e.Change != "" {
		add(&s.Plain, e.Change)
	}
	for _, rule := range e.Rules {
		add(&s.Plain, rule)
	}
	if len(c.Largest) > 0 && t.Definition.Response != "" {
		add(&s.Plain, "largest contributions: "+largest(t, cell))
	}
	if t.Sensitive(cell) && t.Level(cell) > 0 {
		value, level := c.Value, t.Level(cell)
		add(&s.Plain, "protection interval "+between(math.Max(math.Min(value, 0), value-level), value+level))
	}
	if found := p.narrow(s); found != nil {
		if i, ok := found.Of[cell]; ok && t.Hidden(cell) {
			add(&s.Plain, "feasibility interval "+between(i.Low, i.High))
		}
	}
	if len(e.Revealing) > 0 && t.Sensitive(cell) {
		add(&s.Error, "It follows from:")
		for _, equation := range e.Revealing {
			add(&s.Plain, equation.String())
		}
	}
	return lines
}

// valueName names the values of a table on the screen.
func valueName(t *publish.Table) string {
	if t.Definition.Weight != "" {
		return "weighted " + t.ValueName()
	}
	return t.ValueName()
}

// verdict says why a cell is published or suppressed.
func verdict(theme *draw.Theme, t *publish.Table, cell int) (*draw.Style, string) {
	state, byHand := t.ByHand(cell)
	rule, sensitive := t.Rule(cell)
	switch {
	case t.Perturbs() && !t.Suppressed(cell):
		return changed(theme, t, cell)
	case byHand && state == microdata.StateFrozen:
		return &theme.Plain, "published before, so published again"
	case byHand && state == microdata.StateForced && sensitive:
		return &theme.Error, "sensitive by the rule " + t.Rules[rule].String() + ", but set to published"
	case byHand && state == microdata.StateForced:
		return &theme.Plain, "set to published"
	case byHand && state == microdata.StateUnsafe:
		return &theme.High, "set to sensitive, suppressed"
	case sensitive:
		return &theme.High, "sensitive by the rule " + t.Rules[rule].String() + ", suppressed"
	case t.Suppressed(cell):
		return &theme.Suppressed, "not sensitive; suppressed to protect other cells"
	case byHand && state == microdata.StateSafe:
		return &theme.Good, "set to safe, published"
	case byHand && state == microdata.StatePreferred:
		return &theme.Good, "safe, published; preferred if a further cell must be suppressed"
	case t.Empty(cell):
		return &theme.Faint, "empty, published"
	}
	return &theme.Good, "safe, published"
}

// changed says what becomes of a cell of a table with changed values.
func changed(theme *draw.Theme, t *publish.Table, cell int) (*draw.Style, string) {
	text := "published unchanged"
	if t.Changed(cell) {
		text = "published with another value"
	}
	rule, sensitive := t.Rule(cell)
	if sensitive && rule < len(t.Rules) {
		text = "sensitive by the rule " + t.Rules[rule].String() + ", " + text
	} else if sensitive {
		text = "set to sensitive, " + text
	}
	switch {
	case sensitive && !t.Hidden(cell):
		return &theme.Error, text
	case sensitive:
		return &theme.High, text
	case t.Changed(cell):
		return &theme.Changed, text
	}
	return &theme.Good, text
}

// largest lists the largest contributions and their shares.
func largest(t *publish.Table, cell int) string {
	c := &t.Cells[cell]
	var texts []string
	for _, x := range c.Largest {
		texts = append(texts, wording.Amount(x.Value*x.Weight))
	}
	if c.Shadow > 0 {
		texts[0] += " (" + share(c.Largest[0].Value*c.Largest[0].Weight, c.Shadow) + ")"
	}
	return strings.Join(texts, ", ")
}

// between spells an interval.
func between(low, high float64) string {
	end := func(x float64) string {
		if math.IsInf(x, 0) {
			return strings.TrimPrefix(strings.Replace(fmt.Sprint(x), "Inf", "∞", 1), "+")
		}
		return wording.Value(x)
	}
	return end(low) + " to " + end(high)
}

// explain explains the cell under the cursor.
func (r *room) explain(s views.State) []views.Figure {
	known, _ := r.table(s)
	if known == nil {
		return []views.Figure{{Name: "Tables", Value: draw.Count(len(definitions(s))),
			Definition: "Number of tables of the session. A table of counts or sums is published with the protected file; cells that " +
				"reveal too much about a contributor are suppressed.",
			Source: measure.SourceHundep + ", chapter 4"}}
	}
	t, safety := known.table, &known.safety
	cell := r.under(t)
	e := t.Explain(cell)
	_, text := verdict(s.Theme, t, cell)
	values := append([]string{text}, e.Rules...)
	if e.Change != "" {
		values = append(values, "change: "+e.Change)
	}
	for _, equation := range e.Revealing {
		values = append(values, equation.String())
	}
	return []views.Figure{
		{Name: "Cell " + strings.Join(e.Codes, " × "), Value: value(t, cell),
			Definition: "The value that the table would publish. A rule makes a cell sensitive if its value reveals too much about " +
				"one of its contributors. An intruder recalculates a suppressed cell from an equation, or a combination of equations, in which it is the only unknown.",
			Values: values, Source: measure.SourceHundep + ", section 4.2"},
		{Name: "Recalculable cells", Value: draw.Count(known.safety.Recalculable()),
			Definition: "Number of sensitive cells that an intruder can compute exactly from the equations between published and " +
				"suppressed cells, or with the value of another cell to which the intruder is the only contributor.",
			Formula: "rank of the equations in the suppressed cells, computed modulo 2^61 - 1",
			Values: []string{"from published cells: " + draw.Count(len(safety.Open)),
				"recalculable by a single contributor: " + draw.Count(len(safety.Insiders))},
			Source: measure.SourceHundep + ", section 4.3"},
	}
}
