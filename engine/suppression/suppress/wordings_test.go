package suppress

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Conflicting parameters are reported as they were given.
func TestKAnonymityParametersThatDoNotGoTogether(t *testing.T) {
	budget := 3.0
	for says, m := range map[string]*KAnonymity{
		"algorithm minimal or thorough, not sdcmicro": {K: 2, Algorithm: SDCMicro, Rule: "default", Budget: &budget},
		"the conservative rule, not default":          {K: 2, Algorithm: Minimal, Rule: "default", Budget: &budget},
		"cannot be used with subsets": {K: 2, Algorithm: Minimal, Rule: "conservative",
			Budget: &budget, Subsets: Subsets{{1, 2}}},
		"a is listed twice": {K: 2, Algorithm: Minimal, Rule: "conservative",
			Strata: []string{"a", "a"}},
	} {
		_, err := m.Apply(t.Context(), table(t, "AA", "AA", "AA"), nil)
		if !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
}

// Counts of one use the singular.
func TestSingularWarnings(t *testing.T) {
	budget := 0.0
	m := &KAnonymity{K: 2, Algorithm: Minimal, Rule: "conservative", Budget: &budget}
	out, err := m.Apply(t.Context(), table(t, "AA", "AA", "AB"), nil)
	if err != nil ||
		!slices.ContainsFunc(out.Report.Warnings,
			func(w string) bool { return strings.HasPrefix(w, "1 record still violates 2-anonymity") }) {
		t.Errorf("warnings %q, error %v", out.Report.Warnings, err)
	}
	_, err = (&KAnonymity{K: 2, Algorithm: Minimal, Rule: "conservative"}).Apply(t.Context(), table(t, "A"), nil)
	if err == nil || !strings.Contains(err.Error(), "there is 1 record") {
		t.Error(err)
	}
	order := &sdcMicroOrder{strataSolver: &strataSolver{m: KAnonymity{K: 2}}, rows: []int{0, 1}}
	for says, places := range map[string][]int{"for 1 record (record 2):": {1}, "for 2 records (records 1, 2):": {0, 1}} {
		if err := order.unreachable(places); !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
}
