package propensity

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// For cubes of numbers, a few of which are huge, a full Newton step can move away from the maximum likelihood; the
// fit reaches it all the same.
func TestFitOfHeavyTails(t *testing.T) {
	draw := rand.New(rand.NewPCG(15, 1))
	d := &design{records: 300, terms: []string{"one"}}
	for v := range 3 {
		was, now := make([]float64, d.records), make([]float64, d.records)
		for i := range was {
			was[i] = math.Exp(3 * draw.NormFloat64())
			now[i] = was[i] * math.Exp(1.75*draw.NormFloat64())
		}
		d.addNumbers(fmt.Sprint("v", v), was, now, 3)
	}
	f, err := d.fit(t.Context(), new(progress.Meter))
	if err != nil {
		t.Fatal(err)
	}
	s, err := d.round(t.Context(), f.coefficients)
	if err != nil {
		t.Fatal(err)
	}
	none := 2 * float64(2*d.records) * math.Ln2 // the deviance of p = 1/2 for all records
	if s.deviance > none {
		t.Errorf("the deviance %v is above that of no model, %v", s.deviance, none)
	}
	for j, slope := range s.gradient {
		if math.Abs(slope) > 1e-3 {
			t.Errorf("the likelihood still rises with %s, by %v", d.terms[j], slope)
		}
	}
}
