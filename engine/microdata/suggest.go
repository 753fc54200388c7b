package microdata

// Suggestion is a role that a variable may have.
type Suggestion struct {
	Variable string
	Role     Role
	Reason   string // why, in plain words; holds no value of any record
}

// Suggest returns roles that variables may have, judged by names, types and
// the first records, in file order: at most one role per variable, and at most
// one weight and one household identifier. Nobody sets a role but the user.
func Suggest(d *Dataset) []Suggestion {
	s := suggester{}
	for _, column := range d.Columns() {
		s.profiles = append(s.profiles, profileOf(column))
	}
	s.role = make([]*Suggestion, len(s.profiles))
	s.byName()
	s.first(RoleWeight, weightNames(), "named like a sampling weight; its values are positive numbers",
		func(p *profile) bool { return p.positive }, true)
	s.first(RoleHousehold, householdNames(), "named like a household identifier; neighbouring records share values",
		(*profile).identifiesGroups, false)
	s.byContents()
	var suggestions []Suggestion
	for _, suggestion := range s.role {
		if suggestion != nil {
			suggestions = append(suggestions, *suggestion)
		}
	}
	return suggestions
}

// suggester finds the role of each variable, surest signs first.
type suggester struct {
	profiles []*profile
	role     []*Suggestion // per variable; nil: none
}

func (s *suggester) give(variable int, role Role, reason string) {
	s.role[variable] = &Suggestion{s.profiles[variable].name, role, reason}
}

// byName gives roles to variables whose names tell them and whose contents
// fit.
func (s *suggester) byName() {
	for i, p := range s.profiles {
		for _, rule := range nameRules() {
			if rule.names.match(p.words) && rule.fits(p) {
				s.give(i, rule.role, rule.reason)
				break
			}
		}
	}
}

// first gives a role that one variable has to the first whose name tells it and
// whose contents fit; a name that says household comes last where it is late.
func (s *suggester) first(role Role, names lexicon, reason string, fits func(*profile) bool, late bool) {
	best := -1
	for i, p := range s.profiles {
		if s.role[i] == nil && names.match(p.words) && fits(p) &&
			(best < 0 || late && p.ofHousehold() < s.profiles[best].ofHousehold()) {
			best = i
		}
	}
	if best >= 0 {
		s.give(best, role, reason)
	}
}

// byContents gives roles to variables whose names tell nothing.
func (s *suggester) byContents() {
	for i, p := range s.profiles {
		if s.role[i] != nil {
			continue
		}
		switch {
		case p.phones:
			s.give(i, RoleRemoved, "most values look like telephone numbers")
		case p.addresses:
			s.give(i, RoleRemoved, "most values look like e-mail addresses")
		case p.kind == Category && p.unique():
			s.give(i, RoleRemoved, "every record has a text of its own")
		case p.kind == Whole && p.unique() && p.ascending:
			s.give(i, RoleRemoved, "the values number the records")
		}
	}
	s.onlyCandidate(RoleHousehold, "whole numbers in ascending order that neighbouring records share", func(p *profile) bool {
		return p.kind == Whole && p.ascending && p.identifiesGroups()
	})
	s.onlyCandidate(RoleWeight, "positive numbers with decimals in every record, none below 1", func(p *profile) bool {
		return p.kind == Number && p.positive && p.least >= 1 && !weightNames().match(p.words)
	})
}

// onlyCandidate gives a role that no variable has to the only one that could
// have it; where there are several, nothing tells which.
func (s *suggester) onlyCandidate(role Role, reason string, could func(*profile) bool) {
	found := -1
	for i, p := range s.profiles {
		switch {
		case s.role[i] != nil && s.role[i].Role == role:
			return
		case s.role[i] != nil || !could(p):
		case found >= 0:
			return
		default:
			found = i
		}
	}
	if found >= 0 {
		s.give(found, role, reason)
	}
}
