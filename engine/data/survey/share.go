package survey

import "math/rand/v2"

// share is a value of a categorical variable and its weight in a draw.
type share struct {
	value  string
	weight float64
}

// table is a categorical distribution; the weights need not sum to 1.
type table struct {
	shares []share
	total  float64
}

func newTable(shares ...share) table {
	t := table{shares: shares}
	for _, s := range shares {
		t.total += s.weight
	}
	return t
}

// draw returns a random value of the table.
func (t *table) draw(random *rand.Rand) string {
	u := float64(random.Float64() * t.total)
	for i := range t.shares {
		u -= t.shares[i].weight
		if u < 0 {
			return t.shares[i].value
		}
	}
	return t.shares[len(t.shares)-1].value
}

// chance returns true with probability p.
func chance(random *rand.Rand, p float64) bool { return random.Float64() < p }
