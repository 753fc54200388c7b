// Package cellkey perturbs counts by the cell key method: a count changes by a draw that depends on the records behind
// it alone, so that the same records have the same count in every table.
//
// Source: G. Thompson, S. Broadfoot and D. Elazar, Methodology for the automatic confidentialisation of statistical
// outputs from remote servers at the Australian Bureau of Statistics, UNECE 2013; T. Enderle and S. Giessing, Implementing
// the cell key method: the ptable package, 2018.
//
//	transition, err := cellkey.New(cellkey.Parameters{Most: 5, Variance: 3, Never: 2})
//	keys := cellkey.RecordKeys(seed, records)
//	count := transition.Perturbed(2, cellkey.Key(keys[0]+keys[7]))
package cellkey

import (
	"errors"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

// ErrParameters is wrapped by errors of New.
var ErrParameters = errors.New("no transition table")

// Parameters of the perturbation.
type Parameters struct {
	Most     int     // the largest change
	Variance float64 // of the changes
	Never    int     // counts from 1 to this one never appear
}

// Outcome is a count that may be published, and its probability.
type Outcome struct {
	Count       int
	Probability float64
}

// Transition has for each count, the last one and all above it, the counts that may be published.
type Transition struct{ rows [][]Outcome }

// New returns the table of highest entropy whose changes have mean 0 and the variance. Errors wrap ErrParameters: no
// changes of that size have that variance.
func New(p Parameters) (*Transition, error) {
	const largest = 100
	if p.Most < 1 || p.Most > largest || p.Never < 0 || p.Never >= p.Most || !(p.Variance > 0) {
		return nil, fmt.Errorf("%w: the largest change must be 1 to %d, the variance above 0, and the counts that never "+
			"appear fewer than the largest change", ErrParameters, largest)
	}
	t := &Transition{rows: [][]Outcome{{{0, 1}}}}
	for count := 1; count <= p.Most+p.Never+1; count++ {
		var row []Outcome
		for to := max(0, count-p.Most); to <= count+p.Most; to++ {
			if to == 0 || to > p.Never {
				row = append(row, Outcome{Count: to})
			}
		}
		if !spread(row, count, p.Variance) {
			return nil, fmt.Errorf("%w: changes of %d at most cannot have mean 0 and variance %v for a count of %d; choose "+
				"another variance", ErrParameters, p.Most, p.Variance, count)
		}
		t.rows = append(t.rows, row)
	}
	return t, nil
}

// Row returns what may be published for a count.
func (t *Transition) Row(count int) []Outcome {
	last := len(t.rows) - 1
	if count <= last {
		return t.rows[count]
	}
	row := make([]Outcome, len(t.rows[last]))
	for i, o := range t.rows[last] {
		row[i] = Outcome{o.Count + count - last, o.Probability}
	}
	return row
}

// Perturbed returns the published count of a cell.
func (t *Transition) Perturbed(count int, key float64) int {
	last := len(t.rows) - 1
	row := t.rows[min(count, last)]
	sum, i := 0.0, 0
	for ; i < len(row)-1; i++ {
		if sum += row[i].Probability; key < sum {
			break
		}
	}
	return row[i].Count + max(0, count-last)
}

// RecordKeys returns a random key for each record of a source. Its fraction of 2^64 is what the literature calls a
// record key: sums of these integers overflow as the fractional part of a sum does, whatever their order.
func RecordKeys(seed uint64, records int) []uint64 {
	keys := make([]uint64, records)
	stream := random.Stream(seed, "record keys", 0)
	for i := range keys {
		keys[i] = stream.Uint64()
	}
	return keys
}

// Key returns the key of a cell, at least 0 and below 1, from the sum of the keys of its records.
func Key(sum uint64) float64 {
	const unused, digits = 11, 53 // a float64 has no more
	return float64(sum>>unused) / (1 << digits)
}

// spread gives outcomes the probabilities of highest entropy with mean 0 and a variance, by Newton's method; it reports
// whether there are any. The probability of a change d is in proportion to exp(a·d + b·d²).
func spread(row []Outcome, count int, variance float64) bool {
	const steps, close, halvings = 1000, 1e-12, 60
	var a, b float64
	value := set(row, count, variance, a, b)
	for range steps {
		var mean, excess, dd, de, ee float64
		for _, o := range row {
			d := float64(o.Count - count)
			e := d*d - variance
			mean, excess = mean+o.Probability*d, excess+o.Probability*e
			dd, de, ee = dd+o.Probability*d*d, de+o.Probability*d*e, ee+o.Probability*e*e
		}
		if math.Abs(mean) < close && math.Abs(excess) < close {
			return true
		}
		dd, de, ee = dd-mean*mean, de-mean*excess, ee-excess*excess
		det := dd*ee - de*de
		if !(det > 0) {
			return false
		}
		moveA, moveB := (ee*mean-de*excess)/det, (dd*excess-de*mean)/det
		length := 1.0
		for range halvings {
			if now := set(row, count, variance, a-length*moveA, b-length*moveB); now <= value {
				value = now
				break
			}
			length /= 2
		}
		a, b = a-length*moveA, b-length*moveB
	}
	return false
}

// set gives outcomes their probabilities, and returns the logarithm of what they were divided by, which is smallest
// where mean and variance are as wanted.
func set(row []Outcome, count int, variance, a, b float64) float64 {
	largest := math.Inf(-1)
	for i, o := range row {
		d := float64(o.Count - count)
		row[i].Probability = a*d + b*(d*d-variance)
		largest = max(largest, row[i].Probability)
	}
	sum := 0.0
	for i := range row {
		row[i].Probability = math.Exp(row[i].Probability - largest)
		sum += row[i].Probability
	}
	for i := range row {
		row[i].Probability /= sum
	}
	return largest + math.Log(sum)
}
