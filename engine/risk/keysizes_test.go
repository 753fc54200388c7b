package risk

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

// Separation is the share of pairs that differ in a key variable of which both have a value, counted pair by pair;
// under the rule own-category, of pairs that differ in any.
func TestSeparationByPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := 2; n < 40; n += 3 {
		cells := [2][]string{make([]string, n), make([]string, n)}
		for i := range n {
			cells[0][i], cells[1][i] = []string{"", "a", "b", "c"}[random.IntN(4)], []string{"", "x", "y"}[random.IntN(3)]
		}
		table, err := keys.New(context.Background(), []*microdata.Column{golden.Column(t, "v", cells[0]), golden.Column(t, "w", cells[1])}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for rule, missingFits := range map[microdata.Rule]bool{microdata.RuleDefault: true, microdata.RuleOwnCategory: false} {
			a, err := Assess(context.Background(), table, nil, Options{Rule: rule, Alpha: 1})
			if err != nil {
				t.Fatal(err)
			}
			apart := 0
			for i := range n {
				for j := range n {
					for _, of := range cells {
						if of[i] != of[j] && !(missingFits && (of[i] == "" || of[j] == "")) {
							apart++
							break
						}
					}
				}
			}
			if want := float64(apart) / float64(n*(n-1)); math.Abs(a.separation()-want) > 1e-12 {
				t.Errorf("rule %s, %d records: separation %v, want %v", rule, n, a.separation(), want)
			}
		}
	}
}
