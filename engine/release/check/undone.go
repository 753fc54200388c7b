package check

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
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

// undone finds the guarantee that the most records violate when the suppressed cells that
// other variables reveal are filled in.
func (r *release) undone(ctx context.Context, kept []*guarantee) ([]Finding, error) {
	if len(kept) == 0 {
		return nil, nil
	}
	result, err := r.found(ctx)
	if result == nil || err != nil {
		return nil, err
	}
	worst, most, err := r.undoneMost(ctx, kept, result)
	if most == 0 || err != nil {
		return nil, err
	}
	data, cells := result.Filled(r.data)
	unique, err := r.violatingOf(ctx, worst, data, 2)
	if err != nil {
		return nil, err
	}
	suppressed, _, _ := result.Blanked()
	f := Finding{Variables: worst.keys, Count: most, Of: r.data.Records(),
		Text: fmt.Sprintf("Step %d made the file k-anonymous with k = %d, but %s of its %s can be inferred from %s. With these "+
			"cells filled in, %s k = %d and %s.", worst.step, worst.K, wording.Number(cells), wording.Counted(suppressed,
			"suppressed cell"), wording.Listed(wording.FirstFew(tellersOf(result), 8)), wording.Does(most, "record", "violate"),
			worst.K, wording.CountedAs(unique, "record is unique", "records are unique"))}
	if slices.ContainsFunc(suppressedOf(result), func(t inference.Told) bool { return t.Kind == inference.Household }) {
		f.Text += " Local suppression over households prevents it: undo that step, make " +
			list(revealedOf(result)) + " the same for households, and suppress again."
	}
	for _, of := range []func(*inference.Result) []string{r.revealing, revealedOf} {
		names, err := r.enough(ctx, kept, result, of)
		if err != nil {
			return nil, err
		}
		if len(names) > 0 {
			f.Fixes = append(f.Fixes, leaving(names...))
		}
	}
	return []Finding{f}, nil
}

// undoneMost returns the guarantee that the most records violate when revealed cells are
// filled in, and their number.
func (r *release) undoneMost(ctx context.Context, kept []*guarantee, result *inference.Result) (worst *guarantee, most int,
	err error) {
	data, cells := result.Filled(r.data)
	for i := 0; i < len(kept) && cells > 0; i++ {
		count, err := r.violatingOf(ctx, kept[i], data, kept[i].K)
		if err != nil {
			return nil, 0, err
		}
		if count > most {
			worst, most = kept[i], count
		}
	}
	return worst, most, nil
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
			scenario.Assign(name, microdata.RoleRemoved)
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
		if _, most, err := r.undoneMost(ctx, rest, result); most == 0 || err != nil {
			return names, err
		}
	}
	return nil, nil
}

// suppressedOf returns what is revealed of suppressed cells.
func suppressedOf(result *inference.Result) []inference.Told {
	return slices.DeleteFunc(slices.Clone(result.Told), func(t inference.Told) bool { return t.Recoded })
}

// revealing returns variables without which none of a result reveals suppressed cells.
func (r *release) revealing(result *inference.Result) []string {
	return r.tellers(suppressedOf(result))
}

// revealedOf returns the key variables with suppressed cells that are revealed.
func revealedOf(result *inference.Result) (names []string) {
	for _, t := range suppressedOf(result) {
		if !slices.Contains(names, t.Variable) {
			names = append(names, t.Variable)
		}
	}
	return names
}

// tellersOf names what reveals suppressed cells, each once.
func tellersOf(result *inference.Result) (names []string) {
	for _, t := range suppressedOf(result) {
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
