package check

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
)

// inferred finds key variables whose suppressed cells, or whose categories before a recode, can be inferred from
// other variables.
func (r *release) inferred(ctx context.Context) ([]Finding, error) {
	result, err := r.found(ctx)
	if result == nil || err != nil {
		return nil, err
	}
	var found []Finding
	for i := range result.Keys {
		key := &result.Keys[i]
		evidence := slices.DeleteFunc(slices.Clone(result.Inferred), func(t inference.Inferred) bool {
			return t.Variable != key.Variable || t.Recoded != key.Recoded
		})
		count := key.Exactly.True + key.Probably.True
		// Categories before a recode are inferred with the help of the original, so a few are inferred by chance.
		if len(evidence) == 0 || count == 0 || key.Recoded && 2*count < key.Cells {
			continue
		}
		leave := r.without(evidence)
		form, cell := "%s of the %s of %s can be inferred from other variables, most of them from %s.", "suppressed cell"
		if key.Recoded {
			form, cell = "%s of the %s of %s can be inferred by an intruder who knows the original, most of them from %s.", "recoded cell"
		}
		found = append(found, Finding{Variables: append([]string{key.Variable}, leave...), Count: count, Of: key.Cells, unit: cell,
			Text: fmt.Sprintf(form, wording.Number(count), wording.Counted(key.Cells, cell), key.Variable,
				evidence[0].Source()),
			Fixes: []Fix{leaving(leave...)}})
	}
	return append(append(found, sums(result)...), orders(result)...), nil
}

// sums finds sums that reveal masked or suppressed values.
func sums(result *inference.Result) (found []Finding) {
	for _, sum := range result.Sums {
		term := sum.Terms[len(sum.Terms)-1].Variable
		found = append(found, Finding{Variables: []string{sum.Variable, term}, Count: sum.Inferred.True, Of: sum.Cells, unit: "cell",
			Text: fmt.Sprintf("%s of the %s of %s can be calculated from a sum: %s.",
				wording.Number(sum.Inferred.True), wording.Counted(sum.Cells, "masked or suppressed cell"), sum.Variable, sum.Formula()),
			Fixes: []Fix{leaving(term)}})
	}
	return found
}

// orders finds variables that reveal the order of masked values.
func orders(result *inference.Result) (found []Finding) {
	for _, order := range result.Orders {
		found = append(found, Finding{Variables: []string{order.Variable, order.By}, Count: order.Right, Of: order.Pairs, unit: "pair",
			Text: fmt.Sprintf("%s reveals the order of the original values of %s, for %s of %s.", order.By,
				order.Variable, wording.Number(order.Right), wording.Counted(order.Pairs, "pair")),
			Fixes: []Fix{leaving(order.By)}})
	}
	return found
}

// without returns variables whose removal leaves nothing to infer: for a pair one of them, preferably not a key
// variable.
func (r *release) without(evidence []inference.Inferred) (names []string) {
	for i := range evidence {
		by := evidence[i].By
		if slices.ContainsFunc(by, func(name string) bool { return slices.Contains(names, name) }) {
			continue
		}
		one := by[0]
		if len(by) > 1 && slices.Contains(r.scenario.Keys, one) {
			one = by[1]
		}
		names = append(names, one)
	}
	return names
}
