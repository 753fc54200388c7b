package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// ErrStream is wrapped where something cannot be done with data whose records are not held in memory.
var ErrStream = errors.New("not possible with data whose records are not held in memory")

// Unheld returns an error that wraps ErrStream and says of what, and what to do.
func Unheld(format string, values ...any) error {
	return fmt.Errorf("%w: %s", ErrStream, fmt.Sprintf(format, values...))
}

// groups says what the groups of a source go by whose records are not held.
type groups struct {
	by         []string // variables, each once
	alone      []string // variables whose values by themselves steps change
	weight     string   // that is added up in them; "": none
	households []string // variables that tell which records form a household
}

// grouped returns the groups themselves, of what has them.
func (g *groups) grouped() groups { return *g }

// UncountedError says that groups have to be counted by more variables before something can be
// done: see Session.PrepareCount.
type UncountedError struct {
	Variables []string // that they are not counted by, or not added up as the weight
	Values    []string // variables of which not all values are known
	need      groups
	set       *scenarioSet // that are to be those of the session; nil: they are
}

// Error names the variables.
func (e *UncountedError) Error() string {
	if len(e.Variables) == 0 {
		return "not all values of " + wording.Listed(e.Values) + " are known"
	}
	return "the groups of these data are not counted by " + wording.Listed(e.Variables)
}

// addScenario adds the variables whose roles need to be counted. An error wraps ErrStream.
func (g *groups) addScenario(s *microdata.Scenario) error {
	if s == nil {
		return nil
	}
	var roles []string
	for _, name := range s.Having(microdata.RoleNumericKey) {
		roles = append(roles, fmt.Sprintf("%s as %s: %s", name, microdata.RoleNumericKey, microdata.RoleNumericKey.OnGroups()))
	}
	switch {
	case len(roles) > 0:
		return Unheld("%s; take the role away, or open a file with the records in memory", wording.Listed(roles))
	case s.Weight != "" && g.weight != "" && s.Weight != g.weight:
		return errWeights(g.weight, s.Weight)
	case s.Weight != "":
		g.weight = s.Weight
	}
	g.households = adding(g.households, []string{s.Household})
	g.by = adding(g.by, slices.Concat(s.Keys, s.Strata, s.Sensitive, s.PRAM))
	for _, key := range s.Keys {
		g.by = adding(g.by, s.Linked[key])
	}
	return nil
}

// and returns the groups that go by what others go by, too; an error wraps ErrStream.
func (g groups) and(other groups) (groups, error) {
	if g.weight != "" && other.weight != "" && g.weight != other.weight {
		return g, errWeights(g.weight, other.weight)
	}
	return groups{by: adding(g.by, other.by), alone: adding(g.alone, other.alone), weight: cmp.Or(g.weight, other.weight),
		households: adding(g.households, other.households)}, nil
}

func errWeights(one, other string) error {
	return Unheld("two weights, %s and %s, of scenarios or of steps that stand; give them one", one, other)
}

// addStep adds the variables that a step needs under a scenario.
func (g *groups) addStep(m method.Method, scenario *microdata.Scenario) {
	by, alone := method.CountedBy(m, scenario)
	g.by, g.alone = adding(g.by, by), adding(g.alone, alone)
}

// adding returns names with those of others that are new.
func adding(names, others []string) []string {
	for _, name := range others {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// among returns the groups by the variables that a file has, in its order; others a step makes. The
// weight is added up, so that groups cannot go by it. Where they go by a variable it tells households by itself.
func (g groups) among(names []string) (groups, error) {
	var out groups
	for _, name := range names {
		if name == g.weight {
			out.weight = name
		}
		switch {
		case slices.Contains(g.by, name):
			out.by = append(out.by, name)
		case slices.Contains(g.alone, name):
			out.alone = append(out.alone, name)
		}
		if slices.Contains(g.households, name) && !slices.Contains(g.by, name) {
			out.households = append(out.households, name)
		}
	}
	if out.weight != "" && slices.Contains(slices.Concat(out.by, out.alone, out.households), out.weight) {
		return out, Unheld("the weight %s is added up in groups, and a step or another role names it",
			out.weight)
	}
	return out, nil
}

// counted returns an *UncountedError where what is done with data of a source needs variables that their
// groups do not go by; nil for data whose records are held. m is the method of a step; nil: none.
func counted(source Source, data *microdata.Dataset, scenario *microdata.Scenario, m method.Method) error {
	passes, ok := source.(passing)
	if !ok {
		return nil
	}
	var need groups
	if err := need.addScenario(scenario); err != nil {
		return err
	}
	if m != nil {
		need.addStep(m, scenario)
	}
	lacking := &UncountedError{need: need}
	_, restores := m.(method.Restorer)
	for _, name := range slices.Concat(need.by, need.alone, need.households) {
		if column, there := data.Column(name); there && masked(column) && !restores {
			return Unheld("the numbers of %s were changed record by record; give it its role or make this step before that, or "+
				"reset the variable", name)
		}
	}
	for _, name := range need.by {
		if column, there := data.Column(name); there && (column.Uncounted() || column.Sums()) {
			lacking.Variables = append(lacking.Variables, name)
		}
	}
	for _, name := range need.alone {
		if column, there := data.Column(name); there && (column.ManyValued() && !masked(column) || column.Sums()) {
			lacking.Values = append(lacking.Values, name)
		}
	}
	if _, there := data.Column(need.weight); there && need.weight != passes.grouped().weight {
		lacking.Variables = append(lacking.Variables, need.weight)
	}
	for _, name := range need.households {
		if column, there := data.Column(name); there && (column.Uncounted() || column.Sums()) &&
			!slices.Contains(passes.grouped().households, name) {
			lacking.Variables = append(lacking.Variables, name)
		}
	}
	if len(lacking.Variables)+len(lacking.Values) == 0 {
		return nil
	}
	return lacking
}

// masked reports whether every record has another number of a variable, which no count tells.
func masked(column *microdata.Column) bool {
	_, by := column.Unmasked()
	return by != nil
}

// groups returns what groups have to go by for scenarios and for the steps of the tree. Where they stand they
// and all scenarios have one weight, else that is an error that wraps ErrStream.
func (t *tree) groups(set *scenarioSet) (need groups, err error) {
	for _, scenario := range set.scenarios {
		if err := need.addScenario(scenario); err != nil {
			return need, err
		}
	}
	path := t.path(t.at)
	for _, id := range path {
		if err := need.addScenario(t.nodes[id].scenario); err != nil {
			return need, err
		}
		need.addStep(t.nodes[id].method, t.nodes[id].scenario)
	}
	var others groups
	for id := range t.nodes {
		if id > 0 && !t.gone(id) && !slices.Contains(path, id) {
			_ = others.addScenario(t.nodes[id].scenario) // it is said when somebody goes there
			others.addStep(t.nodes[id].method, t.nodes[id].scenario)
		}
	}
	return need.beside(others), nil
}

// beside returns the groups that go by what others go by, too, as far as the weights leave it.
func (g groups) beside(others groups) groups {
	if g.weight == "" && !slices.Contains(slices.Concat(g.by, g.alone, g.households), others.weight) {
		g.weight = others.weight
	}
	names := func(of []string) []string {
		return slices.DeleteFunc(slices.Clone(of), func(name string) bool { return name == g.weight })
	}
	g.by, g.alone = adding(g.by, names(others.by)), adding(g.alone, names(others.alone))
	g.households = adding(g.households, names(others.households))
	return g
}

// counted returns an *UncountedError where scenarios need other groups than those that there are.
func (s *Session) counted(set *scenarioSet) error {
	err := counted(s.opened.Source, s.Data(), set.inForce(), nil)
	if lacking := new(UncountedError); errors.As(err, &lacking) {
		lacking.set = set
	}
	return err
}

// OpenGroups opens data of an address whose records are not held, with the groups that a scenario needs. Errors are
// those of opening them, and wrap ErrStream where the scenario needs more than groups.
func OpenGroups(ctx context.Context, address string, format fileio.Format, scenario *microdata.Scenario,
	meter *progress.Meter) (Opening, error) {
	var need groups
	if err := need.addScenario(scenario); err != nil {
		return Opening{}, err
	}
	return (*Known)(nil).Source(address, format).(passing).counting(need).Open(ctx, meter)
}

// Count is a count of the groups of a session's file by more variables, which is to be made: a value, so
// that the work can run in the background while the session stays as it is.
type Count struct {
	version uint64
	source  Source
	chain   chain // of the steps that stand, from the original on
}

// Counted are groups that were counted anew, with the steps that stand done again on them, for Recount.
type Counted struct {
	version uint64
	opening Opening
	chain   chain
}

// PrepareCount returns the count that something needs: the groups go by the variables that it lacks, and by those
// that they go by now. An error wraps ErrStream: it needs what cannot be counted at once.
func (s *Session) PrepareCount(lacking *UncountedError) (Count, error) {
	set := cmp.Or(lacking.set, s.tree.scenarios)
	need, err := s.tree.groups(set)
	if err != nil {
		return Count{}, err
	}
	need.by, need.alone = adding(need.by, lacking.need.by), adding(need.alone, lacking.need.alone)
	need.households = adding(need.households, lacking.need.households)
	passes := s.opened.Source.(passing) // whose groups they are
	path := s.tree.path(s.tree.at)
	return Count{s.version, passes.counting(need.beside(passes.grouped())),
		chain{nodes: append([]int{0}, path...), steps: s.tree.steps(path)}}, nil
}

// Run counts the groups and does the steps again. Errors are those of opening the file and of the steps.
func (c Count) Run(ctx context.Context, meter *progress.Meter) (*Counted, error) {
	opening, err := c.source.Open(ctx, meter)
	if err != nil {
		return nil, err
	}
	c.chain.data, c.chain.source = opening.Data, opening.Source
	_, followed, err := c.chain.follow(ctx, nil)
	return &Counted{c.version, opening, followed}, err
}

// Recount makes groups that were counted anew those of the session. Nothing of that stands in the journal: its
// scenarios and steps tell what is to be counted. ErrMoved: the session has changed since it was prepared.
func (s *Session) Recount(c *Counted) error {
	if c.version != s.version {
		return fmt.Errorf("%w: the count is not used; do it again", ErrMoved)
	}
	s.opened.Source, s.opened.Data = c.opening.Source, c.opening.Data
	for id := range s.tree.nodes {
		s.tree.nodes[id].data = nil
	}
	s.accept(c.chain)
	s.changedPlace()
	return nil
}
