package publish

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/tables/adjust"
	"github.com/sdcdesk/sdcdesk/engine/tables/cellkey"
	"github.com/sdcdesk/sdcdesk/engine/tables/smallcounts"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// smallCounts rounds inner cells below a base to 0 or the base. Inner cells with another published value have not changed.
type smallCounts struct{ base float64 }

func newSmallCounts(of []float64) (perturbation, string) { return smallCounts{of[0]}, base(of) }

func (p smallCounts) perturb(_ context.Context, t *Table) (values []float64, bound float64, err error) {
	if err := t.needCounts(); err != nil {
		return nil, 0, err
	}
	for _, count := range smallcounts.Round(t.Table, int(p.base)) {
		values = append(values, float64(count))
	}
	return values, 0, nil
}

func (p smallCounts) possible(t *Table, cell int, published float64) (low, high float64) {
	switch {
	case !t.Inner(cell):
		return 0, math.Inf(1)
	case published == 0:
		return 0, p.base - 1
	case published == p.base:
		return 1, p.base
	}
	return published, published
}

func (p smallCounts) explain(t *Table, cell int) string {
	switch value := t.Cells[cell].Value; {
	case !t.Inner(cell):
		return "the sum of the rounded counts"
	case value > 0 && value < p.base:
		return fmt.Sprintf("a count below %v becomes 0 or %v", p.base, p.base)
	}
	return fmt.Sprintf("an inner cell with 0, or %v or more, keeps its count", p.base)
}

func (p smallCounts) describe() string {
	return fmt.Sprintf("Counts below %v were rounded to 0 or %v in the cells that are not sums; the sums are those of the rounded counts.",
		p.base, p.base)
}

// cellKeys changes each count by a draw that depends on its records alone. Empty cells stay empty.
type cellKeys struct {
	transition *cellkey.Transition
	cellkey.Parameters
}

func newCellKeys(of []float64) (perturbation, string) {
	p := cellkey.Parameters{Most: int(of[0]), Variance: of[1], Never: int(of[2])}
	if float64(p.Most) != of[0] || float64(p.Never) != of[2] {
		return nil, "the largest change and the largest count that never appears must be integers"
	}
	transition, err := cellkey.New(p)
	if err != nil {
		return nil, err.Error()
	}
	return cellKeys{transition, p}, ""
}

func (p cellKeys) perturb(_ context.Context, t *Table) (values []float64, bound float64, err error) {
	if err := t.needCounts(); err != nil {
		return nil, 0, err
	}
	if t.Keys == nil {
		return nil, 0, fmt.Errorf("%w: cell-key needs the records of the table, and a seed for their keys", tabular.ErrTable)
	}
	for cell, key := range t.Keys {
		values = append(values, float64(p.transition.Perturbed(int(t.Cells[cell].Value), cellkey.Key(key))))
	}
	return values, 0, nil
}

func (p cellKeys) possible(_ *Table, _ int, published float64) (low, high float64) {
	return max(min(1, published), published-float64(p.Most)), published + float64(p.Most)
}

func (p cellKeys) explain(t *Table, cell int) string {
	if t.Cells[cell].Value == 0 {
		return "an empty cell stays empty"
	}
	return fmt.Sprintf("the change follows from the count and the cell key, %.4f", cellkey.Key(t.Keys[cell]))
}

func (p cellKeys) describe() string {
	text := fmt.Sprintf("Each count was changed at random by %d at most, with mean 0 and variance %v; totals are not the sums of their parts.",
		p.Most, p.Variance)
	if p.Never > 0 {
		text += fmt.Sprintf(" Counts of 1 to %d are never published.", p.Never)
	}
	return text
}

// rounding rounds all cells to a neighbouring multiple of a base; the table adds up.
type rounding struct{ base float64 }

func newRounding(of []float64) (perturbation, string) { return rounding{of[0]}, base(of) }

func (p rounding) perturb(ctx context.Context, t *Table) (values []float64, bound float64, err error) {
	rounded, err := adjust.Round(ctx, t.Table, p.base)
	if err != nil {
		return nil, 0, err
	}
	return rounded.Values, rounded.Bound, nil
}

func (p rounding) possible(t *Table, _ int, published float64) (low, high float64) {
	if t.counts() {
		return published - p.base + 1, published + p.base - 1
	}
	return published - p.base, published + p.base
}

func (p rounding) explain(t *Table, cell int) string {
	low := p.base * math.Floor(t.Cells[cell].Value/p.base)
	if low == t.Cells[cell].Value {
		return fmt.Sprintf("a multiple of %v stays", p.base)
	}
	return fmt.Sprintf("rounded to %s or %s, so that the sums hold", wording.Value(low), wording.Value(low+p.base))
}

func (p rounding) describe() string {
	return fmt.Sprintf("All values were rounded to multiples of %s. Each differs from the true one by less than %s, and the table adds up.",
		wording.Value(p.base), wording.Value(p.base))
}

// adjustment moves sensitive cells out of their protection intervals, and other cells so that the table adds up. Which
// cells changed is not published, nor by how much, so that nothing is known of any cell. A sensitive cell that did not
// move by its level counts as published.
type adjustment struct{ relative bool }

// level is by how much a sensitive cell must move. Those published by hand stay.
func (p adjustment) level(t *Table, cell int) (level float64, moves bool) {
	level = t.Level(cell)
	if t.counts() {
		level = max(1, math.Ceil(level))
	}
	return level, t.Sensitive(cell) && !t.mustPublish(cell)
}

func (p adjustment) perturb(ctx context.Context, t *Table) (values []float64, bound float64, err error) {
	bounds, unit := t.all.anyTable(), adjust.Unit(t.Table)
	cells := adjust.Cells{Bounds: bounds, Weight: func(cell int) float64 {
		if p.relative {
			return 1 / max(1, math.Abs(t.Cells[cell].Value))
		}
		return 1
	}, Level: func(cell int) (lower, upper float64, sensitive bool) {
		level, moves := p.level(t, cell)
		level = unit * math.Ceil(level/unit)
		return level, level, moves
	}}
	stays := func(bound func(cell int) float64) func(cell int) float64 {
		return func(cell int) float64 {
			if t.mustPublish(cell) {
				return t.Cells[cell].Value
			}
			return bound(cell)
		}
	}
	cells.Bounds.Low, cells.Bounds.High = stays(bounds.Low), stays(bounds.High)
	adjusted, err := adjust.Adjust(ctx, t.Table, cells)
	if err != nil {
		return nil, 0, err
	}
	for i, v := range adjusted.Values {
		adjusted.Values[i] = tabular.Rounded(v)
	}
	if p.relative {
		adjusted.Bound = 0 // of relative changes
	}
	return adjusted.Values, adjusted.Bound, nil
}

func (p adjustment) possible(t *Table, cell int, published float64) (low, high float64) {
	const close = 1e-3 // the search for the adjusted table is no more precise
	level, _ := p.level(t, cell)
	if t.Sensitive(cell) && math.Abs(published-t.Cells[cell].Value) < level*(1-close) {
		return published, published
	}
	return math.Inf(-1), math.Inf(1)
}

func (p adjustment) explain(t *Table, cell int) string {
	level, moves := p.level(t, cell)
	switch {
	case moves:
		return "moved by its protection level of " + wording.Value(level) + " or more"
	case t.Changed(cell):
		return "changed so that the sums hold"
	}
	return "not changed"
}

func (p adjustment) describe() string {
	return "Some values were changed to protect contributors; the table adds up."
}
