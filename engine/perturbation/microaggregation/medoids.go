package microaggregation

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Clustering algorithms.
const (
	KMeans = "kmeans"
	PAM    = "pam"    // partitioning around medoids
	CLARA  = "clara"  // PAM on five samples, of which the best is used
	CMeans = "cmeans" // fuzzy c-means, with each record in its nearest cluster
)

const (
	mostPAM      = 3000 // maximum records of a stratum for PAM, which needs all distances
	claraSamples = 5
	claraSize    = 40    // records of a sample, plus two per cluster
	fuzzyRounds  = 500   // more than usually needed
	fuzzyStays   = 1e-10 // change in the centres at which the iteration stops
)

// around clusters the records around medoids: records chosen to minimise the sum of distances from each record to
// the nearest one, up to single exchanges.
func (c *clusters) around(ctx context.Context, count int, how string) error {
	n, samples := len(c.of), claraSamples
	size := min(n, claraSize+2*count)
	if how == PAM {
		samples, size = 1, n
		if n > mostPAM {
			return fmt.Errorf("%w: pam needs the distances of all records from each other, and %d are more than %d: take clara",
				method.ErrInput, n, mostPAM)
		}
	}
	stream, best := random.Stream(1, "clara", 0), math.Inf(1)
	of := make([]int, n)
	for range samples {
		sample := stat.InOrder(n)
		for i := 0; i < size && how == CLARA; i++ {
			j := i + stream.IntN(n-i)
			sample[i], sample[j] = sample[j], sample[i]
		}
		medoids, err := medoidsOf(ctx, c.logs, sample[:size], count)
		if err != nil {
			return err
		}
		if sum := c.toMedoids(medoids); sum < best {
			best = sum
			copy(of, c.of)
		}
	}
	copy(c.of, of)
	return nil
}

// toMedoids assigns each record to its nearest medoid and returns the sum of distances.
func (c *clusters) toMedoids(medoids []uint32) (sum float64) {
	for record := range c.of {
		nearest := math.Inf(1)
		for k, medoid := range medoids {
			if d := euclid(c.logs, uint32(record), medoid); d < nearest {
				nearest, c.of[record] = d, k
			}
		}
		sum += nearest
	}
	return sum
}

// euclid returns the Euclidean distance between two records.
func euclid(variables [][]float64, a, b uint32) float64 {
	sum := 0.0
	for _, x := range variables {
		sum += float64((x[a] - x[b]) * (x[a] - x[b]))
	}
	return math.Sqrt(sum)
}

// medoidsOf returns the medoids of some records. It repeatedly adds the record that lowers the sum most, and then
// exchanges a medoid for another record as long as that lowers the sum. [Kaufman and Rousseeuw 1990; the gains of
// all exchanges are computed together as in Schubert and Rousseeuw 2021]
func medoidsOf(ctx context.Context, variables [][]float64, records []uint32, count int) ([]uint32, error) {
	n := len(records)
	distance := make([][]float64, n)
	for i := range distance {
		distance[i] = make([]float64, n)
		for j := range i {
			distance[i][j] = euclid(variables, records[i], records[j])
			distance[j][i] = distance[i][j]
		}
	}
	m := &medoids{distance: distance, near: make([]int, n), first: make([]float64, n), second: make([]float64, n)}
	for range min(count, n) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.add()
	}
	for m.exchange() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	out := make([]uint32, len(m.at))
	for k, i := range m.at {
		out[k] = records[i]
	}
	return out, nil
}

// medoids is a set of records, with each record's distances to the nearest and second nearest of them.
type medoids struct {
	distance      [][]float64
	at            []int
	near          []int // per record: index in at of the nearest medoid
	first, second []float64
}

// add adds the record that lowers the sum of distances most.
func (m *medoids) add() {
	best, most := -1, math.Inf(-1)
	for i, row := range m.distance {
		gain := 0.0
		for j, d := range row {
			if len(m.at) == 0 {
				gain -= d
			} else if d < m.first[j] {
				gain += m.first[j] - d
			}
		}
		if gain > most && !m.has(i) {
			best, most = i, gain
		}
	}
	m.at = append(m.at, best)
	m.measure()
}

func (m *medoids) has(record int) bool {
	return len(m.at) > 0 && m.at[m.near[record]] == record
}

// measure finds the nearest medoids of all records.
func (m *medoids) measure() {
	for j := range m.near {
		m.first[j], m.second[j] = math.Inf(1), math.Inf(1)
		for k, i := range m.at {
			switch d := m.distance[i][j]; {
			case d < m.first[j] || d == m.first[j] && i == j:
				m.near[j], m.first[j], m.second[j] = k, d, m.first[j]
			case d < m.second[j]:
				m.second[j] = d
			}
		}
	}
}

// exchange makes the exchange that lowers the sum most. It returns false if none does.
func (m *medoids) exchange() bool {
	bestRecord, bestMedoid, least := -1, -1, -1e-12
	change := make([]float64, len(m.at))
	for i, row := range m.distance {
		if m.has(i) {
			continue
		}
		clear(change)
		all := 0.0
		for j, d := range row {
			if d < m.first[j] { // whichever medoid is replaced
				all += d - m.first[j]
			} else {
				change[m.near[j]] += min(d, m.second[j]) - m.first[j]
			}
		}
		for k := range change {
			if sum := all + change[k]; sum < least {
				bestRecord, bestMedoid, least = i, k, sum
			}
		}
	}
	if bestRecord < 0 {
		return false
	}
	m.at[bestMedoid] = bestRecord
	m.measure()
	return true
}

// fuzzy runs fuzzy c-means: centres become means weighted by squared memberships until they converge, and each
// record is assigned to the nearest. [Bezdek 1981, with the exponent 2]
func (c *clusters) fuzzy(ctx context.Context) error {
	weights := make([]float64, len(c.of))
	for range fuzzyRounds {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		before, moved := c.centers, 0.0
		next := make([][]float64, len(before))
		for k := range before {
			for record := range weights {
				u := c.membership(record, k)
				weights[record] = float64(u * u)
			}
			next[k] = make([]float64, len(c.logs))
			for j, x := range c.logs {
				next[k][j] = stat.WeightedMean(x, weights)
				moved = max(moved, math.Abs(next[k][j]-before[k][j]))
			}
		}
		if c.centers = next; moved <= fuzzyStays {
			break
		}
	}
	c.assign()
	return nil
}

// membership returns a record's membership in a cluster: its share of the inverse squared distances, or 1 if the
// record is at the centre.
func (c *clusters) membership(record, k int) float64 {
	own, sum := c.squared(record, k), 0.0
	for other := range c.centers {
		d := c.squared(record, other)
		switch {
		case d == 0 && other == k:
			return 1
		case d == 0:
			return 0
		}
		sum += own / d
	}
	return 1 / sum
}

// squared returns the squared distance between a record and a centre.
func (c *clusters) squared(record, k int) float64 {
	sum := 0.0
	for j, x := range c.centers[k] {
		sum += float64((c.logs[j][record] - x) * (c.logs[j][record] - x))
	}
	return sum
}
