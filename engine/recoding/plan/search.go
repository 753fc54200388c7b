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

// Errors of a search that cannot start.
var (
	ErrOptions   = errors.New("the search for plans failed")
	ErrHierarchy = errors.New("the hierarchy")
)

// Defaults of Options.
const (
	DefaultRounds = 4         // rounds that give a useful frontier
	DefaultPoints = 24        // maximum number of points of a frontier
	DefaultWork   = 6_000_000 // key patterns processed in a round
	leastFirst    = 6         // minimum number of points computed in the first round
	expandedOnce  = 4         // states expanded together
	costOfState   = 200       // fixed cost of a state, in key patterns
)

// Options are the parameters of a search.
type Options struct {
	K          int            // target k, at least 2
	Single     bool           // search recodes of one variable only, without suppression, all in one round
	Algorithm  string         // algorithm of the suppression: see suppress.KAnonymity; or "" for suppress.Minimal
	Iterations int            // for suppress.Thorough; 0: its default
	Importance map[string]int // importance of the key variables for suppression: see suppress.KAnonymity
	Rule       microdata.Rule // suppression rule, or "" for conservative, with suppress.SDCMicro for default
	Keep       []string       // key variables that must not be recoded

	// Hierarchies are tables of levels of key variables, which are then recoded only by these levels. Depth is
	// ignored.
	Hierarchies []recode.Hierarchy

	Points int // maximum number of points on the frontier; 0: DefaultPoints
	Work   int // key patterns processed in a round; 0: DefaultWork
}

// Search is a search for plans. It can be continued for any number of rounds and has a frontier after each.
type Search struct {
	data      *microdata.Dataset
	scenario  *microdata.Scenario
	options   Options
	table     *keys.Table // of the key variables, followed by others that define strata
	strata    []suppress.StrataVariable
	variables []*variable

	tried   map[string]bool
	archive []*state
	points  map[string]*Point // by name of the state

	// State of the current round, so that a cancelled round can be continued.
	work   int      // work done so far
	chosen []*state // states whose points are being computed; nil: none

	turn  sync.Mutex // locks Continue
	found atomic.Pointer[Result]
}

// Result is the result of a search after some rounds. It must not be modified.
type Result struct {
	// Frontier is sorted by information loss. Its first point is suppression only. Its last point suppresses
	// fewest cells: none, unless records with missing values cannot be protected by recodes. Points that remove
	// variables come last and exist only if no others are as good. With Options.Single the first point is no
	// recode, and the number of violators falls from point to point.
	Frontier  []*Point
	Rounds    int
	Tried     int     // combinations of recodes tried
	Exhausted bool    // whether nothing is left to try
	Detail    float64 // sum of the entropies of the key variables, in bits
}

// Found returns the result of the last round; its frontier is empty before the first. It may be called during
// Continue.
func (s *Search) Found() *Result { return s.found.Load() }

// New returns a search that has tried nothing yet, for the scenario's key variables. It takes into account the
// scenario's strata, and households whose cells are suppressed together. The data and the scenario must not be
// modified during the search. New takes time proportional to the number of records. Errors wrap ErrOptions,
// ErrHierarchy, or an error of package suppress for data without a solution.
func New(ctx context.Context, data *microdata.Dataset, scenario *microdata.Scenario, o Options) (*Search, error) {
	if err := o.complete(scenario); err != nil {
		return nil, err
	}
	s := &Search{data: data, scenario: scenario, options: o, tried: map[string]bool{}, points: map[string]*Point{}}
	s.found.Store(&Result{})
	columns, err := s.columns()
	if err != nil {
		return nil, err
	}
	if s.table, err = keys.New(ctx, columns, nil); err != nil {
		return nil, err
	}
	return s, nil
}

// complete sets defaults and validates the options.
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

// suppression returns the suppression method of the plans.
func (o *Options) suppression() *suppress.KAnonymity {
	m := suppress.NewKAnonymity()
	m.K, m.Algorithm, m.Rule, m.Iterations, m.Importance = o.K, o.Algorithm, string(o.Rule), o.Iterations, o.Importance
	return m
}

// columns returns the columns of the key table and creates the variables.
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

// recodes adds the recodes of a variable. Strata variables get none, because k must hold in the original strata.
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

// Continue makes one round: it tries combinations for the work of a round and computes points. A cancelled round
// continues with the next call as if it had not been interrupted. The first half of the meter is for combinations,
// the second for points. Concurrent calls wait for each other.
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
	s.found.Store(&Result{s.frontier(), now.Rounds + 1, len(s.tried), exhausted, detail})
	s.work, s.chosen = 0, nil
	return nil
}

// far returns well-separated states, including those whose points are known. If the work of a round is less than
// the default, it returns fewer states in the first round, so that this takes less time. With Options.Single it
// returns all states.
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

// frontier returns well-separated points among those that are not dominated.
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
