package microaggregation

import (
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// categoricals has the categorical variables used in addition to numeric ones, for Gower.
type categoricals struct {
	columns []*microdata.Column
	codes   [][]uint32 // by variable and complete record
	semi    []bool     // numeric variables that are semi-continuous: zero is far from all other values
	shares  []float64  // weights of the numeric, then of the categorical variables; they sum to 1
}

// table returns the complete records, and the additional data for Gower.
func (m *Microaggregate) table(ctx context.Context, in method.Input) (*numeric.Table, *categoricals, error) {
	if m.Method != Gower {
		table, err := numeric.New(ctx, in, m.request(m.Variables))
		return table, nil, err
	}
	columns, err := in.Columns("variables", m.Variables)
	if err != nil {
		return nil, nil, err
	}
	if len(m.DistanceWeights) > 0 && len(m.DistanceWeights) != len(columns) {
		return nil, nil, method.ParamError("\"distance_weights\" has %d numbers for %d variables",
			len(m.DistanceWeights), len(columns))
	}
	x, sum := &categoricals{}, 0.0
	var names []string
	var weights, ofCategories []float64
	for i, column := range columns {
		weight := 1.0
		if len(m.DistanceWeights) > 0 {
			weight = m.DistanceWeights[i]
		}
		if !(weight >= 0) || math.IsInf(weight, 0) {
			return nil, nil, method.ParamError("\"distance_weights\": %v is no weight", weight)
		}
		sum += weight
		if column.Amounts() {
			names, weights = append(names, column.Name()), append(weights, weight)
			x.semi = append(x.semi, slices.Contains(m.Semicontinuous, column.Name()))
		} else {
			x.columns, ofCategories = append(x.columns, column), append(ofCategories, weight)
		}
	}
	switch {
	case len(names) == 0:
		return nil, nil, method.ParamError("\"variables\": at least one must be a numeric variable")
	case sum == 0:
		return nil, nil, method.ParamError("\"distance_weights\": at least one must be above 0")
	}
	for _, name := range m.Semicontinuous {
		if !slices.Contains(names, name) {
			return nil, nil, method.ParamError("\"semicontinuous\": %q is not a numeric variable among the variables",
				wording.Excerpt(name))
		}
	}
	for _, weight := range append(weights, ofCategories...) {
		x.shares = append(x.shares, weight/sum)
	}
	table, err := x.read(ctx, in, m.request(names))
	return table, x, err
}

// read returns the records that have values of all numeric and categorical variables, and reads their codes.
func (x *categoricals) read(ctx context.Context, in method.Input, request numeric.Request) (*numeric.Table, error) {
	for _, column := range x.columns {
		request.Additional = append(request.Additional, column.Missing)
	}
	table, err := numeric.New(ctx, in, request)
	if err != nil {
		return nil, err
	}
	for _, column := range x.columns {
		codes, of := column.Categories().Codes, make([]uint32, len(table.Rows))
		for i, row := range table.Rows {
			of[i] = codes.At(int(row))
		}
		x.codes = append(x.codes, of)
	}
	return table, nil
}

// space has the records of a stratum scaled for Gower's distance: numbers are divided by their ranges, ranks of
// ordered categories by the number of levels minus one, and both are multiplied by their weights; other categories
// are codes.
type space struct {
	points []float64 // p for each record
	kinds  []axis
	shares []float64
}

type axis uint8

const (
	continuous axis = iota
	semicontinuous
	nominal
)

func (w *work) space(stratum numeric.Stratum, values [][]float64) *space {
	x, mixedIn := w.mixed, w.mixed.in(stratum)
	p := len(values) + len(mixedIn)
	s := &space{points: make([]float64, len(stratum.Records)*p), kinds: make([]axis, p), shares: make([]float64, p)}
	for j, of := range values {
		variable := stratum.Variable(j)
		s.shares[j] = x.shares[variable]
		semi := x.semi[variable]
		if semi {
			s.kinds[j] = semicontinuous
		}
		least, most := math.Inf(1), math.Inf(-1)
		for _, v := range of {
			if !semi || v != 0 {
				least, most = min(least, v), max(most, v)
			}
		}
		for i, v := range of {
			if most > least {
				v /= most - least
			}
			s.points[i*p+j] = v
		}
	}
	for at, k := range mixedIn {
		j, scale, column := len(values)+at, 1.0, x.columns[k]
		s.shares[j] = x.shares[len(x.semi)+k]
		if levels := len(column.Categories().Levels); column.Categories().Ordered && levels > 1 {
			scale /= float64(levels - 1)
		} else {
			s.kinds[j] = nominal
		}
		for i, record := range stratum.Records {
			s.points[i*p+j] = scale * float64(x.codes[k][record])
		}
	}
	return s
}

// in returns the indices of the categorical variables that the records of a stratum have.
func (x *categoricals) in(stratum numeric.Stratum) []int {
	if stratum.Additional != nil {
		return stratum.Additional
	}
	all := make([]int, len(x.columns))
	for k := range all {
		all[k] = k
	}
	return all
}

// distance returns Gower's distance, from 0 to 1.
func (s *space) distance(a, b []float64) float64 {
	sum := 0.0
	for j, kind := range s.kinds {
		d := math.Abs(a[j] - b[j])
		if kind == nominal && d != 0 || kind == semicontinuous && (a[j] == 0) != (b[j] == 0) {
			d = 1
		}
		sum += float64(d * s.shares[j])
	}
	return sum
}

func (s *space) point(record uint32) []float64 {
	p := len(s.kinds)
	return s.points[int(record)*p : int(record)*p+p]
}

// center returns the means of numbers and the most frequent categories.
func (s *space) center() []float64 {
	p := len(s.kinds)
	out, n := make([]float64, p), len(s.points)/p
	for j, kind := range s.kinds {
		counts, sum := map[float64]int{}, 0.0
		for i := range n {
			x := s.points[i*p+j]
			sum += x
			if kind == nominal {
				if counts[x]++; counts[x] > counts[out[j]] {
					out[j] = x
				}
			}
		}
		if kind != nominal {
			out[j] = sum / float64(n)
		}
	}
	return out
}

// groups partitions the records: while at least 2 size remain, the record farthest from the centre of all and
// those nearest to it form a group; the remaining ones form the last group. Ties are broken by file order. The
// time is O(n² / size).
func (s *space) groups(ctx context.Context, size int, meter *progress.Meter) (groups, error) {
	n := len(s.points) / len(s.kinds)
	center, far := s.center(), make([]float64, n)
	for i := range far {
		far[i] = -s.distance(center, s.point(uint32(i)))
	}
	left, taken := stat.InOrder(n), make([]bool, n)
	g := groups{records: make([]uint32, 0, n)}
	near := nearest{}
	for _, record := range stat.Order(far) {
		if taken[record] || len(left) < 2*size {
			continue
		}
		if ctx.Err() != nil {
			return g, ctx.Err()
		}
		taken[record] = true
		near.reset(size - 1)
		at := s.point(record)
		for _, other := range left {
			if !taken[other] {
				near.offer(s.distance(at, s.point(other)), ^other) // ties: lowest record
			}
		}
		g.records = append(g.records, record)
		for _, other := range near.records {
			g.records = append(g.records, ^other)
			taken[^other] = true
		}
		g.close()
		meter.Add(int64(size))
		left = slices.DeleteFunc(left, func(record uint32) bool { return taken[record] })
	}
	meter.Add(int64(len(left)))
	g.records = append(g.records, left...)
	g.close()
	return g, ctx.Err()
}

// categories assigns the groups' categories to their records. It returns the data and the number of changed cells
// by variable.
func (w *work) categories(ctx context.Context, in method.Input,
	data *microdata.Dataset) (*microdata.Dataset, method.Counts, error) {
	if w.mixed == nil {
		return data, nil, nil
	}
	var changed method.Counts
	seed := w.table.Seed(in)
	for k, column := range w.mixed.columns {
		before := column.Categories()
		codes, count := before.Codes.Copy(), 0
		for i, stratum := range w.table.Strata {
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if !slices.Contains(w.mixed.in(stratum), k) {
				continue
			}
			stream := random.Stream(seed, "gower "+column.Name(), i)
			g := w.parts[i].of(0)
			for group := range g.len() {
				mode := w.category(k, stratum, g.at(group), stream)
				for _, member := range g.at(group) {
					row := int(w.table.Rows[stratum.Records[member]])
					if codes.At(row) != mode {
						codes.Set(row, mode)
						count++
					}
				}
			}
		}
		after := column
		if count > 0 {
			after = column.WithCodes(codes).PerturbedWith(in.Seed)
		}
		changed = append(changed, method.Count{Name: column.Name(), Count: count})
		data = data.With(after)
	}
	return data, changed, nil
}
