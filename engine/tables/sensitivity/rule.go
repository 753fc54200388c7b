package sensitivity

import (
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Rule judges one cell. String is what Parse reads.
type Rule interface {
	fmt.Stringer
	// Judge reports whether a cell is sensitive, and the protection level: by how much the upper end of the interval in
	// which an intruder can place the cell must exceed its value, and the lower end fall below it.
	Judge(c *tabular.Cell) (sensitive bool, level float64)
	// Explain gives the figures by which the cell was judged, in one sentence.
	Explain(c *tabular.Cell) string
}

// Frequency is the rule of minimum frequency: a cell is sensitive if it has contributors, but fewer than Min.
type Frequency struct {
	Min   int
	Range float64 // protection level in percent of the value, at least 1
	Zeros bool    // cells without contributors are sensitive as well
}

// Judge implements Rule.
func (r Frequency) Judge(c *tabular.Cell) (bool, float64) {
	if c.N >= r.Min || c.N == 0 && !r.Zeros {
		return false, 0
	}
	return true, max(1, r.Range/100*math.Abs(c.Value))
}

// String returns "frequency:MIN,RANGE", with ",zeros" if they are sensitive.
func (r Frequency) String() string {
	text := fmt.Sprintf("frequency:%d,%v", r.Min, r.Range)
	if r.Zeros {
		text += ",zeros"
	}
	return text
}

// Explain implements Rule.
func (r Frequency) Explain(c *tabular.Cell) string {
	return fmt.Sprintf("The cell has %s; at least %d are required.", wording.Counted(c.N, "contributor"), r.Min)
}

// Dominance is the (n,k) rule: a cell is sensitive if its N largest contributions exceed Percent of the total.
type Dominance struct {
	N       int
	Percent float64
}

// Judge implements Rule.
func (r Dominance) Judge(c *tabular.Cell) (bool, float64) {
	largest := largest(c, float64(r.N))
	return exceeds(largest, r.Percent/100*c.Shadow), max(0, 100/r.Percent*largest-c.Shadow)
}

// String returns "dominance:N,PERCENT".
func (r Dominance) String() string { return fmt.Sprintf("dominance:%d,%v", r.N, r.Percent) }

// Explain implements Rule.
func (r Dominance) Explain(c *tabular.Cell) string {
	largest := largest(c, float64(r.N))
	share := 0.0
	if c.Shadow > 0 {
		share = largest / c.Shadow
	}
	return fmt.Sprintf("The %d largest contributions have %s of %s; at most %v %% are allowed.", r.N, wording.Percent(share),
		wording.Amount(c.Shadow), r.Percent)
}

// PriorPosterior is the pq rule: a cell is sensitive if a coalition of other contributors, who know every contribution
// within Q percent, can place the largest one within P percent of its value. With Q = 100 it is the p % rule.
type PriorPosterior struct {
	P, Q      float64
	Coalition int // contributors who share what they know; 1: the second largest only
}

// Judge implements Rule.
func (r PriorPosterior) Judge(c *tabular.Cell) (bool, float64) {
	allowed, rest := r.sides(c)
	return exceeds(allowed, rest), max(0, allowed-rest)
}

// sides returns what the contributions that nobody knows must amount to, and what they amount to.
func (r PriorPosterior) sides(c *tabular.Cell) (required, rest float64) {
	if len(c.Largest) == 0 {
		return 0, 0
	}
	rest = c.Shadow - largest(c, float64(1+r.Coalition))
	if rest < tolerance*c.Shadow {
		rest = 0
	}
	return r.P / r.Q * c.Largest[0].Value, rest
}

// String returns "p:P" or "pq:P,Q", with the coalition if it has more than one member.
func (r PriorPosterior) String() string {
	text := fmt.Sprintf("pq:%v,%v", r.P, r.Q)
	if r.Coalition > 1 {
		return fmt.Sprintf("%s,%d", text, r.Coalition)
	}
	if r.Q == 100 {
		return fmt.Sprintf("p:%v", r.P)
	}
	return text
}

// Explain implements Rule.
func (r PriorPosterior) Explain(c *tabular.Cell) string {
	required, rest := r.sides(c)
	return fmt.Sprintf("The contributions after the %d largest add up to %s; at least %s are required.", 1+r.Coalition,
		wording.Amount(rest), wording.Amount(required))
}

// tolerance is the share of the larger side below which two sides are equal: sums of decimals differ by less.
const tolerance = 1e-12

// exceeds reports a > b; sides that are equal but for rounding are not.
func exceeds(a, b float64) bool { return a-b > tolerance*max(math.Abs(a), math.Abs(b)) }

// largest returns the sum of the n largest contributions. A contribution with weight w counts w times.
func largest(c *tabular.Cell, n float64) float64 {
	sum := 0.0
	for _, s := range c.Largest {
		times := min(n, s.Weight)
		sum += times * s.Value
		if n -= times; n <= 0 {
			break
		}
	}
	return sum
}
