package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// ErrScenarioName is wrapped if there is no scenario with a name, or if a new name is taken or empty.
var ErrScenarioName = errors.New("scenarios of the session")

// NamedScenario is one of the disclosure scenarios of a session. Figures and steps use the active one.
type NamedScenario struct {
	Name     string // "" if it is the only one and has no name
	Scenario microdata.Scenario
	InForce  bool
}

// scenarioSet has the scenarios of a session in the order in which they were added. A set is never modified: a
// change returns a new one, so that it can be undone.
type scenarioSet struct {
	all []namedScenario
	at  int // index of the active one
}

// namedScenario is a scenario of a set, which must not be modified.
type namedScenario struct {
	name     string // "": no name
	scenario *microdata.Scenario
}

func newScenarioSet() *scenarioSet {
	scenario := microdata.NewScenario()
	return &scenarioSet{all: []namedScenario{{"", &scenario}}}
}

// inForce returns the active scenario, which must not be modified.
func (c *scenarioSet) inForce() *microdata.Scenario { return c.all[c.at].scenario }

// name returns the name of the active scenario.
func (c *scenarioSet) name() string { return c.all[c.at].name }

// untouched reports whether no scenario was set yet.
func (c *scenarioSet) untouched() bool {
	return len(c.all) == 1 && c.all[0].name == "" && !c.all[0].scenario.HasRoles() && len(c.all[0].scenario.Tables) == 0
}

func (c *scenarioSet) clone() *scenarioSet {
	return &scenarioSet{slices.Clone(c.all), c.at}
}

// place returns the index of a scenario, or -1.
func (c *scenarioSet) place(name string) int {
	return slices.IndexFunc(c.all, func(s namedScenario) bool { return s.name == name })
}

// find returns the index of a scenario.
func (c *scenarioSet) find(name string) (int, error) {
	at := c.place(name)
	if at < 0 {
		return 0, fmt.Errorf("%w: no scenario %q; known scenarios are %s", ErrScenarioName, wording.Excerpt(name),
			wording.Joined(c.all, ", ", namedScenario.called))
	}
	return at, nil
}

func (s namedScenario) called() string { return cmp.Or(s.name, firstScenario) }

// firstScenario is the name that an unnamed scenario gets when another is added.
const firstScenario = "scenario 1"

// put sets the scenario with a name and activates it; a new name adds a scenario. Without a name it replaces the
// active one.
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

// unused returns a name that is neither taken nor equal to other.
func (c *scenarioSet) unused(name, other string) string {
	for n := 2; c.place(name) >= 0 || name == other; n++ {
		name = fmt.Sprintf("scenario %d", n)
	}
	return name
}

// altered returns the scenarios after a line, or c if it changes nothing.
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

// use activates another scenario.
func (c *scenarioSet) use(name string) (*scenarioSet, error) {
	at, err := c.find(name)
	if err != nil || at == c.at {
		return c, err
	}
	out := c.clone()
	out.at = at
	return out, nil
}

// rename renames a scenario.
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

// remove removes a scenario. If it is active, the one before it becomes active.
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

// PutScenario sets the scenario with a name and activates it. A new name adds a scenario, and an unnamed one then
// gets the name "scenario 1"; "" is the active one. Steps keep their data. An error that wraps
// microdata.ErrScenario, such as a *ConflictError, says what does not fit; then nothing has changed. This and all
// other changes of scenarios can be undone.
func (s *Session) PutScenario(name string, scenario microdata.Scenario) error {
	name, scenario = plainBranch(name), scenario.Clone()
	if err := checkTables(scenario.Tables); err != nil {
		return err
	}
	s.tree.scenarios.seedTables(&scenario)
	set := s.tree.scenarios.put(name, &scenario)
	if is := s.tree.scenarios; set.at == is.at && set.name() == is.name() && sameScenario(&scenario, s.scenario) {
		return nil
	}
	line := said(&scenario, nil, now())
	line.Name = name
	return s.changeScenarios(set, line)
}

// UseScenario activates the scenario with a name. Errors: ErrScenarioName, and those of PutScenario.
func (s *Session) UseScenario(name string) error {
	return s.alterScenarios(&scenariosLine{Scenarios: scenariosUse, Name: name})
}

// RenameScenario renames a scenario. Errors: ErrScenarioName.
func (s *Session) RenameScenario(name, to string) error {
	return s.alterScenarios(&scenariosLine{Scenarios: scenariosRename, Name: name, To: plainBranch(to)})
}

// RemoveScenario removes a scenario; the only one cannot be removed. If it is active, the one before it becomes
// active, or the next one. Errors: ErrScenarioName, and those of PutScenario.
func (s *Session) RemoveScenario(name string) error {
	return s.alterScenarios(&scenariosLine{Scenarios: scenariosRemove, Name: name})
}

// alterScenarios applies a line if it changes anything.
func (s *Session) alterScenarios(line *scenariosLine) error {
	set, err := s.tree.scenarios.altered(line)
	if err != nil || set == s.tree.scenarios {
		return err
	}
	line.At = now()
	return s.changeScenarios(set, line)
}

// changeScenarios sets the scenarios of the session after the line was written, if the active one fits the data
// and the steps.
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
