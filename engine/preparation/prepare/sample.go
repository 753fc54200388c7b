package prepare

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Sampling units.
const (
	UnitRecords    = "records"
	UnitHouseholds = "households"
)

// defaultShare is the default if neither share nor count is given; leastShare is the minimum.
const (
	defaultShare = 0.1
	leastShare   = 0.0001
)

// Sample draws a simple random sample of records or whole households and divides the weights by the sampling
// fraction, so that they add up to the population in expectation. A missing weight stays missing. At least one
// unit is kept unless the file is empty.
type Sample struct {
	Share *float64 // share of the units
	Count *int     // number of units
	Unit  string   // UnitRecords or UnitHouseholds
}

// SampleSpec describes sample for the catalog.
func SampleSpec() method.Spec {
	return method.Spec{
		Name:  "sample",
		Title: "Sampling",
		Help: "Keeps a random sample of records or whole households, n of N without replacement, and multiplies the " +
			"weights by N / n. An intruder cannot know whether a participant in the survey is in the file, and the " +
			"individual risks decrease. Counts decrease, so compare percentages. In summaries, measures and reports, " +
			"\"original\" then means the original values and weights of the sampled records. To try out steps on a " +
			"smaller file, use a trial subset instead.",
		Cite: "Hundepool et al. (2012), Statistical Disclosure Control, section 3.4; Templ (2017), " +
			"chapter 4",
		Sample:  `{}`,
		New:     method.From(Sample{Unit: UnitRecords}),
		Draws:   method.Always,
		Propose: method.With((*Sample).propose),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Sample) Params() []method.Param {
	return []method.Param{
		method.Number(&m.Share, "share", "share to sample").Between(leastShare,
			1).Empty("0.1, unless count is given"),
		method.Number(&m.Count, "count", "number to sample").AtLeast(1).Empty("use share"),
		method.Choice(&m.Unit, "unit", "sampling unit; household members stay together", UnitRecords,
			UnitHouseholds),
	}
}

// propose selects households if the scenario has them.
func (m *Sample) propose(in method.Input) string {
	if in.Scenario.Household != "" && m.Share == nil && m.Count == nil {
		m.Unit = UnitHouseholds
	}
	return ""
}

// Apply draws the sample. A count above the number of units is an error that wraps method.ErrParam. Households
// that the scenario does not have, and a weight that is not numeric, are errors that wrap method.ErrInput.
func (m *Sample) Apply(ctx context.Context, in method.Input, _ *progress.Meter) (out method.Output, err error) {
	s, units, err := m.sample(in)
	if err != nil {
		return out, err
	}
	out = units.keep(in, m.title(), units.drawn(random.Stream(in.Seed, "sample", 0), s.kept))
	m.weigh(&out.Report, s, in.Data.Len())
	if s.weight != "" {
		out.Data, err = multiplied(out.Data, s.weight, s.factor())
	}
	return out, cmp.Or(err, ctx.Err())
}

// drawnSample has the number of units drawn and the number of all units.
type drawnSample struct {
	of, kept int
	weight   string // variable multiplied by of / kept, or ""
}

// factor returns the factor for weights, so that their expected sum does not change.
func (s drawnSample) factor() float64 { return float64(s.of) / float64(s.kept) }

// sample returns the sample to draw and its units.
func (m *Sample) sample(in method.Input) (s drawnSample, units units, err error) {
	if m.Share != nil && m.Count != nil {
		return s, units, method.ParamError("\"share\": only one of share and count can be given")
	}
	if units, err = unitsOf(in, m.Unit == UnitHouseholds, "sample", "draw records"); err != nil {
		return s, units, err
	}
	s = drawnSample{of: units.Len(), kept: units.nearest(m.share() * float64(units.Len()))}
	if m.Count != nil {
		s.kept = *m.Count
	}
	if s.kept > s.of {
		return s, units, method.ParamError("\"count\" is %s, but the file has only %s",
			wording.Number(s.kept), wording.Counted(s.of, strings.TrimSuffix(m.Unit, "s")))
	}
	if s.kept < s.of {
		s.weight = in.Scenario.Weight
	}
	return s, units, nil
}

// weigh adds to the report how the weights of a file with the given number of records change.
func (m *Sample) weigh(report *method.Report, s drawnSample, records int) {
	switch {
	case s.kept == s.of:
		report.Effect = "all of " + wording.Counted(records, "record") + " kept"
	case s.weight == "":
		report.Warnings = append(report.Warnings,
			fmt.Sprintf("no weight variable: multiply estimates of totals by %s", wording.Value(s.factor())))
	default:
		report.Effect += fmt.Sprintf(", weights multiplied by %s", wording.Value(s.factor()))
	}
}

// share returns the share to draw if no count is given.
func (m *Sample) share() float64 {
	if m.Share == nil {
		return defaultShare
	}
	return *m.Share
}

// multiplied returns the data with the numbers of a variable multiplied by a factor.
func multiplied(data *microdata.Dataset, name string, factor float64) (*microdata.Dataset, error) {
	column, ok := data.Column(name)
	if !ok || !column.Numeric() {
		return nil, fmt.Errorf("sample %w: the weight %q is not a numeric variable", method.ErrInput, name)
	}
	return data.With(column.Times(factor)), nil
}

// title describes the step: "sample: 0.1 of the households".
func (m *Sample) title() string {
	if m.Count != nil {
		return "sample: " + wording.Number(*m.Count) + " " + m.Unit
	}
	return fmt.Sprintf("sample: %v of the %s", m.share(), m.Unit)
}

// Narrate states what the step did.
func (m *Sample) Narrate(*method.Report) string {
	return fmt.Sprintf("The file is a random sample of the %s. The weights were adjusted to the sample.", m.Unit)
}
