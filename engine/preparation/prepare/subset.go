package prepare

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Ways to take a subset.
const (
	TakePercent = "percent" // random percentage of the records
	TakeRandom  = "random"  // random number of records
	TakeFirst   = "first"   // the first records
	TakeEvery   = "every"   // the first record and every n-th after it
)

// Subset keeps some of the records, in order, for fast trials of steps. With households it keeps whole households:
// a percentage of them; random ones until there are n records; those of the first n records; or the first and
// every n-th after it. At least one record is kept unless the file is empty. Weights are unchanged.
type Subset struct {
	Take       string
	Percent    float64 // for TakePercent
	N          int     // number of records for TakeRandom and TakeFirst, interval for TakeEvery
	Households bool    // keep the members of a household together
}

// SubsetSpec describes subset for the catalog.
func SubsetSpec() method.Spec {
	return method.Spec{
		Name:  "subset",
		Title: "Trial subset",
		Help: "Keeps part of the records for trying out steps. All figures, including the original " +
			"ones, are based on the kept records. Weights do not change, so they no longer sum to the population size. " +
			"If you remove the step, later steps are repeated on all records.",
		Cite:   cite,
		Sample: `{}`,
		New:    method.From(Subset{Take: TakePercent, Percent: 10, N: 1000}),
		Draws:  method.Of((*Subset).draws),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Subset) Params() []method.Param {
	return []method.Param{
		method.Choice(&m.Take, "take", "random records (percent or number), the first records, or every n-th record",
			TakePercent, TakeRandom, TakeFirst, TakeEvery).Labelled("selection"),
		method.Number(&m.Percent, "percent", "percentage of the file").Between(0, 100),
		method.Number(&m.N, "n", "number of records; for every: the n in every n-th record").AtLeast(1),
		method.Switch(&m.Households, "households", "keep the members of a household together"),
	}
}

// draws reports whether the subset is random.
func (m *Subset) draws() bool { return m.Take == TakePercent || m.Take == TakeRandom }

// Apply takes the subset. If the scenario has no households, the option for them is an error that wraps
// method.ErrInput.
func (m *Subset) Apply(ctx context.Context, in method.Input, _ *progress.Meter) (out method.Output, err error) {
	units, err := unitsOf(in, m.Households, "subset", "set households to false")
	if err != nil {
		return out, err
	}
	out = units.keep(in, m.title(), m.taken(random.Stream(in.Seed, "subset", 0), units))
	if out.Data == in.Data {
		return out, ctx.Err()
	}
	if m.Take == TakePercent && math.Round(m.Percent*float64(units.Len())/100) == 0 {
		out.Report.Warnings = append(out.Report.Warnings,
			"the percentage is too small for one record: one is kept")
	}
	if in.Scenario.Weight != "" {
		out.Report.Warnings = append(out.Report.Warnings,
			"the weights did not change: they no longer sum to the population size")
	}
	return out, ctx.Err()
}

// Narrate states what the step did.
func (m *Subset) Narrate(*method.Report) string {
	how := map[string]string{TakePercent: "drawn at random", TakeRandom: "drawn at random",
		TakeFirst: "the first ones", TakeEvery: "at equal intervals"}[m.Take]
	if m.Households {
		how += ", in whole households"
	}
	return fmt.Sprintf("The file has some of the records, %s.", how)
}

// title describes the step: "subset: 10 % of the records at random".
func (m *Subset) title() string {
	unit, whole := "records", ""
	if m.Households {
		unit, whole = "households", ", whole households"
	}
	switch m.Take {
	case TakePercent:
		return fmt.Sprintf("subset: %s %% of the %s at random", strconv.FormatFloat(m.Percent, 'f', -1, 64), unit)
	case TakeRandom:
		return fmt.Sprintf("subset: %s at random%s", wording.Counted(m.N, "record"), whole)
	case TakeFirst:
		return fmt.Sprintf("subset: the first %s%s", wording.Counted(m.N, "record"), whole)
	default:
		return fmt.Sprintf("subset: one of every %s %s", wording.Number(m.N), unit)
	}
}

// taken returns the units to keep.
func (m *Subset) taken(r *rand.Rand, u units) *microdata.Bits {
	taken := microdata.NewBits(u.Len())
	switch {
	case m.Take == TakePercent:
		return u.drawn(r, u.nearest(float64(m.Percent*float64(u.Len()))/100))
	case m.Take == TakeEvery:
		for unit := 0; unit < u.Len(); unit += m.N {
			taken.Set(unit)
		}
	case m.Take == TakeFirst:
		for record := range min(m.N, u.Records()) {
			taken.Set(u.Of(record))
		}
	case u.whole:
		records := 0
		for _, household := range r.Perm(u.Len()) {
			if records >= m.N {
				break
			}
			taken.Set(household)
			records += u.Members(household)
		}
	default:
		return u.drawn(r, min(u.Len(), m.N))
	}
	return taken
}
