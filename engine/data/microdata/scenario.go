package microdata

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
)

// Rule specifies how missing values of key variables count in frequencies; the rules are defined in package keys.
type Rule string

// The five rules.
const (
	RuleDefault       Rule = "default"
	RuleConservative  Rule = "conservative"
	RuleCategorySize  Rule = "category-size"
	RuleConservative2 Rule = "conservative-2"
	RuleOwnCategory   Rule = "own-category"
)

// Rules returns the five rules in the order of their definition.
func Rules() []Rule {
	return []Rule{RuleDefault, RuleConservative, RuleCategorySize, RuleConservative2, RuleOwnCategory}
}

// Valid reports whether the rule is one of the five.
func (r Rule) Valid() bool { return slices.Contains(Rules(), r) }

// Role is the role of a variable in a disclosure scenario.
type Role string

// The roles. A variable can have several if they do not contradict each other: a key variable can define strata,
// for example.
const (
	RoleKey        Role = "key"
	RoleNumericKey Role = "numeric key"
	RoleWeight     Role = "weight"
	RoleHousehold  Role = "household"
	RoleStrata     Role = "strata"
	RolePRAM       Role = "PRAM"
	RoleSensitive  Role = "sensitive"
	RoleLinked     Role = "linked"
	RoleRemoved    Role = "removed"
	RoleSame       Role = "household-level"
)

// Scenario holds the roles of variables and the settings of risk. Its JSON form is used in scripts and journals.
type Scenario struct {
	Keys             []string            `json:"keys"`
	Numeric          []string            `json:"numeric"`
	Weight           string              `json:"weight"`
	Household        string              `json:"household"`
	Strata           []string            `json:"strata"`
	PRAM             []string            `json:"pram"`
	Sensitive        []string            `json:"sensitive"`
	Linked           map[string][]string `json:"linked"`
	Remove           []string            `json:"remove"`
	SameForHousehold []string            `json:"same_for_household,omitempty"`
	Rule             Rule                `json:"rule"`
	Alpha            float64             `json:"alpha"`
	K                []int               `json:"k"`
	// GlobalRisk is the target of the global risk, a share of the records; 0 means 1 %.
	GlobalRisk float64 `json:"global_risk,omitempty"`
	// Tables are published with the protected file.
	Tables []TableDefinition `json:"tables,omitempty"`
}

// usualGlobalRisk is the default target of the global risk.
const usualGlobalRisk = 0.01

// GlobalRiskTarget returns the target of the global risk, a share of the records.
func (s *Scenario) GlobalRiskTarget() float64 { return cmp.Or(s.GlobalRisk, usualGlobalRisk) }

// NewScenario returns a scenario without roles, with rule default, alpha 1, and k 2, 3 and 5.
func NewScenario() Scenario {
	return Scenario{Rule: RuleDefault, Alpha: 1, K: []int{2, 3, 5}}
}

// UnmarshalJSON reads a scenario; omitted fields have the values of NewScenario. Unknown fields are left to the
// caller to reject.
func (s *Scenario) UnmarshalJSON(text []byte) error {
	type plain Scenario
	read := plain(NewScenario())
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	*s = Scenario(read)
	return nil
}

// Clone returns a copy that shares no slice or map with s.
func (s Scenario) Clone() Scenario {
	out := s
	for _, role := range allRoles {
		if list := out.list(role); list != nil {
			*list = slices.Clone(*list)
		}
	}
	out.K, out.Linked = slices.Clone(s.K), maps.Clone(s.Linked)
	for key, linked := range out.Linked {
		out.Linked[key] = slices.Clone(linked)
	}
	out.Tables = slices.Clone(s.Tables)
	for i := range out.Tables {
		out.Tables[i] = out.Tables[i].Clone()
	}
	return out
}

// Has reports whether the variable has the role.
func (s *Scenario) Has(variable string, role Role) bool {
	if role == RoleLinked {
		return s.LinkedTo(variable) != ""
	}
	return variable != "" && slices.Contains(s.Having(role), variable)
}

// Having returns the variables with a role other than linked, in the order of the scenario.
func (s *Scenario) Having(role Role) []string {
	if list := s.list(role); list != nil {
		return *list
	}
	if one := s.one(role); one != nil && *one != "" {
		return []string{*one}
	}
	return nil
}

// one returns the field of a role that only one variable can have; nil for other roles.
func (s *Scenario) one(role Role) *string {
	return map[Role]*string{RoleWeight: &s.Weight, RoleHousehold: &s.Household}[role]
}

// LinkedTo returns the key variable whose suppressions the variable follows, or "".
func (s *Scenario) LinkedTo(variable string) string {
	for _, key := range s.Keys {
		if slices.Contains(s.Linked[key], variable) {
			return key
		}
	}
	return ""
}

// allRoles lists the roles in the order of the constants.
var allRoles = [...]Role{RoleKey, RoleNumericKey, RoleWeight, RoleHousehold, RoleStrata, RolePRAM, RoleSensitive,
	RoleLinked, RoleRemoved, RoleSame}

// RolesOf returns all roles of a variable, in the order of the constants.
func (s *Scenario) RolesOf(variable string) []Role {
	var roles []Role
	for _, role := range allRoles {
		if s.Has(variable, role) {
			roles = append(roles, role)
		}
	}
	return roles
}

// HasRoles reports whether any variable has a role.
func (s *Scenario) HasRoles() bool {
	return slices.ContainsFunc(allRoles[:], func(role Role) bool { return len(s.Having(role)) > 0 })
}

// list returns the field of a role that several variables can have; nil for other roles and for linked.
func (s *Scenario) list(role Role) *[]string {
	return map[Role]*[]string{RoleKey: &s.Keys, RoleNumericKey: &s.Numeric, RoleStrata: &s.Strata, RolePRAM: &s.PRAM,
		RoleSensitive: &s.Sensitive, RoleRemoved: &s.Remove, RoleSame: &s.SameForHousehold}[role]
}
