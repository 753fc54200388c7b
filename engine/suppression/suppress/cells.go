package suppress

import (
	"context"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Cells suppresses key variables in records that the user has chosen. Cells that are already missing stay missing.
// It gives no guarantee about the risk afterwards.
type Cells struct {
	Variables []string
	Records   []int // record numbers in the source, from 1
}

var _ method.Method = (*Cells)(nil)

// CellsSpec describes suppress-cells for the catalog.
func CellsSpec() method.Spec {
	return method.Spec{
		Name:  "suppress-cells",
		Title: "Suppression of chosen cells",
		Help: "Suppresses key variables in single records that you choose by number, for the few records that are best " +
			"treated individually. Check the figures afterwards. The page of a record shows the effect of suppressing each " +
			"of its cells.",
		Cite:    "Hundepool et al. (2012), Statistical Disclosure Control, section 3.5.3",
		Sample:  `{"variables":["age","educ"],"records":[1,312]}`,
		New:     func() method.Method { return &Cells{} },
		Refuses: NeedsKeys,
		Propose: method.With((*Cells).propose),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Cells) Params() []method.Param {
	return []method.Param{
		method.Variables(&m.Variables, "variables", "key variables to suppress").Among(method.KeyVariables),
		method.Numbers(&m.Records, "records", "record numbers in the original file, starting at 1"),
	}
}

// propose selects the first key variable and leaves the records to the user.
func (m *Cells) propose(in method.Input) string {
	if len(m.Variables) == 0 && len(in.Scenario.Keys) > 0 {
		m.Variables = slices.Clone(in.Scenario.Keys[:1])
	}
	if len(m.Records) == 0 {
		return "Type the record numbers, or press enter on a record in a list and suppress its cells there."
	}
	return ""
}

// Apply suppresses cells. The report counts violators at the scenario's first k.
func (m *Cells) Apply(ctx context.Context, in method.Input, _ *progress.Meter) (none method.Output, _ error) {
	b, err := NewCollector(in)
	if err != nil {
		return none, err
	}
	if _, err := in.Columns("variables", m.Variables); err != nil {
		return none, err
	}
	if len(m.Records) == 0 {
		return none, method.ParamError("\"records\" is empty: give at least one record number")
	}
	rows, err := in.Records("records", m.Records)
	if err != nil {
		return none, err
	}
	t, err := b.Table(ctx)
	if err != nil {
		return none, err
	}
	for _, name := range m.Variables {
		variable := slices.Index(in.Scenario.Keys, name)
		if variable < 0 {
			return none, method.NoKeyVariable("variables", name, in.Scenario.Keys)
		}
		rows.Each(func(row int) {
			if !b.columns[variable].Missing(row) {
				b.cells[row] |= 1 << variable
			}
		})
	}
	b.households.spread(b.cells)
	out, err := b.Output(ctx, t)
	out.Report.Title = "suppress " + strings.Join(m.Variables, ", ") + " of " + m.named()
	return out, err
}

// named describes the records: "record 4,127", "3 records".
func (m *Cells) named() string {
	if len(m.Records) == 1 {
		return "record " + wording.Number(m.Records[0])
	}
	return wording.Counted(len(m.Records), "record")
}

// Narrate states that cells were suppressed in chosen records.
func (m *Cells) Narrate(report *method.Report) string {
	return Narrate(report, "in chosen records")
}
