package prepare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// SetMissing sets cells of a variable to missing that contain no information: codes such as 98 and 99, optionally
// only if a condition holds, or the cells of single records. They then count as missing in the source: they are
// not suppressions, and recodes that start from the source values do not restore them, but Reset does. Only the
// specified cells change, even if the variable is the same for all members of a household.
type SetMissing struct {
	Variable  string
	Levels    []string           // labels of the codes; for numbers also other notations of the same number
	Condition notation.Condition // only records that meet it lose the codes, or all values if there are no codes
	Records   []int              // record numbers in the source, from 1
}

// SetMissingSpec describes set-missing for the catalog.
func SetMissingSpec() method.Spec {
	return method.Spec{
		Name:  "set-missing",
		Title: "Missing-value codes",
		Help: "Sets cells with a missing-value code, such as 98 for no answer, to missing. Select them by code, by a " +
			"condition, or by record number. They count as missing in the original, so the figures do not " +
			"include them among the suppressed cells.",
		Cite:    cite,
		Sample:  `{"variable":"age","levels":["0","98"],"records":[1,312]}`,
		New:     method.From(SetMissing{}),
		Propose: method.With((*SetMissing).propose),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *SetMissing) Params() []method.Param {
	return []method.Param{
		method.Variable(&m.Variable, "variable", "variable with the missing-value codes"),
		method.Levels(&m.Levels, &m.Variable, "levels", "missing-value codes"),
		method.Written(&m.Condition, "condition",
			"condition for the cells: \"age < 15 and work = no\"; without codes, all cells of these records"),
		method.Numbers(&m.Records, "records",
			"record numbers in the original, starting at 1"),
	}
}

// Apply sets the cells to missing: those with one of the codes, and those of the records, whose numbers do not
// change when records are removed or reordered. A code that the variable does not have and a record that does not
// exist are errors that wrap method.ErrParam.
func (m *SetMissing) Apply(ctx context.Context, in method.Input, _ *progress.Meter) (out method.Output, err error) {
	column, err := in.Column("variable", m.Variable)
	if err != nil {
		return out, err
	}
	cells, err := m.cells(ctx, in.Data, column)
	if err != nil {
		return out, err
	}
	after := column.SetMissing(cells)
	report := method.Report{Title: m.title()}
	report.Changed = after.MissingCount() - column.MissingCount()
	report.Effect = wording.Counted(report.Changed, "cell") + " set to missing"
	if report.Changed == 0 {
		nothing(&report)
	}
	if len(m.Records) > 0 && in.Scenario.Household != "" && slices.Contains(in.Scenario.SameForHousehold, m.Variable) {
		report.Warnings = append(report.Warnings, m.Variable+
			" is equal for all members of a household: the members that are not selected still reveal the value")
	}
	return method.Output{Data: in.Data.With(after), Report: report}, ctx.Err()
}

// Narrate states what the step did.
func (m *SetMissing) Narrate(*method.Report) string {
	if m.Levels == nil || !m.Condition.IsZero() || len(m.Records) > 0 {
		return fmt.Sprintf("Some values of %s were set to missing.", m.Variable)
	}
	return fmt.Sprintf("Codes of %s that stand for no answer were set to missing.", m.Variable)
}

// title describes the step: "set missing age: 98, 99", "set missing income: where age < 15", "set missing age: 3
// records".
func (m *SetMissing) title() string {
	named := strings.Join(m.Levels, ", ")
	if !m.Condition.IsZero() {
		named = strings.TrimSpace(named + " where " + m.Condition.Canonical())
	}
	var parts []string
	if named != "" {
		parts = append(parts, named)
	}
	if len(m.Records) > 0 {
		parts = append(parts, wording.Counted(len(m.Records), "record"))
	}
	return "set missing " + m.Variable + ": " + strings.Join(parts, " and ")
}

// cells returns the cells specified by the parameters.
func (m *SetMissing) cells(ctx context.Context, data *microdata.Dataset,
	column *microdata.Column) (*microdata.Bits, error) {
	if len(m.Levels) == 0 && len(m.Records) == 0 && m.Condition.IsZero() {
		return nil, method.ParamError("\"levels\" is missing: name the codes that stand for missing, a \"condition\" or " +
			"\"records\"")
	}
	cells, err := (method.Input{Data: data}).Records("records", m.Records)
	if err != nil || len(m.Levels) == 0 && m.Condition.IsZero() {
		return cells, err
	}
	meets, err := m.Condition.Records(ctx, notation.Scope{Data: data})
	if err != nil {
		return nil, method.ParamError("\"condition\": %w", err)
	}
	categories := column.Categories()
	named := make([]bool, len(categories.Levels)+1)
	for code := range named {
		named[code] = code > 0 && len(m.Levels) == 0
	}
	for _, label := range m.Levels {
		code, ok := codeOf(column, label)
		if !ok && column.Valueless() { // a question that this wave did not ask
			continue
		}
		if !ok {
			return nil, method.ParamError("\"levels\": %q has no value %q", m.Variable,
				wording.Excerpt(label))
		}
		named[code] = true
	}
	for record := range column.Len() {
		if named[categories.Codes.At(record)] && meets.Has(record) {
			cells.Set(record)
		}
	}
	return cells, nil
}

// codeOf returns the code of a label, or of the same number in another notation.
func codeOf(column *microdata.Column, label string) (uint32, bool) {
	categories := column.Categories()
	if code, ok := categories.CodeOf(label); ok {
		return code, true
	}
	value, err := strconv.ParseFloat(label, 64)
	if err != nil || math.IsNaN(value) || !column.Numeric() {
		return 0, false
	}
	for i, level := range categories.Levels {
		if level.Value == value {
			return uint32(i + 1), true
		}
	}
	return 0, false
}
