package microdata

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// ErrScenario is wrapped by errors of a scenario that contradicts itself or the data.
var ErrScenario = errors.New("invalid scenario")

// MostKeys is the largest number of key variables.
const MostKeys = 64

// Problem is a contradiction in a scenario, in plain words.
type Problem struct {
	Variable string // the variable concerned, or ""
	Text     string
}

// Check returns an error that wraps ErrScenario and lists the problems of the scenario, or nil if it has none.
func (s *Scenario) Check(d *Dataset) error {
	return failure(s.Validate(d))
}

// CheckSettings is Check for the settings that need no data: the rule, alpha and k.
func (s *Scenario) CheckSettings() error {
	v := &validation{scenario: s}
	v.settings()
	return failure(v.problems)
}

// mostProblems is the number of problems that an error lists, and of names that a problem lists.
const mostProblems = 10

func failure(problems []Problem) error {
	if len(problems) == 0 {
		return nil
	}
	texts := make([]string, len(problems))
	for i := range problems {
		texts[i] = problems[i].Text
	}
	return fmt.Errorf("%w: %s", ErrScenario, strings.Join(wording.FirstFew(texts, mostProblems), "; "))
}

// Validate returns the contradictions within the scenario and with the data: variables that the file does not
// have, roles that exclude each other, weights that are not positive numbers, settings out of range. It returns
// nil if there are none; a scenario without key variables is valid.
func (s *Scenario) Validate(d *Dataset) []Problem {
	v := &validation{scenario: s, data: d}
	v.names()
	v.roles()
	v.links()
	v.numbers()
	v.settings()
	return v.problems
}

// validation collects the problems of a scenario.
type validation struct {
	scenario *Scenario
	data     *Dataset
	problems []Problem
}

func (v *validation) add(variable, format string, values ...any) {
	v.problems = append(v.problems, Problem{variable, fmt.Sprintf(format, values...)})
}

// reportedRoles lists the roles other than linked in the order in which problems are reported.
var reportedRoles = [...]Role{RoleKey, RoleNumericKey, RoleStrata, RolePRAM, RoleSensitive, RoleRemoved, RoleSame,
	RoleWeight, RoleHousehold}

// names checks for variables that the file lacks or that a list repeats.
func (v *validation) names() {
	s := v.scenario
	known := func(name string, role Role) {
		if _, ok := v.data.Column(name); !ok {
			v.add(name, "%q is named as %s, but the file has no such variable; check the name", wording.Excerpt(name), role.words())
		}
	}
	for _, role := range reportedRoles {
		list := s.Having(role)
		for i, name := range list {
			known(name, role)
			if slices.Index(list, name) < i {
				v.add(name, "%q is assigned twice as %s", wording.Excerpt(name), role.words())
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Linked)) {
		for _, name := range s.Linked[key] {
			known(name, RoleLinked)
		}
	}
	for i := range s.Tables {
		for _, name := range s.Tables[i].Variables() {
			if _, ok := v.data.Column(name); !ok {
				v.add(name, "the file has no variable %q, used in a table", wording.Excerpt(name))
			}
		}
	}
	if len(s.Keys) > MostKeys {
		v.add("", "there are %d key variables; at most %d are allowed", len(s.Keys), MostKeys)
	}
}

// exclusion is a pair of roles that exclude each other, with the reason.
type exclusion struct {
	a, b Role
	why  string
}

// exclusions lists the pairs of roles that contradict each other. All others are valid: a key variable can define
// strata or be perturbed by PRAM, and an income can be both a numeric key variable and sensitive.
func exclusions() []exclusion {
	const (
		notWeight    = "a weight is not an attribute of a person"
		notHousehold = "a household ID is not an attribute of a person"
		twice        = "its risk would be counted twice, and changes in one role would undo changes in the other"
		ownKey       = "a variable either follows the suppressions of another variable or has its own"
		released     = " must be released"
	)
	return []exclusion{
		{RoleKey, RoleNumericKey, twice},
		{RoleKey, RoleWeight, notWeight},
		{RoleKey, RoleHousehold, notHousehold},
		{RoleKey, RoleSensitive, "an intruder already knows the value of a key variable"},
		{RoleKey, RoleRemoved, RoleKey.words() + released},
		{RoleKey, RoleLinked, ownKey},
		{RoleNumericKey, RoleWeight, notWeight},
		{RoleNumericKey, RoleHousehold, notHousehold},
		{RoleNumericKey, RolePRAM, "PRAM changes categories, and masking changes numeric values"},
		{RoleNumericKey, RoleRemoved, RoleNumericKey.words() + released},
		{RoleWeight, RoleHousehold, notWeight},
		{RoleWeight, RoleStrata, notWeight},
		{RoleWeight, RolePRAM, notWeight},
		{RoleWeight, RoleSensitive, notWeight},
		{RoleWeight, RoleLinked, "a weight cannot be missing"},
		{RoleHousehold, RoleStrata, notHousehold},
		{RoleHousehold, RolePRAM, notHousehold},
		{RoleHousehold, RoleSensitive, notHousehold},
		{RoleHousehold, RoleLinked, notHousehold},
		{RolePRAM, RoleRemoved, RolePRAM.words() + released},
		{RoleSensitive, RoleRemoved, "a sensitive variable" + released},
		{RoleRemoved, RoleLinked, "a linked variable" + released},
	}
}

// roles checks for variables with roles that exclude each other.
func (v *validation) roles() {
	for _, e := range exclusions() {
		for _, name := range v.scenario.named(e.a) {
			if v.scenario.Has(name, e.b) {
				v.add(name, "%q cannot be both %s and %s: %s", name, e.a.words(), e.b.words(), e.why)
			}
		}
	}
	if same := v.scenario.SameForHousehold; len(same) > 0 && v.scenario.Household == "" {
		v.add(same[0], "%s must be the same for all members of a household, but no variable identifies households",
			quoted(same))
	}
}

// named returns the variables with a role other than linked, each once.
func (s *Scenario) named(role Role) []string {
	return slices.Compact(slices.Sorted(slices.Values(s.Having(role))))
}

// words returns the role with its article, as a sentence needs it.
func (r Role) words() string {
	return cmp.Or(map[Role]string{RoleKey: "a key variable", RoleNumericKey: "a numeric key variable",
		RoleWeight:    "the weight",
		RoleHousehold: "the household ID", RoleStrata: "a stratum variable", RolePRAM: "a PRAM variable",
		RoleSame: "a household-level variable"}[r],
		string(r))
}

// links checks for variables that follow two variables or one that is not a key variable.
func (v *validation) links() {
	s := v.scenario
	follows := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(s.Linked)) {
		if !slices.Contains(s.Keys, key) && len(s.Linked[key]) > 0 {
			v.add(key, "%s is linked to %q, which is not a key variable", quoted(s.Linked[key]), wording.Excerpt(key))
		}
		for _, name := range s.Linked[key] {
			if other, taken := follows[name]; taken {
				v.add(name, "%q is linked twice, to %q and to %q", name, wording.Excerpt(other), wording.Excerpt(key))
			}
			follows[name] = key
		}
	}
}

// numbers checks for text where numbers are needed, and for invalid weights.
func (v *validation) numbers() {
	s := v.scenario
	for _, name := range s.named(RoleNumericKey) {
		// A number recoded into categories keeps its role.
		if column, ok := v.data.Column(name); ok && !column.Numeric() && !column.Source().Numeric() {
			v.add(name, "%q is text and cannot be a numeric key variable", name)
		}
	}
	if _, ok := v.data.Column(s.Weight); ok {
		if _, err := s.Weights(v.data); err != nil {
			v.add(s.Weight, "%s", err)
		}
	}
}

// settings checks the rule, alpha and k.
func (v *validation) settings() {
	s := v.scenario
	if !s.Rule.Valid() {
		var known []string
		for _, rule := range Rules() {
			known = append(known, string(rule))
		}
		v.add("", "the rule %q is not one of %s", wording.Excerpt(string(s.Rule)), strings.Join(known, ", "))
	}
	if !(s.Alpha >= 0 && s.Alpha <= 1) {
		v.add("", "alpha is %v; it must be between 0 and 1", s.Alpha)
	}
	if !(s.GlobalRisk >= 0 && s.GlobalRisk < 1) {
		v.add("", "the target global risk is %v; it must be above 0 and below 1", s.GlobalRisk)
	}
	if len(s.K) == 0 {
		v.add("", "k is missing; give one or more values, such as 2, 3 and 5")
	}
	for i, k := range s.K {
		switch {
		case k < 2:
			v.add("", "k is %d; the smallest k is 2", k)
		case slices.Index(s.K, k) < i:
			v.add("", "k %d is given twice", k)
		}
	}
}

// quoted lists names in quotes.
func quoted(names []string) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = strconv.Quote(wording.Excerpt(name))
	}
	return strings.Join(wording.FirstFew(texts, mostProblems), ", ")
}
