package session

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Analyst computes the measures of its catalog and remembers them: key tables,
// household indexes, assessments, and what a step gave when it was tried. What it
// remembers is found by the contents and the lineage of the columns that went in,
// so that figures after an undo are there at once. It is bounded and safe for
// concurrent use. A nil Analyst makes steps and remembers nothing.
type Analyst struct {
	memo     *memory
	measures measure.Catalog
	methods  method.Catalog // nil: all
	source   *Source        // of the data; without one labels are not checked
	patterns *identify.Patterns
	also     int // a k that what-ifs count beside those of the scenario; 0: none
}

// memoBudget is how much is remembered, in bytes.
const memoBudget = 704 << 20

// NewAnalyst returns an analyst of all measures that remembers nothing yet.
func NewAnalyst() *Analyst {
	return &Analyst{memo: newMemory(memoBudget), measures: catalog.Measures()}
}

// With makes the analyst one of other measures; nil: of those it has. It returns the
// analyst.
func (a *Analyst) With(measures measure.Catalog) *Analyst {
	if measures != nil {
		a.measures = measures
	}
	return a
}

// Recognising returns an analyst with the same memory that checks files by patterns of
// identifiers; nil: those that the program knows.
func (a *Analyst) Recognising(patterns *identify.Patterns) *Analyst {
	out := *a
	out.patterns = patterns
	return &out
}

// Patterns returns the patterns by which the analyst recognises identifiers; nil: those that the
// program knows.
func (a *Analyst) Patterns() *identify.Patterns { return a.patterns }

// For makes the analyst one of the session's methods and source: its what-ifs refuse
// labels that the source could not hold, as steps do. It returns the analyst.
func (a *Analyst) For(s *Session) *Analyst {
	a.methods, a.source = s.opened.Methods, s.opened.Source
	return a
}

// On returns an analyst with the same memory for the source of the session as it is now; see Session.Recount.
func (a *Analyst) On(s *Session) *Analyst {
	out := *a
	return out.For(s)
}

// Counting returns an analyst with the same memory whose what-ifs count the
// violators of k too, where the scenario does not: now and after the step. What a
// step gives does not depend on it.
func (a *Analyst) Counting(k int) *Analyst {
	out := *a
	out.also = k
	return &out
}

// counting returns the version under a scenario that has the k that is counted too,
// in its place among the others; v itself where there is none.
func (a *Analyst) counting(v *measure.Version) *measure.Version {
	if !a.countsMore(v.Scenario) {
		return v
	}
	scenario := v.Scenario.Clone()
	scenario.K = append(scenario.K, a.also)
	slices.Sort(scenario.K)
	return v.Under(&scenario)
}

// countsMore reports whether what-ifs count a k that the scenario does not have.
func (a *Analyst) countsMore(scenario *microdata.Scenario) bool {
	return a.also >= 2 && !slices.Contains(scenario.K, a.also)
}

// version returns the data as measures look at them.
func (a *Analyst) version(data *microdata.Dataset, scenario *microdata.Scenario) *measure.Version {
	return measure.NewVersion(data, scenario, a.memo)
}

// Figures computes the measures that are shown in one of the places.
func (a *Analyst) Figures(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario,
	places measure.Place) (measure.Set, error) {
	return a.figures(ctx, a.version(data, scenario), places)
}

func (a *Analyst) figures(ctx context.Context, v *measure.Version, places measure.Place) (measure.Set, error) {
	return a.measures.Compute(ctx, measure.Input{Original: a.version(v.Source(), v.Scenario), Current: v}, places, nil)
}

// both returns what the measures of the places tell of the records as they were
// read, and now.
func (a *Analyst) both(ctx context.Context, d *Document,
	places measure.Place) (original, current measure.Set, err error) {
	if original, err = a.Figures(ctx, d.original(), &d.Scenario, places); err == nil {
		current, err = a.Figures(ctx, d.Data, &d.Scenario, places)
	}
	return original, current, err
}

// outcome is what a step gave, and how long that took.
type outcome struct {
	output  method.Output
	seconds float64
	bytes   int // of the columns it made
}

// Bytes returns the memory of what it made.
func (o *outcome) Bytes() int { return o.bytes }

// apply runs a method. A step that was tried as a what-if is not computed a
// second time when it is made.
func (a *Analyst) apply(ctx context.Context, in method.Input, c *call, meter *progress.Meter) (*outcome, error) {
	return a.outcome(ctx, in, c.StepSpec, func() (*outcome, error) {
		started := time.Now()
		output, err := method.Apply(ctx, c.method, in, meter)
		if err != nil {
			return nil, err
		}
		return newOutcome(in.Data, output, time.Since(started)), nil
	})
}

// outcome returns what a step gave when it was tried, or has it computed.
func (a *Analyst) outcome(ctx context.Context, in method.Input, spec StepSpec,
	compute func() (*outcome, error)) (*outcome, error) {
	if a == nil {
		return compute()
	}
	return recalled(ctx, a, in.Data, compute, in.Scenario.WithoutTables(), spec)
}

// recalled returns what was computed lately of data, and goes by some more, or has it computed.
func recalled[T any](ctx context.Context, a *Analyst, data *microdata.Dataset, compute func() (T, error),
	by ...any) (found T, err error) {
	text, err := json.Marshal(by)
	if err != nil {
		return found, err
	}
	lineage := data.Lineage()
	done, err := a.memo.Get(ctx, hashText(data)+string(lineage[:])+string(text), func() (any, error) { return compute() })
	found, _ = done.(T)
	return found, err
}

// newOutcome counts the bytes of the columns that a step made.
func newOutcome(before *microdata.Dataset, output method.Output, elapsed time.Duration) *outcome {
	done := &outcome{output: output, seconds: seconds(elapsed)}
	for i, column := range output.Data.Columns() {
		if columns := before.Columns(); i >= len(columns) || column != columns[i] {
			done.bytes += int(columnBytes(column))
		}
	}
	return done
}

// seconds returns a duration to the microsecond.
func seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e6) / 1e6 }
