package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// ErrScenarioName is wrapped where a scenario is called by a name that there is not, or
// is to get one that is taken or empty.
var ErrScenarioName = errors.New("scenarios of the session")

// NamedScenario is one of the disclosure scenarios of a session. One of them is in
// force: figures and steps are those under it.
type NamedScenario struct {
	Name     string // "" where there is only one and none was given
	Scenario microdata.Scenario
	InForce  bool
}

// scenarioSet holds the scenarios of a session in the order in which they were added.
// A set is never modified: a change returns another one, so that undo can go back.
type scenarioSet struct {
	all []namedScenario
	at  int // the one in force
}

// namedScenario is a scenario of a set, which is not to be modified.
type namedScenario struct {
	name     string // "": none was given
	scenario *microdata.Scenario
}

func newScenarioSet() *scenarioSet {
	scenario := microdata.NewScenario()
	return &scenarioSet{all: []namedScenario{{"", &scenario}}}
}

// inForce returns the scenario that figures and steps are under; it is not to be
// modified.
func (c *scenarioSet) inForce() *microdata.Scenario { return c.all[c.at].scenario }

// name returns that of the scenario in force.
func (c *scenarioSet) name() string { return c.all[c.at].name }

// untouched reports whether nothing was said of a scenario yet.
func (c *scenarioSet) untouched() bool {
	return len(c.all) == 1 && c.all[0].name == "" && !c.all[0].scenario.HasRoles() && len(c.all[0].scenario.Tables) == 0
}

func (c *scenarioSet) clone() *scenarioSet {
	return &scenarioSet{slices.Clone(c.all), c.at}
}

// place returns the place of a scenario; -1: there is none of the name.
func (c *scenarioSet) place(name string) int {
	return slices.IndexFunc(c.all, func(s namedScenario) bool { return s.name == name })
}

// find returns the place of a scenario.
func (c *scenarioSet) find(name string) (int, error) {
	at := c.place(name)
	if at < 0 {
		return 0, fmt.Errorf("%w: no scenario %q; known scenarios are %s", ErrScenarioName, wording.Excerpt(name),
			wording.Joined(c.all, ", ", namedScenario.called))
	}
	return at, nil
}

func (s namedScenario) called() string { return cmp.Or(s.name, firstScenario) }

// firstScenario is the name that a scenario without one gets when another is added.
const firstScenario = "scenario 1"

// put makes a scenario the one of a name and puts it in force; one that has no such
// name is added. Without a name it takes the place of the one in force.
func (c *scenarioSet) put(name string, scenario *microdata.Scenario) *scenarioSet {
	out := c.clone()
	at := out.place(name)
	switch {
	case name == "":
	case at >= 0:
		out.at = at
	case c.untouched():
		out.all[0].name = name
	default:
		if out.all[0].name == "" {
			out.all[0].name = out.unused(firstScenario, name)
		}
		out.all = append(out.all, namedScenario{name: name})
		out.at = len(out.all) - 1
	}
	out.all[out.at].scenario = scenario
	return out
}

// unused returns a name that no scenario has, nor is to get.
func (c *scenarioSet) unused(name, other string) string {
	for n := 2; c.place(name) >= 0 || name == other; n++ {
		name = fmt.Sprintf("scenario %d", n)
	}
	return name
}

// altered returns the scenarios after a line; themselves where it changes nothing.
func (c *scenarioSet) altered(line *scenariosLine) (*scenarioSet, error) {
	switch line.Scenarios {
	case scenariosUse:
		return c.use(line.Name)
	case scenariosRename:
		return c.rename(line.Name, plainBranch(line.To))
	case scenariosRemove:
		return c.remove(line.Name)
	default:
		return nil, fmt.Errorf("unknown change %q of the scenarios; known changes are use, rename, remove",
			wording.Excerpt(line.Scenarios))
	}
}

// use puts another scenario in force.
func (c *scenarioSet) use(name string) (*scenarioSet, error) {
	at, err := c.find(name)
	if err != nil || at == c.at {
		return c, err
	}
	out := c.clone()
	out.at = at
	return out, nil
}

// rename gives a scenario another name.
func (c *scenarioSet) rename(name, to string) (*scenarioSet, error) {
	at, err := c.find(name)
	switch {
	case err != nil || name == to && to != "":
		return c, err
	case to == "":
		return c, fmt.Errorf("%w: a name is required", ErrScenarioName)
	case c.place(to) >= 0:
		return c, fmt.Errorf("%w: %q already exists", ErrScenarioName, wording.Excerpt(to))
	}
	out := c.clone()
	out.all[at].name = to
	return out, nil
}

// remove takes a scenario out. Where it is in force, the one before it comes in force.
func (c *scenarioSet) remove(name string) (*scenarioSet, error) {
	at, err := c.find(name)
	if err != nil {
		return nil, err
	}
	if len(c.all) == 1 {
		return nil, fmt.Errorf("%w: the only scenario cannot be removed", ErrScenarioName)
	}
	out := c.clone()
	out.all = slices.Delete(out.all, at, at+1)
	if out.at > at || out.at == at && at > 0 {
		out.at--
	}
	return out, nil
}

// named lists the scenarios.
func (c *scenarioSet) named() []NamedScenario {
	all := make([]NamedScenario, len(c.all))
	for i, one := range c.all {
		all[i] = NamedScenario{one.name, one.scenario.Clone(), i == c.at}
	}
	return all
}

// Scenarios returns all scenarios, in the order in which they were added.
func (s *Session) Scenarios() []NamedScenario { return s.tree.scenarios.named() }

// PutScenario makes a scenario the one of a name and puts it in force; where there is
// none of the name it is added, and one that had no name so far gets "scenario 1". ""
// stands for the one in force. Steps keep the data that they gave. An error that wraps
// microdata.ErrScenario, a *ConflictError among them, says what does not fit; then
// nothing has changed. Undo takes back this and all other changes of scenarios.
func (s *Session) PutScenario(name string, scenario microdata.Scenario) error {
	name, scenario = plainBranch(name), scenario.Clone()
	if err := checkTables(scenario.Tables); err != nil {
		return err
	}
	set := s.tree.scenarios.put(name, &scenario)
	if is := s.tree.scenarios; set.at == is.at && set.name() == is.name() && sameScenario(&scenario, s.scenario) {
		return nil
	}
	line := said(&scenario, nil, now())
	line.Name = name
	return s.changeScenarios(set, line)
}

// UseScenario puts the scenario of a name in force. Errors: ErrScenarioName, and those
// of PutScenario.
func (s *Session) UseScenario(name string) error {
	return s.alterScenarios(&scenariosLine{Scenarios: scenariosUse, Name: name})
}

// RenameScenario gives a scenario another name. Errors: ErrScenarioName.
func (s *Session) RenameScenario(name, to string) error {
	return s.alterScenarios(&scenariosLine{Scenarios: scenariosRename, Name: name, To: plainBranch(to)})
}

// RemoveScenario takes a scenario out; the only one cannot be. Where it is in force,
// the one before it comes in force, else the next. Errors: ErrScenarioName, and those
// of PutScenario.
func (s *Session) RemoveScenario(name string) error {
	return s.alterScenarios(&scenariosLine{Scenarios: scenariosRemove, Name: name})
}

// alterScenarios does what a line says, where that changes anything.
func (s *Session) alterScenarios(line *scenariosLine) error {
	set, err := s.tree.scenarios.altered(line)
	if err != nil || set == s.tree.scenarios {
		return err
	}
	line.At = now()
	return s.changeScenarios(set, line)
}

// changeScenarios makes other scenarios those of the session, where the one in force
// fits the data and the steps, after the line was written.
func (s *Session) changeScenarios(set *scenarioSet, line any) error {
	scenario := set.inForce()
	if err := scenario.Check(s.Data()); err != nil {
		return err
	}
	if conflicts := s.Conflicts(*scenario); len(conflicts) > 0 {
		return &ConflictError{conflicts}
	}
	if err := s.store(line); err != nil {
		return err
	}
	s.tree.setScenarios(set)
	s.scenario = scenario
	s.version++
	return nil
}
