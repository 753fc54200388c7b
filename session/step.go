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

// Errors of a step that gives, or would give, other data than before when it is replayed.
var (
	ErrReplay  = errors.New("gives different data than before")
	ErrEarlier = errors.New("made by an earlier version of this method; its result differs") // see Job.Anew
	ErrNewer   = errors.New("made by a newer version of this method; update this program")
)

// Step is one step of a session.
type Step struct {
	Spec      StepSpec // with every parameter set
	Title     string   // "intervals age: 0-4, 5-14, 15-24, …"
	Key       string   // the key that opens the method's dialog; "": none
	Report    method.Report
	Seconds   float64 // computing time
	At        time.Time
	Before    string      // hash of the dataset before the step
	After     string      // hash of the dataset after the step
	Violators map[int]int // by k, right after the step; nil: unknown
	Figures   measure.Set // right after the step; nil: unknown
	// Meanings are the labels, at the time of the step, of the variables and categories that it names; nil if it
	// was not run since the session was opened.
	Meanings []method.Meaning

	// Said has the descriptions before the step of the variables whose categories are in its report of PRAM.
	Said map[string]microdata.Description

	redone   bool                // replayed after a change: run under the part of the scenario that fits the data
	entry    *method.Spec        // of the method
	method   method.Method       // with the parameters set
	changed  bool                // its method has changed, so that its result may differ
	origins  microdata.Origins   // of the variables after the step; nil if it was not run since the session was opened
	scenario *microdata.Scenario // at the step; must not be modified
	data     *microdata.Dataset  // after the step; nil if they were discarded

	lineNumber, scenarioLine int // in a script: the line of the step, and of its scenario; 0: none
}

// Method returns the method with its parameters set; it must not be modified.
func (s *Step) Method() method.Method { return s.method }

// Scenario returns the scenario at the step.
func (s *Step) Scenario() microdata.Scenario { return s.scenario.Clone() }

// hashText returns the hash of a dataset as written in journals.
func hashText(data *microdata.Dataset) string {
	hash := data.Hash()
	return hex.EncodeToString(hash[:])
}

// openedHash returns the hash of data as read. If another program changed them before, it includes the values
// before that.
func openedHash(data *microdata.Dataset) string {
	hash, was := hashText(data), hashText(data.Source())
	if hash == was {
		return hash
	}
	both := sha256.Sum256([]byte(was + hash))
	return hex.EncodeToString(both[:])
}

// line returns the step as written in the journal. Parts of its report about single categories and records are
// left out, because they are computed again with the step.
func (s *Step) line() stepLine {
	report, at := s.Report.Kept(), s.At
	return stepLine{Step: s.Spec.Step, Params: s.Spec.Params, Seed: s.Spec.Seed, Version: s.Spec.Version,
		Before: s.Before, After: s.After, Seconds: s.Seconds, At: &at, Report: &report, Violators: s.Violators}
}

// perform runs a complete step on the data of a source. It refuses labels that the source could not hold; nil:
// labels are not checked.
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

// call returns the call of a step to try on data, and the input of its method. A step that the scenario forbids is
// an error.
func (a *Analyst) call(spec StepSpec, data *microdata.Dataset, scenario *microdata.Scenario) (*call, method.Input, error) {
	c, err := spec.complete(a.methods)
	if err != nil {
		return nil, method.Input{}, err
	}
	in, err := c.on(data, scenario, a.source)
	return c, in, err
}

// on returns the input of the method for the data of a source. It is an error if the scenario forbids the method,
// or if it does not apply to these data.
func (c *call) on(data *microdata.Dataset, scenario *microdata.Scenario, source *Source) (method.Input, error) {
	in := method.Input{Data: data, Scenario: scenario, Seed: c.Seed}
	if reason := c.entry.Refusal(c.method, scenario); reason != "" {
		return in, fmt.Errorf("step %s is not possible: %s", c.Step, reason)
	}
	return in, c.entry.CheckRows(c.method, in)
}

// fits returns an error if the scenario would not fit the data after the step, or if the step made a label that
// means missing in the source.
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

// again replays a step of the journal, counted from 1, on the data and checks that the result is the same. It
// keeps time and violators of the journal.
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

// differs returns an error if the data differ from those in the journal.
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
