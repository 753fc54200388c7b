// Package rankswap swaps the values of numeric variables between records with similar ranks.
//
//	m := rankswap.New()
//	m.Variables, m.P = []string{"income"}, &share
//	out, err := m.Apply(ctx, method.Input{Data: data, Scenario: &scenario, Seed: seed}, nil)
package rankswap

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// StepName is the name of the method in scripts.
const StepName = "rankswap"

// RankSwap swaps the values of each variable separately: each rank not swapped yet is swapped with a random one of
// the unswapped ranks among the next P n ranks; if there is none, it keeps its value. The highest and lowest
// values are first replaced by their means and are not swapped. A record with a missing value in one of the
// variables is left as it is.
type RankSwap struct {
	Variables   []string
	P           *float64 // maximum rank difference as a share of the records
	R0          *float64 // alternative to P: minimum correlation between original and swapped values, if these are uniformly distributed
	K0          *float64 // alternative to P: relative change in the means of subsets
	Top, Bottom float64  // percent
	Strata      []string
	numeric.Treatment
}

var _ method.Applier = (*RankSwap)(nil)

// defaultR0 is the default of R0 if no parameter of the range is given.
const defaultR0 = 0.95

// New returns the method with its defaults: the range for a correlation of at least 0.95, and 5 percent at the top
// and at the bottom. The variables must be set.
func New() *RankSwap { return &RankSwap{Top: 5, Bottom: 5, Treatment: numeric.DefaultTreatment()} }

// Spec describes rankswap for the catalog.
func Spec() method.Spec {
	return method.Spec{
		Name:  StepName,
		Title: "Rank swapping",
		Help: "Sorts the n values of a variable and swaps each value with a random value among the P n ranks above it, " +
			"separately for each variable. The largest and smallest values (parameters top, bottom) are first " +
			"replaced by their means and are not swapped. Set P in one of three ways:\n" +
			"- p: a share of the records.\n" +
			"- r0: a lower bound for the correlation of values before and after: P = √(2 var (1 - r0)) / (max - min). " +
			"For evenly spread values the correlation is about 1 - (1 - r0) / 3, that is, 0.9 for r0 = 0.7.\n" +
			"- k0: the relative change allowed for means of subsets: P = √(8/3) k0 |mean| / (max - min).",
		Cite: "Moore (1996), US Bureau of the Census; Dalenius and Reiss (1982), Journal of Statistical Planning and Inference 6, 73-85; " +
			"Templ (2017), section 4.3.3",
		Sample:  `{"variables":["income","expend"]}`,
		New:     func() method.Method { return New() },
		Version: 3,
		Former:  numeric.FormerDefaults(3),
		Draws:   method.Always,
		Sampled: true,
		Grades:  method.Of((*RankSwap).grades),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *RankSwap) Params() []method.Param {
	return append([]method.Param{
		method.Variables(&m.Variables, "variables",
			"numeric variables to swap").Needed().Among(method.NumericVariables).Masked(),
		method.Number(&m.P, "p", "maximum distance in ranks, as a share of the records").Between(0,
			1).Empty("from r0 or k0"),
		method.Number(&m.R0, "r0",
			"lower bound for the correlation").Between(0, 1).Empty("0.95, unless p or k0 is given"),
		method.Number(&m.K0, "k0", "relative change allowed for means of subsets").Between(0, 1000).Empty("from p or r0"),
		method.Number(&m.Top, "top", "percentage of records with the largest values, which are averaged").Between(0, 50).By(1),
		method.Number(&m.Bottom, "bottom", "percentage of records with the smallest values, which are averaged").Between(0, 50).By(1),
		method.Variables(&m.Strata, "strata", "stratum variables: the method is applied separately to each combination of their categories"),
	}, m.Treatment.Params("10 records")...)
}

// width returns the parameter that determines the range of ranks, and its value.
func (m *RankSwap) width() (param string, value float64) {
	switch {
	case m.P != nil:
		return "p", *m.P
	case m.K0 != nil:
		return "k0", *m.K0
	case m.R0 != nil:
		return "r0", *m.R0
	}
	return "r0", defaultR0
}

// grades returns grades of the parameter that determines the range.
func (m *RankSwap) grades() method.Grades {
	param, now := m.width()
	return method.NewGrades(param, now, map[string][]float64{
		"p":  {0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3},
		"k0": {0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7},
		"r0": {0.999, 0.99, 0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5},
	}[param]...)
}

// Narrate states what the step did.
func (m *RankSwap) Narrate(*method.Report) string {
	return fmt.Sprintf("Values of %s were swapped between records of similar rank.", strings.Join(m.Variables, ", "))
}

func (m *RankSwap) title() string {
	param, value := m.width()
	return method.ByStrata(fmt.Sprintf("rank swap %s: %s %v", strings.Join(m.Variables, ", "), param, value), m.Strata)
}

// check reports a range given by several parameters.
func (m *RankSwap) check() error {
	given := 0
	for _, x := range []*float64{m.P, m.R0, m.K0} {
		if x != nil {
			given++
		}
	}
	if given > 1 {
		return method.ParamError("\"p\": only one of p, r0 and k0 can be given")
	}
	return nil
}

// Apply swaps the values. The time is O(n log n) for n records.
func (m *RankSwap) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (none method.Output, _ error) {
	if err := m.check(); err != nil {
		return none, err
	}
	table, err := numeric.New(ctx, in, numeric.Request{Param: "variables", Variables: m.Variables, Strata: m.Strata,
		Treatment: m.Treatment})
	if err != nil {
		return none, err
	}
	defer table.Free()
	for _, stratum := range table.Strata {
		if n := len(stratum.Records); n < 2 {
			return none, fmt.Errorf("%w: %s has %s without a missing value and nothing to swap", method.ErrInput,
				stratum.Where(), wording.Counted(n, "record"))
		}
	}
	meter.Start(int64(len(table.Rows)) * int64(len(table.Columns)))
	masked, seed := table.Copy(), table.Seed(in)
	widest := make([]int, len(table.Columns)) // range in ranks, the widest over the strata
	err = parallel.Each(ctx, len(table.Columns), func(j int) error {
		for number, stratum := range table.Strata {
			if !stratum.Has(j) {
				continue
			}
			stream := random.Stream(seed, "rankswap "+table.Columns[j].Name(), number)
			values := numeric.Picked([][]float64{table.Values[j]}, stratum.Records)[0]
			swapped, width, err := m.swap(ctx, values, stream)
			if err != nil {
				return err
			}
			widest[j] = max(widest[j], width)
			for i, record := range stratum.Records {
				masked[j][record] = swapped[i]
			}
			meter.Add(int64(len(stratum.Records)))
		}
		return nil
	})
	if err != nil {
		return none, err
	}
	out, err := table.Output(ctx, in, m.title(), masked, (*microdata.Column).PerturbedWith)
	for j, column := range table.Columns {
		out.Report.Effect += fmt.Sprintf("; %s by up to %s", column.Name(), wording.Counted(widest[j], "rank"))
	}
	return out, err
}

// swap returns the values after swapping, and the range in ranks.
func (m *RankSwap) swap(ctx context.Context, values []float64, stream *rand.Rand) (out []float64, width int, err error) {
	n := len(values)
	order := stat.Order(values)
	out = slices.Clone(values)
	low, high := int(float64(n)*m.Bottom/100), n-int(float64(n)*m.Top/100)
	average(out, order[:low])
	average(out, order[high:])
	width = m.ranks(out, out[order[0]], out[order[n-1]])
	left := newUnswapped(low, high)
	for i := low; i < high; i++ {
		if parallel.Stopped(ctx, i) {
			return nil, 0, ctx.Err()
		}
		if !left.has(i) {
			continue
		}
		left.take(i)
		first, end := left.before(i+1), left.before(min(i+width+1, high))
		if first == end {
			continue
		}
		partner := left.at(first + stream.IntN(end-first))
		left.take(partner)
		a, b := order[i], order[partner]
		out[a], out[b] = out[b], out[a]
	}
	return out, width, nil
}

// average sets the values of records to their mean, unless they are equal.
func average(values []float64, records []uint32) {
	sum, equal := 0.0, true
	for _, record := range records {
		sum += values[record]
		equal = equal && values[record] == values[records[0]]
	}
	for _, record := range records {
		if !equal {
			values[record] = sum / float64(len(records))
		}
	}
}

// ranks returns the range in ranks.
func (m *RankSwap) ranks(values []float64, least, most float64) int {
	param, share := m.width()
	switch {
	case param == "p":
	case most == least:
		return 0
	case param == "k0":
		share = math.Sqrt(8.0/3) * share * math.Abs(stat.Mean(values)) / (most - least)
	default:
		share = math.Sqrt(2*stat.Variance(values)*(1-share)) / (most - least)
	}
	return int(float64(min(1, share)*float64(len(values))) + dust)
}

// dust is the rounding error allowed in an integer number of ranks: 0.29 of 100 are 29.
const dust = 1e-9
