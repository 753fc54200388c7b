package keys

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// ViolatorsByAlpha returns the number of records with a missing key value and, for each alpha, the violators of k
// under the rule default; nil if no value is missing, because alpha then has no effect.
func (t *Table) ViolatorsByAlpha(ctx context.Context, k int,
	alphas []float64) (incomplete int, violators []int, err error) {
	for key, count := range t.Counts() {
		if t.MissingIn(uint32(key)) != 0 {
			incomplete += count
		}
	}
	for i := 0; incomplete > 0 && i < len(alphas); i++ {
		frequencies, err := t.Frequencies(ctx, microdata.RuleDefault, alphas[i])
		if err != nil {
			return 0, nil, err
		}
		violators = append(violators, t.Violators(frequencies, k))
	}
	return incomplete, violators, nil
}
