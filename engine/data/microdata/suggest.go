package microdata

import "github.com/sdcdesk/sdcdesk/engine/data/identify"

// Suggestion is a suggested role of a variable.
type Suggestion struct {
	Variable string
	Role     Role
	Reason   string // reason in plain words, without any value of a record
}

// Guessed reports whether the suggestion of a household identifier or a free-text variable is based on values
// only: an ascending variable, or one with many codes, can be something else.
func (s Suggestion) Guessed() bool {
	return s.Reason == guessedHousehold || s.Reason == guessedFreeText
}

// Suggest returns suggested roles in file order, judged by names, types and the first records: at most one role
// per variable, and at most one weight and one household identifier. If the file declares roles, those are
// suggested instead, up to two per variable. Only the user assigns roles.
func Suggest(d *Dataset) []Suggestion { return SuggestBy(d, identify.Default()) }

// SuggestBy is Suggest with identifier patterns that may include added ones; nil for the built-in patterns.
func SuggestBy(d *Dataset, patterns *identify.Patterns) []Suggestion {
	if roles := describedRoles(d); len(roles) > 0 {
		return roles
	}
	s := newSuggester(d, patterns)
	weight, household := groupSigns()
	s.each(nameSigns())
	s.first(weight[0], true)
	s.first(household[0], false)
	s.each(contentSigns())
	s.only(household[1])
	s.only(weight[1])
	suggestions := []Suggestion{}
	for _, suggestion := range s.role {
		if suggestion != nil {
			suggestions = append(suggestions, *suggestion)
		}
	}
	return suggestions
}

// Possible returns all variables that could be the weight or the household identifier, by the same criteria, in
// file order.
func Possible(d *Dataset) []Suggestion {
	s := newSuggester(d, nil)
	s.each(nameSigns())
	weight, household := groupSigns()
	var possible []Suggestion
	for i, p := range s.profiles {
		for _, by := range append(weight, household...) {
			if s.could(i, by) {
				possible = append(possible, Suggestion{p.name, by.role, by.reason})
				break
			}
		}
	}
	return possible
}

func newSuggester(d *Dataset, patterns *identify.Patterns) *suggester {
	if patterns == nil {
		patterns = identify.Default()
	}
	s := &suggester{}
	for _, column := range d.Columns() {
		s.profiles = append(s.profiles, profileOf(column, patterns))
	}
	s.role = make([]*Suggestion, len(s.profiles))
	for i, column := range d.Columns() {
		if column.Source().Described().Primary {
			s.role[i] = &Suggestion{column.Name(), RoleRemoved, "the primary key of the table"}
		}
	}
	return s
}

// suggester assigns roles to variables, the most reliable signs first.
type suggester struct {
	profiles []*profile
	role     []*Suggestion // by variable; nil if none
}

// could reports whether a variable without a role has the sign.
func (s *suggester) could(variable int, by sign) bool {
	p := s.profiles[variable]
	if by.role == RoleRemoved && p.patterns.Harmless(p.name) {
		return false
	}
	return s.role[variable] == nil && by.names.Match(p.words) && by.fits(p)
}

func (s *suggester) give(variable int, by sign) {
	s.role[variable] = &Suggestion{s.profiles[variable].name, by.role, by.reason}
}

// each gives every variable the role of its first sign.
func (s *suggester) each(signs []sign) {
	for i := range s.profiles {
		for _, by := range signs {
			if s.could(i, by) {
				s.give(i, by)
			}
		}
	}
}

// first gives a role that only one variable can have to the first variable with the sign. If late, names that
// mention households come last.
func (s *suggester) first(by sign, late bool) {
	best := -1
	for i, p := range s.profiles {
		if s.could(i, by) && (best < 0 || late && p.ofHousehold() < s.profiles[best].ofHousehold()) {
			best = i
		}
	}
	if best >= 0 {
		s.give(best, by)
	}
}

// only gives a role that no variable has to the variable with the sign, if there is only one.
func (s *suggester) only(by sign) {
	var found []int
	for i := range s.profiles {
		if s.role[i] != nil && s.role[i].Role == by.role {
			return
		}
		if s.could(i, by) {
			found = append(found, i)
		}
	}
	if len(found) == 1 {
		s.give(found[0], by)
	}
}
