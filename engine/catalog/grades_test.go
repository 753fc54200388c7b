package catalog_test

import (
	"math"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
)

// The values of the parameter for the strength of masking are valid and go from the least masking to the most: the
// last loses more than the first, and fewer records are linked.
func TestGrades(t *testing.T) {
	in, seen := inputFrom(t, golden.Data(t, "survey")), map[string]bool{}
	each(t, func(t *testing.T, spec method.Spec, m method.Method) {
		if spec.Grades == nil || spec.Grades(m).Param == "" {
			return
		}
		name, values := spec.Grades(m).Param, spec.Grades(m).Values
		if now := spec.Grades(m).Now; now == "" {
			t.Errorf("%s has no value", name)
		}
		seen[spec.Name] = true
		if len(values) < 8 || len(values) > 12 {
			t.Errorf("%s has %d values", name, len(values))
		}
		var ends []*tradeoff.Figures
		for i, value := range values {
			found := false
			for _, p := range m.Params() {
				if p.Name == name {
					found = true
					if err := p.Value.Set(value); err != nil || p.Value.String() != value {
						t.Errorf("%s %s becomes %q: %v", name, value, p.Value.String(), err)
					}
				}
			}
			if err := method.Validate(m); err != nil || !found {
				t.Errorf("%s %s: %v", name, value, err)
			}
			if again := spec.Grades(m); again.Param != name || again.Now != value {
				t.Errorf("with %s %s the parameter is %s %s", name, value, again.Param, again.Now)
			}
			if i > 0 && i < len(values)-1 {
				continue
			}
			out, err := method.Apply(t.Context(), m, in, nil)
			if err != nil {
				t.Fatal(err)
			}
			masked, _ := method.Masked(m)
			figures, err := tradeoff.Of(t.Context(), in.Data, out.Data, masked, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			ends = append(ends, figures)
		}
		if !(ends[1].Loss() > ends[0].Loss()) || ends[1].Linkage() > ends[0].Linkage() || math.IsNaN(ends[0].Linkage()) {
			t.Errorf("%s from %s to %s: loss %v to %v, linkage %v to %v", name, values[0], values[len(values)-1],
				ends[0].Loss(), ends[1].Loss(), ends[0].Linkage(), ends[1].Linkage())
		}
	})
	if len(seen) < 5 {
		t.Errorf("methods with grades: %v", seen)
	}
}
