package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// Errors of a search that cannot begin.
var (
	ErrOptions   = errors.New("the search for plans failed")
	ErrHierarchy = errors.New("the hierarchy")
)

// Defaults of Options.
const (
	DefaultRounds = 4         // rounds that give a frontier worth to be shown
	DefaultPoints = 24        // points that a frontier has at most
	DefaultWork   = 6_000_000 // distinct keys gone through in a round
	leastFirst    = 6         // points that a first round computes at least
	expandedOnce  = 4         // states that are expanded together
	costOfState   = 200       // keys that take as long as what a state costs besides its keys
)

// Options says which plans are looked for.
type Options struct {
	K          int            // that every plan reaches; at least 2
	Single     bool           // recodes of one variable alone, without suppression: all in one round
	Algorithm  string         // of the suppression: see suppress.KAnonymity; "": suppress.Minimal
	Iterations int            // of suppress.Thorough; 0: its default
	Importance map[string]int // of the key variables for the suppression: see suppress.KAnonymity
	Rule       microdata.Rule // protection rule; "": conservative, with suppress.SDCMicro default
	Keep       []string       // key variables that are not recoded

	// Hierarchies are tables of levels of key variables, which are then recoded
	// along them only; Depth plays no part.
	Hierarchies []recode.Hierarchy

	Points int // that a frontier has at most; 0: DefaultPoints
	Work   int // distinct keys that are gone through in a round; 0: DefaultWork
}

// Search is a search for plans. It goes on as long as it is told to, and has a frontier after each
// round.
type Search struct {
	data      *microdata.Dataset
	scenario  *microdata.Scenario
	options   Options
	table     *keys.Table // of the key variables, and behind them others that define strata
	strata    []suppress.StrataVariable
	variables []*variable

	tried   map[string]bool
	archive []*state
	points  map[string]*Point // of states, by name

	// Of the round that is being made, so that one that was cancelled goes on as if it had not been.
	work   int      // done so far
	chosen []*state // whose points are being computed; nil: none

	turn  sync.Mutex // of Continue
	found atomic.Pointer[Found]
}

// Found is what a search has found after some rounds; not to be modified.
type Found struct {
	// Frontier is in order of information loss. The first point is suppression alone; the last one
	// suppresses fewest cells: none, unless values that are missing in the file leave records that
	// recodes cannot protect. What removes a variable comes last, and only if nothing else does as
	// well. Of single recodes the first point is no recode, and violators fall.
	Frontier  []*Point
	Rounds    int
	Tried     int     // combinations of recodes
	Exhausted bool    // nothing is left to be tried
	Detail    float64 // sum of the entropies of the key variables, in bits
}

// Found returns what was found by the last round; an empty frontier before the first. It may be asked
// for while Continue goes on.
func (s *Search) Found() *Found { return s.found.Load() }

// New returns a search that has tried nothing yet. The scenario's key variables are those of the
// plans; its strata, and households whose cells go together, are heeded. Neither the data nor the
// scenario may be modified meanwhile. It takes time in the number of records once. Errors wrap
// ErrOptions, ErrHierarchy, or what package suppress says of data without a solution.
func New(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario, o Options) (*Search, error) {
	if err := o.complete(scenario); err != nil {
		return nil, err
	}
	s := &Search{data: data, scenario: scenario, options: o, tried: map[string]bool{}, points: map[string]*Point{}}
	s.found.Store(&Found{})
	columns, err := s.columns()
	if err != nil {
		return nil, err
	}
	if s.table, err = keys.New(ctx, columns, nil); err != nil {
		return nil, err
	}
	return s, nil
}

// complete sets defaults and checks the options.
func (o *Options) complete(scenario *microdata.Scenario) error {
	o.Algorithm = cmp.Or(o.Algorithm, suppress.Minimal)
	if o.Algorithm == suppress.SDCMicro {
		o.Rule = cmp.Or(o.Rule, microdata.RuleDefault)
	}
	o.Rule = cmp.Or(o.Rule, microdata.RuleConservative)
	o.Points, o.Work = cmp.Or(o.Points, DefaultPoints), cmp.Or(max(0, o.Work), DefaultWork)
	switch {
	case len(scenario.Keys) == 0:
		return fmt.Errorf("%w: there are no key variables", ErrOptions)
	case o.K < 2 && !o.Single:
		return fmt.Errorf("%w: k is %d; it must be at least 2", ErrOptions, o.K)
	case o.Points < 2:
		return fmt.Errorf("%w: a frontier of %d points; it must have at least 2", ErrOptions, o.Points)
	}
	named := slices.Concat(o.Keep, slices.Sorted(maps.Keys(o.Importance)))
	for i, h := range o.Hierarchies {
		if slices.ContainsFunc(o.Hierarchies[:i], func(other recode.Hierarchy) bool { return other.Variable == h.Variable }) {
			return fmt.Errorf("%w: there are two hierarchies of %q", ErrOptions, h.Variable)
		}
		named = append(named, h.Variable)
	}
	for _, name := range named {
		if !slices.Contains(scenario.Keys, name) {
			return fmt.Errorf("%w: %q is not a key variable; key variables are %s", ErrOptions, name,
				strings.Join(scenario.Keys, ", "))
		}
	}
	if o.Single {
		return nil
	}
	if err := method.Validate(o.suppression()); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return nil
}

// suppression returns the method that ends every plan.
func (o *Options) suppression() *suppress.KAnonymity {
	m := suppress.NewKAnonymity()
	m.K, m.Algorithm, m.Rule, m.Iterations, m.Importance = o.K, o.Algorithm, string(o.Rule), o.Iterations, o.Importance
	return m
}

// columns returns the columns of the key table, and makes the variables.
func (s *Search) columns() ([]*microdata.Column, error) {
	var columns []*microdata.Column
	for place, name := range slices.Concat(s.scenario.Keys, s.scenario.Strata) {
		at := slices.Index(s.scenario.Keys, name)
		if at < 0 || at == place {
			column, ok := s.data.Column(name)
			if !ok {
				return nil, fmt.Errorf("%w: the file has no variable %q", ErrOptions, name)
			}
			at = len(columns)
			columns = append(columns, column)
			v := newVariable(column)
			if err := s.recodes(v, place < len(s.scenario.Keys)); err != nil {
				return nil, err
			}
			s.variables = append(s.variables, v)
		}
		if place >= len(s.scenario.Keys) {
			s.strata = append(s.strata, suppress.StrataVariable{Variable: at, Levels: columns[at].Categories().Levels})
		}
	}
	return columns, nil
}

// recodes adds those of a variable. Strata stay what they are: else k would be reached in other parts
// of the file.
func (s *Search) recodes(v *variable, key bool) error {
	name := v.column.Name()
	along := slices.IndexFunc(s.options.Hierarchies, func(h recode.Hierarchy) bool { return h.Variable == name })
	switch {
	case along >= 0:
		return v.along(&s.options.Hierarchies[along])
	case key && !slices.Contains(s.scenario.Strata, name) && !slices.Contains(s.options.Keep, name):
		v.candidates()
	}
	return nil
}

// Continue makes a round: it tries combinations for the work of one and computes the points that
// stand out. A round that was cancelled goes on with the next call, as if it had not been. Half of the
// meter is filled by what is tried, the rest by the points. Of several calls one goes on at a time.
func (s *Search) Continue(ctx context.Context, meter *progress.Meter) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	now := *s.Found()
	if now.Exhausted {
		return nil
	}
	meter.Start(2 * int64(s.options.Work))
	exhausted, err := s.try(ctx, meter)
	if err != nil {
		return err
	}
	if s.chosen == nil {
		s.chosen = s.far()
	}
	if err := s.evaluate(ctx, s.chosen, meter); err != nil {
		return err
	}
	meter.Set(1, 1)
	detail := 0.0
	for _, v := range s.variables[:len(s.scenario.Keys)] {
		detail += v.detail
	}
	s.found.Store(&Found{s.frontier(), now.Rounds + 1, len(s.tried), exhausted, detail})
	s.work, s.chosen = 0, nil
	return nil
}

// far returns states that are far from each other, those first whose points are known. Where a round
// has less work than by default the first one computes fewer points, so that it is soon over. Of single
// recodes all are returned.
func (s *Search) far() (chosen []*state) {
	if s.options.Single {
		return s.archive
	}
	var known []int
	for place, m := range s.archive {
		if s.points[m.name] != nil {
			known = append(known, place)
		}
	}
	first := max(min(leastFirst, s.options.Points), s.options.Points*min(s.options.Work, DefaultWork)/DefaultWork)
	for _, place := range spread(spots(s.archive, byViolators), known, max(first, len(known)+s.options.Points/3)) {
		chosen = append(chosen, s.archive[place])
	}
	return chosen
}

// frontier returns, of the points that none dominates, some that are far from each other.
func (s *Search) frontier() (chosen []*Point) {
	all := slices.Collect(maps.Values(s.points))
	if s.options.Single {
		return undominated(all, func(p *Point) (*state, int) { return &p.state, p.Violators })
	}
	all = undominated(all, byCells)
	for _, place := range spread(spots(all, byCells), nil, s.options.Points) {
		chosen = append(chosen, all[place])
	}
	return chosen
}
