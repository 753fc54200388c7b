package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
)

// personCount is a flag value for a number of persons, as digits, with commas, or as a power: 1e10.
type personCount int

// String returns the digits, or "" if no number is set.
func (m *personCount) String() string {
	if *m == 0 {
		return ""
	}
	return strconv.Itoa(int(*m))
}

// Set parses the number.
func (m *personCount) Set(text string) error {
	number, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil || number != math.Trunc(number) || math.Abs(number) > 1e15 {
		return fmt.Errorf("write an integer, such as 1000000 or 1e10")
	}
	*m = personCount(number)
	return nil
}

// Type returns the name of the type in help.
func (m *personCount) Type() string { return "int" }

// openGroups generates the groups of the key variables and the sensitive one, and their scenario.
func (d demonstration) openGroups() (session.Opening, microdata.Scenario, error) {
	s := d.scenario()
	s.Numeric, s.Household, s.SameForHousehold, s.Remove = nil, "", nil, nil
	data, err := survey.DrawGroups(d.rows, append(s.Keys, s.Sensitive...), d.seed)
	format := fileio.NewFormat()
	format.Count = "records"
	return session.Opening{Source: session.NewDemonstration(d.name(), format), Name: d.name(), Data: data}, s, err
}
