package recordswap

import (
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// given has the risk of records from variables of the file.
type givenRisk struct {
	columns   []*microdata.Column // one per level, or one for all levels
	threshold float64             // minimum risk of a unit at risk
}

// given returns the risk variables named by the parameters, or nil if combinations are counted instead.
func (m *RecordSwap) given(in method.Input) (*givenRisk, error) {
	if len(m.Risk) == 0 {
		return nil, nil
	}
	columns, err := in.Columns("risk", m.Risk)
	if err != nil {
		return nil, err
	}
	for _, column := range columns {
		switch {
		case !column.Numeric():
			return nil, method.ParamError("\"risk\": %q is not a numeric variable", column.Name())
		case slices.Contains(slices.Concat(m.Hierarchy, m.Carry), column.Name()):
			return nil, method.ParamError("\"risk\": %q is a place as well", column.Name())
		}
	}
	if len(columns) != 1 && len(columns) != len(m.Hierarchy) {
		return nil, method.ParamError("\"risk\" names %d variables for %s of the hierarchy: name one for each level, the "+
			"largest areas first, or one for all", len(columns), wording.Counted(len(m.Hierarchy), "level"))
	}
	if m.Threshold == nil {
		return nil, method.ParamError("\"threshold\" is missing: set the risk from which a household or record is swapped")
	}
	return &givenRisk{columns, *m.Threshold}, nil
}

// of returns the risk of a record at a level, or NaN if it is missing.
func (g *givenRisk) of(record, level int) float64 {
	return g.columns[min(level, len(g.columns)-1)].Float(record)
}

// unknown returns the number of units with an area that have no member with a risk at some level.
func (s *application) unknown() (units int) {
	if s.risk == nil {
		return 0
	}
	for unit := range s.Len() {
		if s.placed(unit) && slices.ContainsFunc(s.risk.columns, func(column *microdata.Column) bool {
			return !s.anyMember(unit, func(record int) bool { return !column.Missing(record) })
		}) {
			units++
		}
	}
	return units
}

// withPartners adds a variable with the partner of each record: the household ID or, without households, the
// number of the record in the source. It is missing for records that were not swapped.
func (s *application) withPartners(in method.Input, data *microdata.Dataset) (*microdata.Dataset, error) {
	column, err := s.partnerColumn(in)
	if err != nil {
		return nil, err
	}
	return data.Append(column.PerturbedWith(in.Seed))
}

func (s *application) partnerColumn(in method.Input) (*microdata.Column, error) {
	var households *microdata.Column
	if s.noun == "household" {
		households, _ = in.Data.Column(in.Scenario.Household)
	}
	if households != nil && !households.Numeric() {
		identifiers := households.Categories()
		codes := microdata.NewCodes(in.Data.Len(), len(identifiers.Levels))
		s.eachSwapped(func(record, partner int) { codes.Set(record, identifiers.Codes.At(partner)) })
		made := &microdata.Categories{Levels: identifiers.Levels, Codes: codes}
		return microdata.NewCategorical(s.Partner, households.Kind(), made).MadeOf(households), nil
	}
	numbers := &microdata.Numbers{Values: slices.Repeat([]float64{math.NaN()}, in.Data.Len())}
	s.eachSwapped(func(record, partner int) {
		if numbers.Values[record] = float64(in.Data.SourceRecord(partner) + 1); households != nil {
			numbers.Values[record] = households.Float(partner)
		}
	})
	column := microdata.NewNumeric(s.Partner, microdata.Whole, numbers)
	if households != nil {
		column = column.MadeOf(households)
	}
	return column, nil
}

// eachSwapped calls visit for each record of the swapped units, with the first record of its partner.
func (s *application) eachSwapped(visit func(record, partner int)) {
	for unit, partner := range s.partners {
		if partner >= 0 {
			for i := range s.Members(unit) {
				visit(s.Member(unit, i), s.Member(partner, 0))
			}
		}
	}
}

// checkPartner reports a name for the new variable that is already taken.
func (m *RecordSwap) checkPartner(in method.Input) error {
	if _, taken := in.Data.Column(m.Partner); taken && m.Partner != "" {
		return method.ParamError("\"partner\": the file has a variable %q already; choose another name",
			wording.Excerpt(m.Partner))
	}
	return nil
}

// partnerWarning warns that the variable of partners reveals the swaps.
func (m *RecordSwap) partnerWarning() string {
	return fmt.Sprintf("%s reveals who swapped with whom and undoes the step: remove it from the released file",
		m.Partner)
}
