package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// Errors of a step that, done again, gives other data than before, or would.
var (
	ErrReplay  = errors.New("gives other data than before")
	ErrEarlier = errors.New("made by an earlier version of this method; its result differs") // see Job.Anew
	ErrNewer   = errors.New("made by a newer version of this method; this program is too old for it")
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

	deals    []*streamed.Deal    // what it makes of which records, where these decide it; see passing
	redone   bool                // on top of a change: done under the scenario as far as the data bear it
	method   method.Method       // with the parameters set
	today    int                 // version of the method as it is now
	changed  bool                // its result may be another one since it was written
	origins  microdata.Origins   // of the variables after the step; nil where it was not done since the session was opened
	scenario *microdata.Scenario // at the step; not to be modified
	data     *microdata.Dataset  // after the step; nil where it was let go

	lineNumber, scenarioLine int // of a script: where the step stands, and the scenario at it; 0: nowhere
}

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
	hash := recordsHash(data)
	if hash == "" || hash == hashText(data.Source()) {
		return hash
	}
	was := hashText(data.Source())
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
// not checked. The records are counted in a source that does not hold them, after the deals of the steps before; nil:
// they are not.
func perform(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario, c *call, source, counting Source,
	deals []*streamed.Deal, analyst *Analyst, meter *progress.Meter) (Step, error) {
	in, err := c.on(data, scenario, source)
	if err != nil {
		return Step{}, err
	}
	done, err := analyst.apply(ctx, in, c, meter)
	if err = cmp.Or(err, data.Store().Err()); err != nil {
		return Step{}, err
	}
	output := done.output
	dealt, err := c.dealt(ctx, counting, deals, in, &output, meter)
	if err != nil {
		return Step{}, fmt.Errorf("step %s: %w", c.Step, err)
	}
	after := output.Data
	if err := c.fits(scenario, source, data, after); err != nil {
		return Step{}, err
	}
	step := Step{Spec: c.StepSpec, method: c.method, today: c.Version, Meanings: method.Meanings(c.method, data),
		Title: output.Report.Title, Key: c.entry.Key, Report: output.Report,
		Seconds: done.seconds, At: time.Now().UTC().Truncate(time.Second), Before: recordsHash(data),
		After: recordsHash(after), scenario: scenario, data: after, deals: dealt, origins: after.Origins(),
		Said: saidOf(data, &output.Report)}
	return step, ctx.Err()
}

// dealing is a step of which the records are counted in a source that does not hold them.
type dealing struct {
	source passing
	before []*streamed.Deal // of the steps before
	in     method.Input
	meter  *progress.Meter
}

// dealt counts the records of what a step gave in a source that does not hold them, and returns what becomes of which
// of them. deals are those of the steps before.
func (c *call) dealt(ctx context.Context, source Source, deals []*streamed.Deal, in method.Input, out *method.Output,
	meter *progress.Meter) (dealt []*streamed.Deal, err error) {
	passes, ok := source.(passing)
	masking, looks := c.method.(method.ByRecord)
	if looks && in.Data.Grouped() {
		if err := looksAtRecords(source); err != nil {
			return nil, err
		}
	}
	d := &dealing{passes, deals, in, meter}
	drawing, byChance := c.method.(method.ByChance)
	switch {
	case !ok:
		return nil, nil
	case looks:
		*out, err = d.masked(ctx, masking)
	case byChance:
		dealt, err = d.drawn(ctx, drawing, out)
	default:
		dealt, err = d.inTurn(ctx, c.method, out)
	}
	if err == nil && len(dealt) > 0 {
		out.Data, err = passes.withHouseholds(ctx, out.Data, slices.Concat(deals, dealt), meter)
	}
	return dealt, err
}

// looksAtRecords says why no step can look at the records that data of a source stand for; nil: it can.
func looksAtRecords(source Source) error {
	if passes, ok := source.(passing); ok {
		return passes.looks()
	}
	return Unheld("every record draws its number, and these groups have no records")
}

// inTurn counts the records of a step in which they have their turn.
func (d *dealing) inTurn(ctx context.Context, m method.Method, out *method.Output) ([]*streamed.Deal, error) {
	scenario := d.in.Scenario
	deal, err := streamed.NewDeal(ctx, d.in.Data, out.Data, method.DealtBy(m, scenario), suppress.Together(scenario), scenario)
	if deal == nil || err != nil {
		return nil, err
	}
	if out.Data, err = d.source.dealt(ctx, d.before, deal, d.in.Data, d.meter); err == nil {
		suppress.CountLinked(&out.Report, d.in.Data, out.Data)
	}
	return []*streamed.Deal{deal}, err
}

// masked looks at the records themselves, and returns what becomes of their numbers.
func (d *dealing) masked(ctx context.Context, masking method.ByRecord) (out method.Output, err error) {
	look, err := masking.Look(d.in)
	if err != nil {
		return out, err
	}
	if err := d.source.look(ctx, d.in.Data, d.before, masking.Masked(), look, d.meter); err != nil {
		return out, err
	}
	return method.Masked(ctx, look, d.in)
}

// drawn has the records themselves draw, a variable after the other, and accounts for that.
func (d *dealing) drawn(ctx context.Context, drawing method.ByChance, out *method.Output) (dealt []*streamed.Deal, err error) {
	all, err := drawing.Chances(ctx, d.in)
	if err != nil {
		return nil, err
	}
	out.Data = d.in.Data
	for i := range all {
		deal, err := streamed.NewDraw(d.in.Data, out.Data, &all[i])
		if err != nil {
			return nil, err
		}
		if out.Data, err = d.source.dealt(ctx, slices.Concat(d.before, dealt), deal, out.Data, d.meter); err != nil {
			return nil, err
		}
		dealt = append(dealt, deal)
	}
	out.Report, err = method.Account(ctx, drawing, d.in, out.Data)
	return dealt, err
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
func (c *call) on(data *microdata.Dataset, scenario *microdata.Scenario, source Source) (method.Input, error) {
	in := method.Input{Data: data, Scenario: scenario, Seed: c.Seed}
	if reason := method.Refusal(c.method, scenario); reason != "" {
		return in, fmt.Errorf("step %s is not possible: %s", c.Step, reason)
	}
	return in, cmp.Or(method.CheckRows(c.method, in), counted(source, data, scenario, c.method))
}

// fits reports a step after which the scenario would not fit the data, or that made
// a label which a source could not hold: one that stands for missing
// there.
func (c *call) fits(scenario *microdata.Scenario, source Source, before, after *microdata.Dataset) error {
	if err := fitsAfterMove(scenario, before, after); err != nil {
		return fmt.Errorf("step %s is not possible: after it, %w", c.Step, err)
	}
	for _, column := range after.Columns() {
		if was, known := before.Column(column.Name()); known && was == column {
			continue
		}
		if label, lost := formatOf(source).ReadsAsMissing(column); lost {
			return fmt.Errorf("step %s: the category %q of %q %w: "+
				"it stands for missing in this file; choose another name or number",
				c.Step, label, column.Name(), method.ErrInput)
		}
	}
	return nil
}

// again does a step of the journal, counted from 1, once more on the data and checks
// that the same comes out. It keeps what the journal says of time and violators.
func (s *Step) again(ctx context.Context, number int, data *microdata.Dataset, source Source,
	deals []*streamed.Deal) (Step, error) {
	scenario := s.scenario
	if s.redone {
		scenario = Fitted(scenario, data)
	}
	c := &call{StepSpec: s.Spec, method: s.method}
	if err := c.complete(); err != nil {
		return Step{}, err
	}
	c.Version = s.today
	redone, err := perform(ctx, data, scenario, c, source, source, deals, nil, nil)
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
