package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Errors of a step that, done again, gives other data than before, or would.
var (
	ErrReplay  = errors.New("gives different data than before")
	ErrEarlier = errors.New("made by an earlier version of this method; its result differs") // see Job.Anew
	ErrNewer   = errors.New("made by a newer version of this method; update this program")
)

// Step is one step of a session.
type Step struct {
	Spec      StepSpec // with every parameter written out
	Title     string   // "intervals age: 0-4, 5-14, 15-24, …"
	Key       string   // the key that opens the method's dialog; "" for none
	Report    method.Report
	Seconds   float64 // how long it took to compute
	At        time.Time
	Before    string      // hash of the dataset before the step
	After     string      // and after it
	Violators map[int]int // by k, right after the step; nil where not known
	Figures   measure.Set // right after the step, their numbers; nil where not known
	// Meanings are what variables and categories that it names were called when it was
	// made; nil where it was not done since the session was opened.
	Meanings []method.Meaning

	// Said is what the data said before the step of the variables whose categories its
	// report of PRAM has.
	Said map[string]microdata.Description

	redone   bool                // on top of a change: done under the scenario as far as the data bear it
	entry    *method.Spec        // of the method
	method   method.Method       // with the parameters set
	changed  bool                // its result may be another one since it was written
	origins  microdata.Origins   // of the variables after the step; nil where it was not done since the session was opened
	scenario *microdata.Scenario // at the step; not to be modified
	data     *microdata.Dataset  // after the step; nil where it was let go

	lineNumber, scenarioLine int // of a script: where the step stands, and the scenario at it; 0: nowhere
}

// Method returns the method with its parameters set; it must not be modified.
func (s *Step) Method() method.Method { return s.method }

// Scenario returns the scenario the step was made under.
func (s *Step) Scenario() microdata.Scenario { return s.scenario.Clone() }

// hashText returns the hash of a dataset as journals spell it.
func hashText(data *microdata.Dataset) string {
	hash := data.Hash()
	return hex.EncodeToString(hash[:])
}

// openedHash returns the hash of data as they were read: where another program changed them
// before, it goes by what they were, too.
func openedHash(data *microdata.Dataset) string {
	hash, was := hashText(data), hashText(data.Source())
	if hash == was {
		return hash
	}
	both := sha256.Sum256([]byte(was + hash))
	return hex.EncodeToString(both[:])
}

// line returns the step as it stands in the journal. What its report tells of single
// categories and records is left out: it is made again with the step.
func (s *Step) line() stepLine {
	report, at := s.Report.Kept(), s.At
	return stepLine{Step: s.Spec.Step, Params: s.Spec.Params, Seed: s.Spec.Seed, Version: s.Spec.Version,
		Before: s.Before, After: s.After, Seconds: s.Seconds, At: &at, Report: &report, Violators: s.Violators}
}

// perform runs a step that is complete on the data of a source, which says what labels it could not hold; nil: they are
// not checked.
func perform(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario, c *call, source *Source,
	analyst *Analyst, meter *progress.Meter) (Step, error) {
	in, err := c.on(data, scenario, source)
	if err != nil {
		return Step{}, err
	}
	done, err := analyst.apply(ctx, in, c, meter)
	if err = cmp.Or(err, data.Store().Err()); err != nil {
		return Step{}, err
	}
	output := done.output
	after := output.Data
	if err := c.fits(scenario, source, data, after); err != nil {
		return Step{}, err
	}
	step := Step{Spec: c.StepSpec, entry: c.entry, method: c.method, Meanings: method.Meanings(c.method, data),
		Title: output.Report.Title, Key: c.entry.Key, Report: output.Report,
		Seconds: done.seconds, At: time.Now().UTC().Truncate(time.Second), Before: hashText(data),
		After: hashText(after), scenario: scenario, data: after, origins: after.Origins(),
		Said: saidOf(data, &output.Report)}
	return step, ctx.Err()
}

// assess sets the figures right after the step.
func (s *Step) assess(ctx context.Context, analyst *Analyst) error {
	set, err := analyst.Figures(ctx, s.data, s.scenario, measure.History)
	if err != nil {
		return err
	}
	s.Figures = set.Numbers()
	if assessment := measure.Result[*risk.Assessment](set); assessment != nil {
		s.Violators = map[int]int{}
		for _, v := range assessment.Violators {
			s.Violators[v.K] = v.Count
		}
	}
	return nil
}

// call returns the call of a step that is tried on data, and what its method gets; one that the scenario
// forbids is an error.
func (a *Analyst) call(spec StepSpec, data *microdata.Dataset, scenario *microdata.Scenario) (*call, method.Input, error) {
	c, err := spec.complete(a.methods)
	if err != nil {
		return nil, method.Input{}, err
	}
	in, err := c.on(data, scenario, a.source)
	return c, in, err
}

// on returns what the method gets of the data of a source. One that the scenario forbids, that does not work on the
// rows of the data, or that needs others, is an error.
func (c *call) on(data *microdata.Dataset, scenario *microdata.Scenario, source *Source) (method.Input, error) {
	in := method.Input{Data: data, Scenario: scenario, Seed: c.Seed}
	if reason := c.entry.Refusal(c.method, scenario); reason != "" {
		return in, fmt.Errorf("step %s is not possible: %s", c.Step, reason)
	}
	return in, c.entry.CheckRows(c.method, in)
}

// fits reports a step after which the scenario would not fit the data, or that made
// a label which a source could not hold: one that stands for missing
// there.
func (c *call) fits(scenario *microdata.Scenario, source *Source, before, after *microdata.Dataset) error {
	if err := fitsAfterMove(scenario, before, after); err != nil {
		return fmt.Errorf("step %s is not possible: after it, %w", c.Step, err)
	}
	for _, column := range after.Columns() {
		if was, known := before.Column(column.Name()); known && was == column {
			continue
		}
		if label, lost := source.Format().ReadsAsMissing(column); lost {
			return fmt.Errorf("step %s: the category %q of %q %w: it is a missing code of this file; choose another name or number",
				c.Step, label, column.Name(), method.ErrInput)
		}
	}
	return nil
}

// again does a step of the journal, counted from 1, once more on the data and checks
// that the same comes out. It keeps what the journal says of time and violators.
func (s *Step) again(ctx context.Context, number int, data *microdata.Dataset) (Step, error) {
	scenario := s.scenario
	if s.redone {
		scenario = Fitted(scenario, data)
	}
	c := &call{s.Spec, s.entry, s.method}
	if err := c.complete(); err != nil {
		return Step{}, err
	}
	redone, err := perform(ctx, data, scenario, c, nil, nil, nil)
	if err != nil {
		return Step{}, err
	}
	if err := s.differs(number, &redone); err != nil {
		return Step{}, err
	}
	redone.Key, redone.Seconds, redone.At = s.Key, s.Seconds, s.At
	redone.Violators, redone.Figures = s.Violators, s.Figures
	return redone, nil
}

// differs reports data that are others than those the journal tells of.
func (s *Step) differs(number int, redone *Step) error {
	differ := func(was, is string) bool { return was != "" && was != is }
	before, after := differ(s.Before, redone.Before), differ(s.After, redone.After)
	switch {
	case !before && after && s.Spec.Version < redone.Spec.Version:
		return fmt.Errorf("step %d (%s) was %w", number, s.Title, ErrEarlier)
	case before || after:
		return fmt.Errorf("step %d (%s) %w: it was made by another version of the program, or the session file was changed",
			number, s.Title, ErrReplay)
	}
	return nil
}
