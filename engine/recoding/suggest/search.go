package suggest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// ErrVariable is the error of a variable that cannot be searched.
var ErrVariable = errors.New("no key variable to search for recodes")

// Search is a search for recodes of key variables. It goes on as long as it is
// told to; it is not safe for concurrent use.
type Search struct {
	table       *keys.Table
	frequencies *keys.Frequencies // now
	k           int
	before      int  // violators now
	complete    bool // no key has a missing value
	variables   []*variable
	waiting     []candidate // those that lose least detail first
	tried       int
	found       []*outcome // those that remove violators
	ranked      bool       // found is in its order
}

// New returns a search among the recodes of key variables, all of them where
// none is named, that judges them by the violators of k under the rule of the
// assessment. The data, the scenario's key variables and the assessment must
// belong together; none of them may be modified meanwhile. Variables that are
// no key variables are an error that wraps ErrVariable.
func New(data *microdata.Dataset, scenario *microdata.Scenario, now *risk.Assessment, k int,
	variables ...string) (*Search, error) {
	s := &Search{table: now.Table(), frequencies: now.KeyFrequencies(), k: k}
	s.before = s.table.Violators(s.frequencies, k)
	if len(variables) == 0 {
		variables = scenario.Keys
	}
	for _, name := range variables {
		place := slices.Index(scenario.Keys, name)
		column, ok := data.Column(name)
		if !ok || place < 0 {
			return nil, fmt.Errorf("%w: %q is none", ErrVariable, name)
		}
		v := newVariable(column, place)
		s.waiting = append(s.waiting, v.candidates()...)
		s.variables = append(s.variables, v)
	}
	slices.SortStableFunc(s.waiting, func(a, b candidate) int { return cmp.Compare(a.lost, b.lost) })
	s.complete = !incomplete(s.table)
	return s, nil
}

// incomplete reports whether a key has a missing value.
func incomplete(t *keys.Table) bool {
	for j := range t.Variables() {
		if slices.Contains(t.Codes(j), 0) {
			return true
		}
	}
	return false
}

// Continue tries candidates until all were tried or the time is over; at least
// one. It returns the context's error when that ends first; what was found
// stays.
func (s *Search) Continue(ctx context.Context, budget time.Duration) error {
	started := time.Now()
	for !s.Done() {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := s.waiting[s.tried]
		after, err := s.after(ctx, c)
		if err != nil {
			return err
		}
		s.tried++
		if after < s.before {
			s.found, s.ranked = append(s.found, &outcome{candidate: c, after: after}), false
		}
		if time.Since(started) >= budget {
			break
		}
	}
	return nil
}

// Done reports whether all candidates were tried.
func (s *Search) Done() bool { return s.tried == len(s.waiting) }

// Tried returns how many candidates were tried so far, and how many there are.
func (s *Search) Tried() (tried, all int) { return s.tried, len(s.waiting) }

// Before returns the number of violators now.
func (s *Search) Before() int { return s.before }

// Ranked returns the best n recodes found so far, best first: those that remove
// most violators per bit of detail lost. Recodes that remove none are left out.
func (s *Search) Ranked(n int) []*Suggestion {
	if !s.ranked {
		slices.SortFunc(s.found, s.better)
		s.ranked = true
	}
	var best []*Suggestion
	for _, o := range s.found[:min(n, len(s.found))] {
		best = append(best, s.suggestion(o))
	}
	return best
}
