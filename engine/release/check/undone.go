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

// found returns what other variables reveal, or nil if that is not assessed.
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

// undone finds the guarantee that most records violate when suppressed cells are filled in. It first fills in the
// cells that members of the household, or unmasked variables that determine them, reveal. If these violate no
// guarantee, it fills in all cells that can be inferred, and the finding is a warning.
func (r *release) undone(ctx context.Context, kept []*guarantee) ([]Finding, error) {
	if len(kept) == 0 {
		return nil, nil
	}
	result, err := r.found(ctx)
	if result == nil || err != nil {
		return nil, err
	}
	for _, fill := range []inferable{{determined: true}, {}} {
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

// breach has the number of records that violate a guarantee when cells are filled in, and of those that are
// unique.
type breach struct {
	*guarantee
	cells, count, unique int
}

// undoes returns the finding for a breach.
func (r *release) undoes(ctx context.Context, kept []*guarantee, worst *breach, result *inference.Result, fill inferable) (
	f Finding, err error) {
	suppressed, _, _ := result.Suppressed()
	f = r.finding(worst.keys, worst.count, fmt.Sprintf("Step %d made the file k-anonymous with k = %d, but %s of its %s can be inferred from %s. With these "+
		"cells filled in, %s %d-anonymity and %s.", worst.step, worst.K, wording.Number(worst.cells), wording.Counted(suppressed,
		"suppressed cell"), wording.Listed(wording.FirstFew(fill.sources(result), 8)), wording.Does(worst.count, "record", "violate"),
		worst.K, wording.CountedAs(worst.unique, "record is unique", "records are unique")))
	f.warning = !fill.determined
	if names := revealedBy(fill.evidence(result), inference.Household); len(names) > 0 {
		f.Fixes = append(f.Fixes, r.inHouseholds(worst.guarantee, names))
	}
	if r.Unfixed {
		return f, nil
	}
	every := inferable{} // so that no warning remains after a fix
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

// inHouseholds returns the fix that suppresses key variables in whole households. It replaces the step that
// guarantees k-anonymity, which needs fewer cells. If that is not possible, or later steps suppressed cells, it
// adds a step that also suppresses cells of members of records that lost theirs before.
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

// inferable selects the suppressed cells to fill in: all that can be inferred or, if determined is set, only those
// revealed by the household or by variables that determine them.
type inferable struct{ determined bool }

// evidence returns what reveals the cells.
func (fill inferable) evidence(result *inference.Result) []inference.Inferred {
	return slices.DeleteFunc(slices.Clone(result.Inferred), func(t inference.Inferred) bool {
		return t.Recoded || fill.determined && !t.Determines
	})
}

// sources names what reveals the cells, each once.
func (fill inferable) sources(result *inference.Result) (names []string) {
	for _, t := range fill.evidence(result) {
		name := t.Source()
		if t.Kind == inference.Pair {
			name = strings.Join(t.By, " with ")
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// revealedBy returns the key variables revealed by a kind of evidence, or by any if kind is "".
func revealedBy(evidence []inference.Inferred, kind inference.Kind) (names []string) {
	for _, t := range evidence {
		if (kind == "" || t.Kind == kind) && !slices.Contains(names, t.Variable) {
			names = append(names, t.Variable)
		}
	}
	return names
}

// undoneMost returns the guarantee that most records violate when cells are filled in, with the numbers of
// records.
func (r *release) undoneMost(ctx context.Context, kept []*guarantee, result *inference.Result, fill inferable) (worst breach,
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

// mostRounds limits the number of rounds of removing variables, because some reveal something only after others
// were removed.
const mostRounds = 4

// enough returns variables after whose removal all guarantees hold with cells filled in. of returns the variables
// that a result suggests removing. It returns none if removal is not sufficient.
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
		if worst, err := r.undoneMost(ctx, rest, result, inferable{}); worst.count == 0 || err != nil {
			return names, err
		}
	}
	return nil, nil
}
