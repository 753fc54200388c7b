package recordswap

import (
	"context"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// geographic lists parts of names of geographic variables.
var geographic = []string{"region", "provinc", "state", "county", "district", "municip", "canton", "nuts", "depart"}

// Propose selects the key variables with geographic names as the hierarchy and, of the others, risk variables for
// which few enough units are at risk.
func (m *RecordSwap) Propose(in method.Input) string {
	for _, name := range in.Scenario.Keys {
		if len(m.Hierarchy) == 0 &&
			slices.ContainsFunc(geographic, func(part string) bool { return strings.Contains(strings.ToLower(name), part) }) {
			m.Hierarchy = []string{name}
		}
	}
	switch {
	case len(m.Hierarchy) == 0:
		return "Choose the geographic variables, the largest areas first."
	case m.counting() && len(m.keys(in.Scenario)) == 0:
		return "Choose the risk variables, in which a person can be rare."
	case m.counting() && m.RiskKeys == nil:
		m.RiskKeys = m.fewAtRisk(in)
	}
	return ""
}

// fewAtRisk drops the risk variables with most categories as long as the units at risk would make more than half
// of all units swap, including partners. It returns nil if no variable must be dropped or units cannot be counted.
func (m *RecordSwap) fewAtRisk(in method.Input) []string {
	ctx := context.Background()
	f, err := m.file(ctx, in)
	if err != nil {
		return nil
	}
	s := &application{RecordSwap: m, file: f}
	names := m.keys(in.Scenario)
	if s.keys, err = in.Columns("risk_keys", names); err != nil {
		return nil
	}
	slices.SortStableFunc(s.keys, func(a, b *microdata.Column) int {
		return len(a.Categories().Levels) - len(b.Categories().Levels)
	})
	for ; len(s.keys) > 1; s.keys = s.keys[:len(s.keys)-1] {
		atRisk, err := s.countAtRisk(ctx)
		if err != nil || 4*atRisk <= s.Len() {
			break
		}
	}
	if len(s.keys) == len(names) {
		return nil
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return !slices.ContainsFunc(s.keys, func(column *microdata.Column) bool { return column.Name() == name })
	})
}

// countAtRisk returns the number of units at risk in the smallest areas, which includes all units at risk in
// larger ones.
func (s *application) countAtRisk(ctx context.Context) (units int, err error) {
	risky, err := s.risky(ctx, len(s.areas)-1)
	if err != nil {
		return 0, err
	}
	for unit := range s.Len() {
		if s.placed(unit) && s.anyMember(unit, risky) {
			units++
		}
	}
	return units, nil
}
