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

// Analyst computes the measures of its catalog and caches the results: key tables, household indexes, assessments,
// and the results of steps that were tried. The cache key is the contents and the lineage of the input columns, so
// that figures after an undo are available at once. The cache is bounded and safe for concurrent use. A nil
// Analyst applies steps without a cache.
type Analyst struct {
	memo     *memory
	measures measure.Catalog
	methods  method.Catalog // nil: all
	source   *Source        // of the data; nil: labels are not checked
	patterns *identify.Patterns
	also     int // a k that what-ifs count besides those of the scenario; 0: none
}

// memoBudget is the size of the cache in bytes.
const memoBudget = 704 << 20

// NewAnalyst returns an analyst of all measures with an empty cache.
func NewAnalyst() *Analyst {
	return &Analyst{memo: newMemory(memoBudget), measures: catalog.Measures()}
}

// With sets the measures of the analyst, unless measures is nil, and returns the analyst.
func (a *Analyst) With(measures measure.Catalog) *Analyst {
	if measures != nil {
		a.measures = measures
	}
	return a
}

// Recognising returns an analyst with the same cache that checks files by patterns of identifiers; nil: the
// built-in ones.
func (a *Analyst) Recognising(patterns *identify.Patterns) *Analyst {
	out := *a
	out.patterns = patterns
	return &out
}

// Patterns returns the patterns by which the analyst recognises identifiers; nil: the built-in ones.
func (a *Analyst) Patterns() *identify.Patterns { return a.patterns }

// For sets the methods and the source of a session, and returns the analyst. Its what-ifs then refuse labels that
// the source could not hold, as steps do.
func (a *Analyst) For(s *Session) *Analyst {
	a.methods, a.source = s.opened.Methods, s.opened.Source
	return a
}

// On returns an analyst with the same cache for the current source of the session; see Session.Recount.
func (a *Analyst) On(s *Session) *Analyst {
	out := *a
	return out.For(s)
}

// Counting returns an analyst with the same cache whose what-ifs also count the violators of k if the scenario
// does not, now and after the step. The result of a step does not depend on it.
func (a *Analyst) Counting(k int) *Analyst {
	out := *a
	out.also = k
	return &out
}

// counting returns the version under a scenario that also counts this k, or v if there is none.
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

// version returns the data as input of measures.
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

// both returns the figures of the measures for the places, of the original records and of the current data.
func (a *Analyst) both(ctx context.Context, d *Document,
	places measure.Place) (original, current measure.Set, err error) {
	if original, err = a.Figures(ctx, d.original(), &d.Scenario, places); err == nil {
		current, err = a.Figures(ctx, d.Data, &d.Scenario, places)
	}
	return original, current, err
}

// outcome is the result of a step and the time it took.
type outcome struct {
	output  method.Output
	seconds float64
	bytes   int // memory of the columns it made
}

// Bytes returns the memory of the columns it made.
func (o *outcome) Bytes() int { return o.bytes }

// apply runs a method. A step that was tried as a what-if is not computed again when it is applied.
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

// outcome returns the cached result of a step, or computes it.
func (a *Analyst) outcome(ctx context.Context, in method.Input, spec StepSpec,
	compute func() (*outcome, error)) (*outcome, error) {
	if a == nil {
		return compute()
	}
	return recalled(ctx, a, in.Data, compute, in.Scenario.WithoutTables(), spec)
}

// recalled returns the cached result of a computation on data, identified by by, or computes it.
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

// seconds returns a duration in seconds, rounded to microseconds.
func seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e6) / 1e6 }
