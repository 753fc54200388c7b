package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// tableAudit is a protected table with what an intruder learns from it.
type tableAudit struct {
	table     *publish.Table
	safety    publish.Safety
	intervals *publish.Intervals
	loss      publish.Loss
}

func newTableAudit(table *publish.Table, intervals *publish.Intervals) *tableAudit {
	return &tableAudit{table, table.Safety(), intervals, table.Loss()}
}

// refused reports a table whose sensitive cells are open, or have one possible integer.
func (a *tableAudit) refused() error {
	cells := slices.Concat(a.safety.Open, a.intervals.OneInteger)
	if n := len(cells); n > 0 {
		d, advice := a.table.Definition, "Use --protect intervals"
		if a.table.Perturbs() {
			advice += " or a larger base"
		}
		if slices.ContainsFunc(d.States, func(c microdata.CellState) bool { return c.State == microdata.StateForced }) {
			advice += ", force no cell"
		}
		return fmt.Errorf("table %w: an intruder can recalculate %s of the table; the first is %v. %s, or in a sparse table "+
			"suppress empty cells (--rule frequency:3,0,zeros) or merge categories", session.ErrCritical,
			wording.Counted(n, "sensitive cell"), a.table.Codes(cells[0]), advice)
	}
	return nil
}

// text is the audit for people.
func (a *tableAudit) text() string {
	rows := [][]string{{"table", a.size()}, {"sensitive cells", a.sensitive()}}
	rows = append(rows, a.lost()...)
	rows = append(rows, []string{"recalculable by anyone", wording.Number(len(a.safety.Open))},
		[]string{"by a single contributor", wording.Number(len(a.safety.Insiders))})
	if a.intervals.Of == nil {
		rows = append(rows, []string{"narrow intervals", "not searched; use --intervals"})
	} else {
		rows = append(rows, []string{"one possible integer", wording.Number(len(a.intervals.OneInteger))},
			[]string{"interval too narrow", wording.Number(len(a.intervals.TooNarrow))})
	}
	lines := draw.Aligned(rows, []bool{false, false}, 0)
	for _, reason := range a.reasons() {
		lines = append(lines, draw.Safe(reason))
	}
	return strings.Join(lines, "\n") + "\n"
}

// lost describes what protection costs.
func (a *tableAudit) lost() [][]string {
	l := &a.loss
	if !a.table.Perturbs() {
		rows := [][]string{{"suppressed cells", fmt.Sprintf("%s sensitive and %s secondary; suppressed value %s", wording.Number(l.Primary),
			wording.Number(l.Secondary), wording.Percent((l.PrimaryValue+l.SecondaryValue)/l.Value))}}
		if l.Bound > 0 {
			rows = append(rows, []string{a.table.Definition.CostName(), wording.Value(l.Cost) + ", " + l.Bounded()})
		}
		return rows
	}
	change := fmt.Sprintf("%s, %s on average, %s in all", wording.Value(l.Largest), wording.Amount(l.Mean()), wording.Value(l.Change))
	if l.Bound > 0 {
		change += "; " + l.Bounded()
	}
	rows := [][]string{{"changed cells", wording.Number(l.Changed)}, {"largest change", change}}
	if seed := a.table.Definition.Seed; seed != 0 {
		rows = append(rows, []string{"seed", fmt.Sprintf("%d (keep it secret)", seed)})
	}
	return rows
}

// size describes the table.
func (a *tableAudit) size() string {
	var by []string
	for _, tree := range a.table.Trees {
		by = append(by, fmt.Sprintf("%s (%s)", tree.Variable, wording.Counted(len(tree.Nodes), "code")))
	}
	return draw.Safe(fmt.Sprintf("%s by %s: %s, %s of them empty", a.table.ValueName(), strings.Join(by, ", "),
		wording.Counted(len(a.table.Cells), "cell"), wording.Number(len(a.table.Cells)-a.loss.Cells)))
}

// sensitive counts the sensitive cells by the first rule that each breaks.
func (a *tableAudit) sensitive() string {
	counts := make([]int, len(a.table.Rules)+1)
	for cell := range a.table.Cells {
		if rule, ok := a.table.Rule(cell); ok {
			counts[rule]++
		}
	}
	var parts []string
	for i, rule := range a.table.Rules {
		parts = append(parts, fmt.Sprintf("%s: %s", rule, wording.Number(counts[i])))
	}
	if byHand := counts[len(a.table.Rules)]; byHand > 0 {
		parts = append(parts, "set to sensitive: "+wording.Number(byHand))
	}
	return fmt.Sprintf("%s (%s)", wording.Number(a.safety.Sensitive), strings.Join(parts, "; "))
}

// reasons lists the first open cells with the equations that reveal them.
func (a *tableAudit) reasons() (lines []string) {
	const most = 5
	for _, cell := range a.safety.Open[:min(most, len(a.safety.Open))] {
		lines = append(lines, "", a.table.WhyOpen(cell))
	}
	if more := len(a.safety.Open) - most; more > 0 {
		lines = append(lines, "", wording.Counted(more, "more cell")+" can be recalculated.")
	}
	return lines
}

// tableObject is an audit in JSON.
type tableObject struct {
	Definition *microdata.TableDefinition `json:"definition"`
	Size       int                        `json:"cells"`
	Empty      int                        `json:"empty"`
	Sensitive  int                        `json:"sensitive"`
	Secondary  int                        `json:"secondary"`
	Suppressed float64                    `json:"share_of_value_suppressed"`
	Changed    int                        `json:"changed_cells"`
	Largest    float64                    `json:"largest_change"`
	Change     float64                    `json:"sum_of_changes"`
	Bound      float64                    `json:"lower_bound,omitempty"` // of the sum of changes, or of the cost of secondary cells
	Open       int                        `json:"recalculable"`
	Insiders   int                        `json:"recalculable_by_insiders"`
	OneInteger *int                       `json:"one_integer_left"`    // null: not searched
	TooNarrow  *int                       `json:"interval_too_narrow"` // null: not searched
	Cells      []cellObject               `json:"suppressed_cells"`
}

type cellObject struct {
	Codes     []string `json:"codes"`
	Sensitive bool     `json:"sensitive"`
	Rule      string   `json:"rule,omitempty"`
	Open      bool     `json:"recalculable"`
	Revealing []string `json:"equations,omitempty"`
}

// object lists the suppressed and the open cells.
func (a *tableAudit) object() *tableObject {
	object := &tableObject{Definition: a.table.Definition, Size: len(a.table.Cells), Empty: len(a.table.Cells) - a.loss.Cells,
		Sensitive: a.safety.Sensitive, Secondary: a.loss.Secondary, Open: len(a.safety.Open), Insiders: len(a.safety.Insiders),
		Changed: a.loss.Changed, Largest: a.loss.Largest, Change: a.loss.Change, Bound: a.loss.Bound, Cells: []cellObject{}}
	if a.loss.Value > 0 {
		object.Suppressed = (a.loss.PrimaryValue + a.loss.SecondaryValue) / a.loss.Value
	}
	if a.intervals.Of != nil {
		object.OneInteger, object.TooNarrow = given(len(a.intervals.OneInteger), true), given(len(a.intervals.TooNarrow), true)
	}
	open := map[int]bool{}
	for _, cell := range a.safety.Open {
		open[cell] = true
	}
	for cell := range a.table.Cells {
		if !a.table.Suppressed(cell) && !open[cell] {
			continue
		}
		one := cellObject{Codes: a.table.Codes(cell), Sensitive: a.table.Sensitive(cell), Open: open[cell]}
		if rule, ok := a.table.Rule(cell); ok && rule < len(a.table.Rules) {
			one.Rule = a.table.Rules[rule].String()
		}
		if open[cell] {
			for _, e := range a.table.Revealing(cell) {
				one.Revealing = append(one.Revealing, e.String())
			}
		}
		object.Cells = append(object.Cells, one)
	}
	return object
}
