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
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// The ways to take a subset.
const (
	TakePercent = "percent" // a percentage of the records, at random
	TakeRandom  = "random"  // a number of records, at random
	TakeFirst   = "first"   // the first records
	TakeEvery   = "every"   // the first record and every n-th after it
)

// Subset keeps some of the records, in their order, to try steps out on a file
// that is quick to work with. With households whole households are taken: a
// percentage of them; at random until there are n records; those of the first n
// records; or the first and every n-th after it. A file with records keeps at
// least one. Weights stay as they are.
type Subset struct {
	Take       string
	Percent    float64 // for TakePercent
	N          int     // records for TakeRandom and TakeFirst, the distance for TakeEvery
	Households bool    // keep the members of a household together
}

// SubsetSpec describes subset for the catalog.
func SubsetSpec() method.Spec {
	return method.Spec{
		Name:  "subset",
		Title: "Take a trial subset",
		Help: "Keeps a part of the records, to try steps out on a file that is quick to work with: a percentage or a number of " +
			"records drawn at random, the first ones, or every n-th; whole households where asked for. All figures are those of the " +
			"records that are kept, the original ones too. Weights stay as they are, so they no longer add up to the population. " +
			"Taking the step out brings all records back, with the later steps done on them.",
		Cite: cite,
		New:  func() method.Method { return &Subset{Take: TakePercent, Percent: 10, N: 1000} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Subset) Params() []method.Param {
	return []method.Param{
		method.Choice(&m.Take, "take", "percent and random draw records; first takes those at the top; every takes each n-th",
			TakePercent, TakeRandom, TakeFirst, TakeEvery),
		method.Number(&m.Percent, "percent", "for percent: how much of the file").Between(0, 100),
		method.Number(&m.N, "n", "for random and first: number of records; for every: the distance").AtLeast(1),
		method.Switch(&m.Households, "households", "keep the members of a household together"),
	}
}

// Draws reports whether the subset is random.
func (m *Subset) Draws() bool { return m.Take == TakePercent || m.Take == TakeRandom }

// Apply takes the subset. Households that the scenario does not have are an
// error that wraps method.ErrInput.
func (m *Subset) Apply(ctx context.Context, in method.Input, _ *progress.Meter) (method.Output, error) {
	var households *risk.Households
	if m.Households {
		var err error
		if households, err = risk.HouseholdsOf(in); err != nil {
			return method.Output{}, err
		}
		if households == nil {
			return method.Output{}, fmt.Errorf("subset %w: no variable identifies households; choose one or set households to false", method.ErrInput)
		}
	}
	records := m.records(random.Stream(in.Seed, "subset", 0), in.Data.Len(), households)
	report := method.Report{Title: m.title(), Effect: wording.Number(len(records)) + " of " + wording.Counted(in.Data.Len(), "record") + " kept",
		Selection: &method.Selection{Before: in.Data.Len(), After: len(records)}}
	if len(records) == in.Data.Len() {
		nothing(&report)
		return method.Output{Data: in.Data, Report: report}, ctx.Err()
	}
	report.Warnings = append(report.Warnings, "counts fall because there are fewer records: compare percentages")
	units := in.Data.Len() // or households, where these stay together
	if households != nil {
		units = households.Len()
	}
	if m.Take == TakePercent && units > 0 && math.Round(m.Percent*float64(units)/100) == 0 {
		report.Warnings = append(report.Warnings, "so small a share is none: one is kept, so that there is a file")
	}
	if in.Scenario.Weight != "" {
		report.Warnings = append(report.Warnings, "the weights are as before: they no longer add up to the population")
	}
	data := in.Data.Select(records)
	return method.Output{Data: data, Report: report}, ctx.Err()
}

// Narrate says what the step did.
func (m *Subset) Narrate(report *method.Report) string {
	how := map[string]string{TakePercent: "drawn at random", TakeRandom: "drawn at random", TakeFirst: "the first ones", TakeEvery: "at equal distances"}[m.Take]
	if m.Households {
		how += ", in whole households"
	}
	return fmt.Sprintf("The file has a part of the records: %s of %s, %s.", wording.Number(report.Selection.After), wording.Number(report.Selection.Before), how)
}

// title names the step: "subset: 10 % of the records at random".
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

// records returns the records to keep, ascending.
func (m *Subset) records(r *rand.Rand, n int, households *risk.Households) []uint32 {
	if households == nil {
		return recordsOf(m.units(r, n), nil)
	}
	return recordsOf(m.households(r, households), households)
}

// recordsOf returns the records of units, ascending: those with these numbers, or the
// members of these households.
func recordsOf(units *microdata.Bits, households *risk.Households) []uint32 {
	kept := units
	if households != nil {
		kept = microdata.NewBits(households.Records())
		units.Each(func(household int) {
			for i := range households.Members(household) {
				kept.Set(households.Member(household, i))
			}
		})
	}
	records := make([]uint32, 0, kept.Count())
	kept.Each(func(record int) { records = append(records, uint32(record)) })
	return records
}

// households returns which households to take.
func (m *Subset) households(r *rand.Rand, households *risk.Households) *microdata.Bits {
	taken := microdata.NewBits(households.Len())
	switch m.Take {
	case TakeRandom:
		records := 0
		for _, household := range r.Perm(households.Len()) {
			if records >= m.N {
				break
			}
			taken.Set(household)
			records += households.Members(household)
		}
	case TakeFirst:
		for record := range min(m.N, households.Records()) {
			taken.Set(households.Of(record))
		}
	default:
		return m.units(r, households.Len())
	}
	return taken
}

// units returns which of n records, or households, to take.
func (m *Subset) units(r *rand.Rand, n int) *microdata.Bits {
	units := microdata.NewBits(n)
	switch m.Take {
	case TakeFirst:
		for unit := range min(m.N, n) {
			units.Set(unit)
		}
	case TakeEvery:
		for unit := 0; unit < n; unit += m.N {
			units.Set(unit)
		}
	case TakePercent:
		drawUnits(r, units, min(n, max(1, int(math.Round(float64(m.Percent*float64(n))/100)))))
	default:
		drawUnits(r, units, min(n, m.N))
	}
	return units
}

// drawUnits puts so many units into the set, every choice equally likely: each
// unit in turn is taken with the probability that is left for it. Knuth, The Art
// of Computer Programming, volume 2, 3.4.2, algorithm S.
func drawUnits(r *rand.Rand, units *microdata.Bits, want int) {
	n := units.Len()
	for unit := 0; want > 0; unit++ {
		if r.IntN(n-unit) < want {
			units.Set(unit)
			want--
		}
	}
}
