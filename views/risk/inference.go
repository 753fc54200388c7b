package risk

import (
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Inference is the pane of attribute inference: which variables tell what protection took
// away, by key variable, the surest first.
type Inference struct{ views.TablePane }

// NewInference returns the pane of attribute inference.
func NewInference() *Inference {
	p := &Inference{TablePane: views.TablePane{PaneID: "inference", Heading: "Attribute inference", Risk: true}}
	p.Content = p.table
	p.Explained = func(s views.State) []views.Figure { return s.ExplainedOpen(inference.Name) }
	p.Actions = func() []views.KeyAction {
		return []views.KeyAction{views.Emits("enter", "compute, parameters", views.ComputeMeasure{Name: inference.Name}),
			showingKey(inference.Name), views.Stopping(inference.Name)}
	}
	return p
}

// IsOf reports whether the pane shows what the measure tells.
func (*Inference) IsOf(name string) bool { return name == inference.Name }

// inferred is a row: what is told, by what, and how surely.
type inferred struct {
	variable, what, by string
	others             []string // the variables that tell it
	exactly, probably  string
	base               float64
	bits               string
}

func inferredFrom(found *inference.Result) (rows []inferred) {
	for i := range found.Told {
		t := &found.Told[i]
		what := "blanked"
		if t.Recoded {
			what = "recoded"
		}
		rows = append(rows, inferred{t.Variable, what, t.Teller(), t.By, claimed(t.Exactly), claimed(t.Probably), t.Base,
			fmt.Sprintf("%.2f", t.Bits)})
	}
	for i := range found.Sums {
		sum := &found.Sums[i]
		row := inferred{sum.Variable, "values", sum.Formula(), nil, claimed(sum.Told), draw.NoFigure, sum.Base, draw.NoFigure}
		for _, term := range sum.Terms {
			row.others = append(row.others, term.Variable)
		}
		rows = append(rows, row)
	}
	for _, o := range found.Orders {
		rows = append(rows, inferred{o.Variable, "order", o.By, []string{o.By}, draw.NoFigure,
			wording.Percent(o.Right, o.Pairs), o.Base, draw.NoFigure})
	}
	return rows
}

// claimed spells right claims, and wrong ones where there are some: "617", "173 −27".
func claimed(c inference.Claims) string {
	if c.False == 0 {
		return draw.Count(c.True)
	}
	return draw.Count(c.True) + " −" + draw.Count(c.False)
}

func (p *Inference) table(s views.State, _ int) draw.Table {
	o := s.Measured(inference.Name)
	if o == nil && s.Current.Data != nil && s.Current.Data.Grouped() {
		return draw.Table{Instead: "Attribute inference needs the records; this file has counts of groups."}
	}
	if o == nil {
		return draw.Table{Instead: "Attribute inference shows which suppressed or recoded values an intruder can infer from other variables, or from members of the household. enter computes it."}
	}
	if text := o.Waiting(); text != "" {
		return draw.Table{Instead: text}
	}
	found, ok := o.Current.Values.Result.(*inference.Result)
	if !ok {
		return draw.Table{Instead: s.Waiting()}
	}
	rows := inferredFrom(found)
	return draw.Table{Rows: len(rows), None: "nothing tells what was blanked or recoded",
		Columns: []draw.Column{{Head: "variable", Most: 16}, {Head: "what", Most: 8, Rank: 1}, {Head: "told by", Size: 10, Most: 40},
			{Head: "exactly", Kind: draw.Counts, Size: 7}, {Head: "probably", Kind: draw.Counts, Size: 8, Rank: 2},
			{Head: "base", Kind: draw.Counts, Size: 8, Rank: 3}, {Head: "bits", Kind: draw.Counts, Size: 5, Rank: 4}},
		Row: func(row int) []draw.Cell {
			r := &rows[row]
			return []draw.Cell{{Text: r.variable}, {Text: r.what, Style: &s.Faint}, {Text: r.by, Style: &s.Strong},
				{Text: r.exactly, Style: &s.High}, {Text: r.probably}, {Text: wording.MeanRisk(r.base)}, {Text: r.bits}}
		},
		Choose: func(row int) draw.Action {
			if len(rows[row].others) == 0 {
				return draw.Handled{}
			}
			return views.SelectVariable{Name: rows[row].others[0]}
		},
		Above: func(width, height int) []string {
			text := " no cell of a key variable was blanked"
			if cells, exact, probable := found.Blanked(); cells > 0 {
				text = fmt.Sprintf(" %s of %s blanked cells can be told from others, %s exactly",
					draw.Count(exact.True+probable.True), draw.Count(cells), draw.Count(exact.True))
			}
			return withNews(s, o, []string{s.Strong.Fit(text, width)}, width)
		},
		Status: func(width int) []string {
			if len(rows) == 0 || o.Stale {
				return nil
			}
			r := &rows[max(0, min(p.Cursor.At, len(rows)-1))]
			return []string{s.Faint.Fit(" leave "+draw.Label(strings.Join(r.others, " or "))+" out, recode it, or blank its cells too", width)}
		}}
}
