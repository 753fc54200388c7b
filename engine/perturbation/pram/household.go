package pram

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// sharedDraws determines which records share a draw. In the zero value none do.
type sharedDraws struct {
	households *microdata.Households
	leaders    []uint32       // per record: the record whose draw it uses
	together   map[uint32]int // per row of the plan: sum of squared sizes of the groups that share a draw
}

// householdsOf returns the households if the variable is the same for all members of a household, otherwise nil.
func householdsOf(in method.Input, variable string) (*microdata.Households, error) {
	if !in.Scenario.Has(variable, microdata.RoleSame) {
		return nil, nil
	}
	return in.Households()
}

// forHouseholds returns the partition for a variable that is the same for all members of a household. They change
// together or not at all, so a condition must hold for all of them.
func (p *partition) forHouseholds(households *microdata.Households) *partition {
	if p.mask == nil || households == nil {
		return p
	}
	whole := *p
	whole.mask = microdata.NewBits(households.Records())
	for household := range households.Len() {
		members, all := households.Members(household), true
		for i := range members {
			all = all && p.mask.Has(households.Member(household, i))
		}
		for i := range members {
			if all {
				whole.mask.Set(households.Member(household, i))
			}
		}
	}
	return &whole
}

// householdLeaders returns the sharing for a variable that is the same for all members of a household: members
// with the same value and the same matrix use the draw of the first of them.
func householdLeaders(households *microdata.Households, p *plan, codes microdata.Codes) sharedDraws {
	if households == nil {
		return sharedDraws{}
	}
	s := sharedDraws{households: households, leaders: make([]uint32, codes.Len()), together: map[uint32]int{}}
	var groups []group
	for household := range s.households.Len() {
		groups = groups[:0]
		for i := range s.households.Members(household) {
			record := s.households.Member(household, i)
			groups = s.join(groups, record, p.rowOf(record, codes.At(record)))
		}
		for _, g := range groups {
			s.together[g.row] += g.size * g.size
		}
	}
	return s
}

// group has members of a household that share a draw.
type group struct {
	row    uint32 // row of the plan
	leader uint32
	size   int
}

// join adds a record to the group of its row.
func (s *sharedDraws) join(groups []group, record int, row uint32) []group {
	s.leaders[record] = uint32(record)
	if row == 0 {
		return groups
	}
	for i := range groups {
		if groups[i].row == row {
			groups[i].size++
			s.leaders[record] = groups[i].leader
			return groups
		}
	}
	return append(groups, group{row, uint32(record), 1})
}

// parted warns of households whose members had equal values and no longer do, because some of them must not change
// or are in other strata.
func (s *sharedDraws) parted(variable string, before, after microdata.Codes) []string {
	if s.households == nil {
		return nil
	}
	count := 0
	for household := range s.households.Len() {
		if s.alike(household, before) && !s.alike(household, after) {
			count++
		}
	}
	if count == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s: in %s the members had one value and now have several, because a condition or strata distinguish them",
		variable, wording.Counted(count, "household"))}
}

func (s *sharedDraws) alike(household int, codes microdata.Codes) bool {
	first := uint32(0)
	for i := range s.households.Members(household) {
		code := codes.At(s.households.Member(household, i))
		switch {
		case code == 0:
		case first == 0:
			first = code
		case code != first:
			return false
		}
	}
	return true
}
