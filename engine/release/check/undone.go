package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// found returns what other variables reveal; nil if that is not assessed.
func (r *release) found(ctx context.Context) (*inference.Result, error) {
	in := measure.Input{Original: r.Original, Current: r.Released}
	// Without the original, missing cells may have been missing in the source.
	if r.Original == nil || r.data.Grouped() || (inference.Measure{}).Needs(in) != "" {
		return nil, nil
	}
	if r.revealed == nil {
		result, err := inference.Find(ctx, in, nil)
		if err != nil {
			return nil, err
		}
		r.revealed = result
	}
	return r.revealed, nil
}

// undone finds the guarantee that the most records violate when suppressed cells are filled in: those that members of
// the household, or unmasked variables that determine them, reveal; and as a warning, if these undo nothing, all that others
// reveal.
func (r *release) undone(ctx context.Context, kept []*guarantee) ([]Finding, error) {
	if len(kept) == 0 {
		return nil, nil
	}
	result, err := r.found(ctx)
	if result == nil || err != nil {
		return nil, err
	}
	for _, fill := range []filling{{determined: true}, {}} {
		worst, err := r.undoneMost(ctx, kept, result, fill)
		if err != nil {
			return nil, err
		}
		if worst.count > 0 {
			f, err := r.undoes(ctx, kept, &worst, result, fill)
			return []Finding{f}, err
		}
	}
	return nil, nil
}

// breach says how many records violate a guarantee when some cells are filled in, and how many are unique.
type breach struct {
	*guarantee
	cells, count, unique int
}

// undoes is the finding that the most records violate a guarantee.
func (r *release) undoes(ctx context.Context, kept []*guarantee, worst *breach, result *inference.Result, fill filling) (
	f Finding, err error) {
	suppressed, _, _ := result.Suppressed()
	f = r.finding(worst.keys, worst.count, fmt.Sprintf("Step %d made the file k-anonymous with k = %d, but %s of its %s can be inferred from %s. With these "+
		"cells filled in, %s k = %d and %s.", worst.step, worst.K, wording.Number(worst.cells), wording.Counted(suppressed,
		"suppressed cell"), wording.Listed(wording.FirstFew(fill.sources(result), 8)), wording.Does(worst.count, "record", "violate"),
		worst.K, wording.CountedAs(worst.unique, "record is unique", "records are unique")))
	f.warning = !fill.determined
	if names := revealedBy(fill.evidence(result), inference.Household); len(names) > 0 {
		f.Fixes = append(f.Fixes, r.inHouseholds(worst.guarantee, names))
	}
	if r.Unfixed {
		return f, nil
	}
	every := filling{} // so that a fix leaves no warning behind
	revealing := func(result *inference.Result) []string { return r.without(every.evidence(result)) }
	revealed := func(result *inference.Result) []string { return revealedBy(every.evidence(result), "") }
	for _, of := range []func(*inference.Result) []string{revealing, revealed} {
		names, err := r.enough(ctx, kept, result, of)
		if err != nil {
			return f, err
		}
		if len(names) > 0 {
			f.Fixes = append(f.Fixes, leaving(names...))
		}
	}
	return f, nil
}

// inHouseholds is the fix that suppresses key variables in whole households: in place of the step that guarantees
// k-anonymity, which takes fewer cells, or, if it cannot or others suppressed cells after it, as a further step that has
// members lose the cells that were suppressed before.
func (r *release) inHouseholds(g *guarantee, names []string) Fix {
	again, fix := g.KAnonymity, Fix{Title: "suppress " + list(names) + " in whole households", Step: suppress.KAnonymitySpec().Name}
	later := slices.ContainsFunc(r.Steps[g.step:], func(step Step) bool { return step.Report.Suppression != nil })
	if m, ok := r.Steps[g.step-1].Method.(*suppress.KAnonymity); ok && !later {
		again, fix.Replace = *m, g.step
	} else if again.Strata == nil {
		again.Strata = []string{}
	}
	again.Households = slices.Clone(g.Households)
	for _, name := range names {
		if !slices.Contains(again.Households, name) {
			again.Households = append(again.Households, name)
		}
	}
	fix.Method = &again
	return fix
}

// filling says which suppressed cells are filled in: all that are revealed, or those alone that the household or what
// determines them reveals.
type filling struct{ determined bool }

// evidence returns what reveals the cells.
func (fill filling) evidence(result *inference.Result) []inference.Inferred {
	return slices.DeleteFunc(slices.Clone(result.Inferred), func(t inference.Inferred) bool {
		return t.Recoded || fill.determined && !t.Determines
	})
}

// sources names what reveals the cells, each once.
func (fill filling) sources(result *inference.Result) (names []string) {
	for _, t := range fill.evidence(result) {
		name := t.Teller()
		if t.Kind == inference.Pair {
			name = strings.Join(t.By, " with ")
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// revealedBy returns the key variables that are revealed by a kind of evidence; "": by any.
func revealedBy(evidence []inference.Inferred, kind inference.Kind) (names []string) {
	for _, t := range evidence {
		if (kind == "" || t.Kind == kind) && !slices.Contains(names, t.Variable) {
			names = append(names, t.Variable)
		}
	}
	return names
}

// undoneMost returns the guarantee that the most records violate when revealed cells are
// filled in, and their number.
func (r *release) undoneMost(ctx context.Context, kept []*guarantee, result *inference.Result, fill filling) (worst breach,
	err error) {
	data, cells := result.Filled(r.data, fill.determined)
	for i := 0; i < len(kept) && cells > 0; i++ {
		count, unique, err := r.violatingOf(ctx, kept[i], data)
		if err != nil {
			return worst, err
		}
		if count > worst.count {
			worst = breach{kept[i], cells, count, unique}
		}
	}
	return worst, nil
}

// mostRounds limits how often variables are left out that reveal something only after others
// were left out.
const mostRounds = 4

// enough returns variables without which all guarantees hold when revealed cells are filled
// in; of says which ones a result suggests. It returns none if they do not suffice.
func (r *release) enough(ctx context.Context, kept []*guarantee, result *inference.Result,
	of func(*inference.Result) []string) (names []string, err error) {
	for range mostRounds {
		more := of(result)
		if len(more) == 0 {
			return nil, nil
		}
		names = append(names, more...)
		scenario := r.scenario.Clone()
		var rest []*guarantee
		for _, name := range names {
			scenario.LeaveOut(name)
		}
		for _, g := range kept {
			less := *g
			less.keys = slices.DeleteFunc(slices.Clone(g.keys), func(name string) bool { return slices.Contains(names, name) })
			if len(less.keys) > 0 {
				rest = append(rest, &less)
			}
		}
		if result, err = inference.Find(ctx, measure.Input{Original: r.Original, Current: r.Released.Under(&scenario)}, nil); err != nil {
			return nil, err
		}
		if worst, err := r.undoneMost(ctx, rest, result, filling{}); worst.count == 0 || err != nil {
			return names, err
		}
	}
	return nil, nil
}
