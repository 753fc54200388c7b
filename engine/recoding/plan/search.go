package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
)

// Errors of a search that cannot begin.
var (
	ErrOptions   = errors.New("plans cannot be looked for")
	ErrHierarchy = errors.New("the hierarchy")
)

// Defaults of Options.
const (
	DefaultRounds = 4          // rounds that give a frontier worth to be shown
	DefaultPoints = 24         // points that a frontier has at most
	DefaultWork   = 24_000_000 // distinct keys gone through in a round
)

// Options says which plans are looked for.
type Options struct {
	K          int            // that every plan reaches; at least 2
	Algorithm  string         // of the suppression: see suppress.KAnonymity; "": suppress.Minimal
	Iterations int            // of suppress.Thorough; 0: its default
	Rule       microdata.Rule // protection rule; "": conservative, with suppress.SDCMicro default
	Keep       []string       // key variables that are not recoded

	// Hierarchies are tables of levels of key variables, which are then recoded
	// along them only; Depth plays no part.
	Hierarchies []recode.Hierarchy

	Points int // that a frontier has at most; 0: DefaultPoints
	Work   int // distinct keys that are gone through in a round; 0: DefaultWork
}

// Search is a search for plans. It goes on as long as it is told to, and has a
// frontier after each round.
type Search struct {
	data      *microdata.Dataset
	scenario  *microdata.Scenario
	options   Options
	table     *keys.Table // of the key variables, and behind them others that define strata
	strata    []suppress.StrataVariable
	variables []*variable
	counter   *counter
	workers   []*workspace

	tried   map[string]bool
	archive []*member
	reserve []*member         // others that were tried
	points  map[string]*Point // of members, by name

	// Of the round that is being made, so that one that was cancelled goes on as if it
	// had not been.
	work   int          // done so far
	chosen []*member    // whose points are being computed; nil: none
	shown  atomic.Int64 // work that the meter was told, and what it was spared above half of it

	turn  sync.Mutex // of Continue
	found atomic.Pointer[Found]
}

// Found is what a search has found after some rounds; not to be modified.
type Found struct {
	// Frontier is in order of detail lost. The first point is suppression alone; the last
	// one blanks fewest cells: none, unless values that are missing in the file leave records
	// that recodes cannot protect.
	Frontier  []*Point
	Rounds    int
	Tried     int     // combinations of recodes
	Exhausted bool    // nothing is left to be tried
	Detail    float64 // what the key variables tell, in bits: the sum of their entropies
}

// Found returns what was found by the last round; an empty frontier before the first. It
// may be asked for while Continue goes on.
func (s *Search) Found() *Found { return s.found.Load() }

// New returns a search that has tried nothing yet. The scenario's key variables
// are those of the plans; its strata, and households whose cells go together, are
// heeded. Neither the data nor the scenario may be modified meanwhile. It takes
// time in the number of records once. Errors wrap ErrOptions, ErrHierarchy, or
// what package suppress says of data without a solution.
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
	for i := range o.Hierarchies {
		h := o.Hierarchies[i]
		if err := s.variables[slices.Index(scenario.Keys, h.Variable)].along(&h); err != nil {
			return nil, err
		}
	}
	identical := o.Rule == microdata.RuleConservative2 || o.Rule == microdata.RuleOwnCategory
	s.counter = newCounter(s.table, len(scenario.Keys), o.K, identical)
	for range max(1, runtime.GOMAXPROCS(0)) {
		s.workers = append(s.workers, &workspace{})
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
	case o.K < 2:
		return fmt.Errorf("%w: k is %d; it must be at least 2", ErrOptions, o.K)
	case o.Points < 2:
		return fmt.Errorf("%w: a frontier of %d points; it has at least 2", ErrOptions, o.Points)
	}
	var along []string
	for _, h := range o.Hierarchies {
		if slices.Contains(along, h.Variable) {
			return fmt.Errorf("%w: there are two hierarchies of %q", ErrOptions, h.Variable)
		}
		along = append(along, h.Variable)
	}
	for _, name := range append(along, o.Keep...) {
		if !slices.Contains(scenario.Keys, name) {
			return fmt.Errorf("%w: %q is no key variable; key variables are %s", ErrOptions, name,
				strings.Join(scenario.Keys, ", "))
		}
	}
	trial := suppress.KAnonymity{K: o.K, Algorithm: o.Algorithm, Rule: string(o.Rule), Iterations: o.Iterations}
	if err := method.Validate(&trial); err != nil {
		return fmt.Errorf("%w: %w", ErrOptions, err)
	}
	return nil
}

// columns returns the columns of the key table, and makes the variables.
func (s *Search) columns() ([]*microdata.Column, error) {
	names := slices.Clone(s.scenario.Keys)
	for _, name := range s.scenario.Strata {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	columns := make([]*microdata.Column, len(names))
	for i, name := range names {
		column, ok := s.data.Column(name)
		if !ok {
			return nil, fmt.Errorf("%w: the file has no variable %q", ErrOptions, name)
		}
		columns[i] = column
		// Strata stay what they are: else k would be reached in other parts of the file.
		strata := slices.Contains(s.scenario.Strata, name)
		s.variables = append(s.variables, newVariable(column, strata || slices.Contains(s.options.Keep, name)))
	}
	for _, name := range s.scenario.Strata {
		place := slices.Index(names, name)
		s.strata = append(s.strata, suppress.StrataVariable{Variable: place, Levels: columns[place].Categories().Levels})
	}
	return columns, nil
}

// Continue makes a round: it tries combinations for the work of one and computes the
// points that stand out. A round that was cancelled goes on with the next call, as if it had not
// been. Half of the meter is filled by what is tried, the rest by the points. Of several calls one
// goes on at a time.
func (s *Search) Continue(ctx context.Context, meter *progress.Meter) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	now := *s.Found()
	if now.Exhausted {
		return nil
	}
	meter.Start(2 * int64(s.options.Work))
	s.shown.Store(0)
	if len(s.archive) == 0 {
		if err := s.begin(ctx); err != nil {
			return err
		}
	}
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
	s.found.Store(&Found{s.frontier(), now.Rounds + 1, len(s.tried), exhausted, s.detail()})
	s.work, s.chosen = 0, nil
	return nil
}

// detail returns what the key variables tell, in bits: the sum of their entropies,
// to which the detail lost of a point can be compared.
func (s *Search) detail() float64 {
	sum := 0.0
	for _, v := range s.variables[:len(s.scenario.Keys)] {
		one := make([]uint32, len(v.counts))
		for code := 1; code < len(one); code++ {
			one[code] = 1
		}
		sum += suggest.Lost(v.counts, one)
	}
	return sum
}

// try tries combinations for the work of a round; exhausted says that nothing is left.
func (s *Search) try(ctx context.Context, meter *progress.Meter) (exhausted bool, err error) {
	for s.work < s.options.Work {
		batch := s.next()
		if len(batch) == 0 {
			return true, nil
		}
		work, err := s.expand(ctx, batch, meter)
		if err != nil {
			return false, err
		}
		s.work += work
	}
	return false, nil
}

// begin counts the violators of the combinations that the search begins with: no recode,
// and every variable recoded as far as can be.
func (s *Search) begin(ctx context.Context) error {
	var none, all []int
	for _, v := range s.variables {
		none, all = append(none, v.none), append(all, v.all)
	}
	batch := []*member{s.member(none, string(nameOf(none)))}
	if last := s.member(all, string(nameOf(all))); last.name != batch[0].name {
		batch = append(batch, last)
	}
	var families []*family
	for _, m := range batch {
		families = append(families, &family{of: m, members: []*member{m}})
	}
	if _, err := s.count(ctx, families, nil); err != nil {
		return err
	}
	for _, m := range batch {
		s.tried[m.name] = true
	}
	s.archive = add(nil, batch)
	return nil
}

// groupings returns those of a combination by variable.
func (s *Search) groupings(state []int) [][]uint32 {
	groupings := make([][]uint32, len(state))
	for v, id := range state {
		groupings[v] = s.variables[v].list[id].of
	}
	return groupings
}

// member returns a combination whose violators are not counted yet.
func (s *Search) member(state []int, name string) *member {
	m := &member{state: state, name: name}
	for v, id := range state {
		if m.lost += s.variables[v].list[id].lost; id != s.variables[v].none {
			m.recoded++
		}
	}
	return m
}

// far returns members that are far from each other, those first whose points are
// known. Where a round has less work than by default the first one computes fewer
// points, so that it is soon over.
func (s *Search) far() []*member {
	var known []int
	for place, m := range s.archive {
		if s.points[m.name] != nil {
			known = append(known, place)
		}
	}
	var chosen []*member
	first := max(min(leastFirst, s.options.Points), s.options.Points*min(s.options.Work, DefaultWork)/DefaultWork)
	for _, place := range spread(spots(s.archive), known, max(first, len(known)+s.options.Points/3)) {
		chosen = append(chosen, s.archive[place])
	}
	return chosen
}

// leastFirst is the number of points that a first round computes at least.
const leastFirst = 6

// frontier returns, of the points that none dominates, some that are far from each other.
func (s *Search) frontier() (chosen []*Point) {
	all := undominated(slices.Collect(maps.Values(s.points)))
	axes := scale{all[len(all)-1].Lost, float64(all[0].Cells)}
	var spots []spot
	for _, p := range all {
		spots = append(spots, axes.spot(p.Lost, p.Cells))
	}
	for _, place := range spread(spots, nil, s.options.Points) {
		chosen = append(chosen, all[place])
	}
	return chosen
}
