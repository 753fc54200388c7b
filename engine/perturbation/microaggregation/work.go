package microaggregation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// work is one application of the method.
type work struct {
	*Microaggregate
	table   *numeric.Table
	mixed   *categoricals // categorical variables, for Gower
	sort    int           // index of the variable for Single
	weights []float64     // weights of the complete records; nil: none
	masked  [][]float64
	parts   []grouping // result for each stratum
}

// grouping is the result of grouping one stratum.
type grouping struct {
	groups      []groups // one for all variables, or one for each variable
	notRobust   int      // number of clusters without a robust component
	clusterless int      // number of clusters too small for a group, whose records joined their neighbours
}

// partAll groups the records of all strata.
func (w *work) partAll(ctx context.Context, meter *progress.Meter) error {
	return parallel.Each(ctx, len(w.parts), func(i int) (err error) {
		stratum := w.table.Strata[i]
		w.parts[i], err = w.part(ctx, stratum, w.table.Of(stratum), meter)
		if !slices.Contains([]string{MDAV, RMD, Gower}, w.Method) { // these report their own progress
			meter.Add(int64(len(stratum.Records)))
		}
		return stratum.WithStratum(ctx, err)
	})
}

// aggregateAll computes the masked values from the groups.
func (w *work) aggregateAll(ctx context.Context, meter *progress.Meter) error {
	w.masked = w.table.Copy()
	return parallel.Each(ctx, len(w.parts), func(i int) error {
		stratum := w.table.Strata[i]
		values := w.table.Of(stratum)
		return parallel.Each(ctx, len(values), func(j int) error {
			return w.aggregate(ctx, w.parts[i].of(j), values[j], stratum.Records, w.masked[stratum.Variable(j)], meter)
		})
	})
}

// of returns the groups of a variable.
func (p *grouping) of(variable int) *groups { return &p.groups[min(variable, len(p.groups)-1)] }

// part groups the records of a stratum.
func (w *work) part(ctx context.Context, stratum numeric.Stratum, values [][]float64,
	meter *progress.Meter) (p grouping, _ error) {
	n := len(values[0])
	if w.by(transforming...)() && w.Transform != Default {
		var err error
		if values, err = transformed(ctx, values, w.Transform); err != nil {
			return p, err
		}
	}
	all := func(g groups, err error) (grouping, error) { return grouping{groups: []groups{g}}, err }
	switch w.Method {
	case MDAV:
		return all(mdav(ctx, values, w.Size, meter))
	case Gower:
		return all(w.space(stratum, values).groups(ctx, w.Size, meter))
	case RMD:
		return all(rmd(ctx, values, w.Size, meter))
	case Individual, Optimal:
		p.groups = make([]groups, len(values))
		return p, parallel.Each(ctx, len(values), func(j int) (err error) {
			order := stat.Order(values[j])
			if w.Method == Individual {
				p.groups[j] = consecutive(order, w.Size)
				return nil
			}
			p.groups[j], err = optimal(ctx, values[j], order, w.Size)
			return err
		})
	case Simple:
		return all(consecutive(stat.InOrder(n), w.Size), nil)
	case Single:
		return all(consecutive(stat.Order(values[stratum.Place(w.sort)]), w.Size), nil)
	case PCA, RobustPCA, PursuitPCA:
		order, err := byComponent(ctx, values, w.Method)
		if err != nil {
			return p, err
		}
		return all(consecutive(order, w.Size), nil)
	default:
		return w.clustered(ctx, values)
	}
}

// aggregate computes the masked values of a variable from its groups. records are the indices of the stratum's
// records among all complete ones.
func (w *work) aggregate(ctx context.Context, g *groups, values []float64, records []uint32, masked []float64,
	meter *progress.Meter) error {
	var own, weights []float64 // of one group
	since, whole := 0, len(records) == len(masked)
	for i := range g.len() {
		if since >= numeric.Block {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			meter.Add(int64(since))
			since = 0
		}
		members := g.at(i)
		own, weights = own[:0], weights[:0]
		for _, record := range members {
			own = append(own, values[record])
			if w.weights != nil {
				weights = append(weights, w.weights[records[record]])
			}
		}
		x := w.value(own, weights)
		for _, record := range members {
			if !whole {
				record = records[record]
			}
			masked[record] = x
		}
		since += len(members)
	}
	meter.Add(int64(since))
	return ctx.Err()
}

// account reports the groups and their information loss.
func (w *work) account() method.Report {
	g := &method.Groups{Smallest: math.MaxInt}
	for i := range w.parts {
		for _, parts := range w.parts[i].groups {
			g.Count += parts.len()
			for k := range parts.len() {
				size := len(parts.at(k))
				g.Smallest, g.Largest = min(g.Smallest, size), max(g.Largest, size)
			}
		}
	}
	g.SSEPercent = sse(w.table, w.masked)
	noun := "record"
	if w.univariate() {
		noun = "value"
	}
	effect := fmt.Sprintf("%s of %s; information loss %s", wording.Counted(g.Count, "group"),
		between(g.Smallest, g.Largest, noun), wording.Percent(g.SSEPercent/100))
	return method.Report{Effect: effect, Groups: g}
}

// sse returns 100 SSE/SST for variables divided by their standard deviations. Constant variables are ignored.
func sse(table *numeric.Table, masked [][]float64) float64 {
	lost, variables := 0.0, 0
	for j := range masked {
		x, after := table.Compared(j, masked[j])
		variance := stat.Variance(x)
		if !(variance > 0) {
			continue
		}
		lost += stat.SquaredDistance(x, after) / variance / float64(len(x)-1)
		variables++
	}
	if variables == 0 {
		return 0
	}
	return 100 * lost / float64(variables)
}

// warnings reports problems of the clusters.
func (w *work) warnings() []string {
	var notRobust, small int
	for _, p := range w.parts {
		notRobust += p.notRobust
		small += p.clusterless
	}
	var warnings []string
	if small > 0 {
		warnings = append(warnings,
			wording.Does(small, "cluster", "have")+" fewer records than a group and joined the nearest one")
	}
	if notRobust > 0 {
		warnings = append(warnings,
			"in "+wording.Counted(notRobust,
				"cluster")+" half of the records on a line or plane, or too few records: sorted by the ordinary principal component")
	}
	return warnings
}

// clipping is the distance from the median, in MADs, at which values are clipped.
const clipping = 3 / 1.486

// value returns the aggregate of a group's values with weights, which may be nil. The trimmed mean omits a share
// of the values on each side, rounded down to whole values; the winsorised mean replaces them with the next value;
// onestep is the mean of the values clipped at median ± 2.019 MAD.
func (m *Microaggregate) value(values, weights []float64) float64 {
	if stat.Constant(values) {
		return values[0] // exactly
	}
	out := int(m.Trim * float64(len(values)))
	switch m.Aggregate {
	case Median:
		return stat.WeightedQuantile(values, weights, 0.5)
	case Trimmed:
		order := stat.Order(values)[out : len(values)-out]
		slices.Sort(order)
		values = stat.Picked([][]float64{values}, order)[0]
		if weights != nil {
			weights = stat.Picked([][]float64{weights}, order)[0]
		}
	case Winsorised:
		order := stat.Order(values)
		values = clipped(values, values[order[out]], values[order[len(order)-1-out]])
	case OneStep:
		median, most := stat.Median(values), float64(clipping*stat.MAD(values))
		values = clipped(values, median-most, median+most)
	}
	return stat.WeightedMean(values, weights)
}

// clipped clips the values to an interval.
func clipped(values []float64, low, high float64) []float64 {
	moved := make([]float64, len(values))
	for i, x := range values {
		moved[i] = min(max(x, low), high)
	}
	return moved
}
