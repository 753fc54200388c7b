package publish

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// perturbation is a protection that publishes all cells, with other values. Its parameters are no secret.
type perturbation interface {
	// perturb returns the published values, by cell, and a lower bound of the sum of their changes; 0: none is known.
	perturb(ctx context.Context, t *Table) (values []float64, bound float64, err error)
	// possible returns the smallest and the largest true value of a cell with some published value, as far as the method
	// limits it. They are equal if the published value is the true one.
	possible(t *Table, cell int, published float64) (low, high float64)
	// explain says why a cell has its published value.
	explain(t *Table, cell int) string
	// describe says to users of the table how values were changed.
	describe() string
}

// perturbations are the protections that change values, with the defaults of their parameters.
var perturbations = map[microdata.Protection]struct {
	form     string
	defaults []float64
	of       func(of []float64) (p perturbation, problem string)
}{
	microdata.ProtectSmallCounts: {":BASE", []float64{3}, newSmallCounts},
	microdata.ProtectCellKey:     {":LARGEST,VARIANCE,NEVER", []float64{5, 3, 2}, newCellKeys},
	microdata.ProtectRounding:    {":BASE", []float64{5}, newRounding},
	microdata.ProtectAdjustment:  {"", nil, func([]float64) (perturbation, string) { return adjustment{}, "" }},
	microdata.ProtectRelative:    {"", nil, func([]float64) (perturbation, string) { return adjustment{relative: true}, "" }},
}

// parse returns the perturbation of a protection; nil: it suppresses cells. Errors wrap tabular.ErrDefinition.
func parse(protect microdata.Protection) (perturbation, error) {
	name, parameters := protect.Split()
	kind, known := perturbations[name]
	switch {
	case known:
	case protect.Priced(), protect == microdata.ProtectPrimary:
		return nil, nil
	default:
		return nil, fmt.Errorf("%w: protection %q; leave it out for intervals, or write gauss, optimal, none, small-counts, cell-key, "+
			"controlled-rounding, adjustment or relative-adjustment", tabular.ErrDefinition, wording.Excerpt(string(protect)))
	}
	numbers, problem := kind.defaults, ""
	if parameters != "" {
		numbers = nil
		for word := range strings.SplitSeq(parameters, ",") {
			x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
			if err != nil {
				x = math.NaN()
			}
			numbers = append(numbers, x)
		}
	}
	if len(numbers) != len(kind.defaults) {
		problem = "wrong number of parameters"
	}
	var p perturbation
	if problem == "" {
		p, problem = kind.of(numbers)
	}
	if problem != "" {
		return nil, fmt.Errorf("%w: protection %q; the form is %s%s: %s", tabular.ErrDefinition, wording.Excerpt(string(protect)),
			name, kind.form, problem)
	}
	return p, nil
}

// base checks the rounding base.
func base(of []float64) (problem string) {
	if b := of[0]; !(b >= 2 && b <= 1e12) || b != math.Trunc(b) {
		return "the base must be an integer of 2 or more"
	}
	return ""
}

// Perturbs reports whether the protection changes values instead of suppressing cells.
func (t *Table) Perturbs() bool { return t.perturbation != nil }

// Described says to users of the table how its values were changed; "": they were not.
func (t *Table) Described() string {
	if t.perturbation == nil {
		return ""
	}
	return t.perturbation.describe()
}

// Published returns the published value of a cell; ok is false if it is suppressed.
func (t *Table) Published(cell int) (value float64, ok bool) {
	switch {
	case t.Suppressed(cell):
		return math.NaN(), false
	case t.published != nil:
		return t.published[cell], true
	}
	return tabular.Rounded(t.Cells[cell].Value), true
}

// Changed reports whether a cell is published with another value.
func (t *Table) Changed(cell int) bool {
	value, ok := t.Published(cell)
	return ok && value != tabular.Rounded(t.Cells[cell].Value)
}

// Hidden reports whether no table publishes the true value of a cell.
func (t *Table) Hidden(cell int) bool { return t.all.hides(int32(t.place(cell))) }

// perturbed returns the table with the published values of its perturbation. Errors wrap tabular.ErrTable, those of the
// methods, or are those of the context.
func (t *Table) perturbed(ctx context.Context) (*Table, error) {
	if _, adjusts := t.perturbation.(adjustment); !adjusts {
		for _, s := range t.Definition.States {
			if cell, err := t.Find(s.Codes); err == nil && t.mustPublish(cell) {
				return nil, fmt.Errorf("%w: cell %v is %s, but %s can change every cell; use adjustment, or suppress cells",
					tabular.ErrTable, s.Codes, s.State, t.Definition.Protect)
			}
		}
	}
	values, bound, err := t.perturbation.perturb(ctx, t)
	if err != nil {
		return nil, err
	}
	out := *t
	out.published, out.bound = values, bound
	return &out, nil
}

// needCounts reports a table of other values than counts.
func (t *Table) needCounts() error {
	if t.counts() && !t.negatives() {
		return nil
	}
	return fmt.Errorf("%w: %s is for unweighted counts; use controlled-rounding or adjustment", tabular.ErrTable, t.Definition.Protect)
}
