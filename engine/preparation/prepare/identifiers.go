package prepare

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// NewIdentifiers replaces the values of identifiers with random numbers. Equal values, within a variable and across
// the named ones, get the same number, different values different numbers. The numbers do not reveal the order or
// the size of the original values. Missing cells stay missing. Values are compared as numbers if all variables are
// numeric, otherwise as labels.
type NewIdentifiers struct {
	Variables []string
}

// NewIdentifiersSpec describes new-ids for the catalog.
func NewIdentifiersSpec() method.Spec {
	return method.Spec{
		Name:  "new-ids",
		Title: "Random IDs",
		Help: "Replaces identifiers, such as household or person IDs, with the numbers 1, 2, ... in random order. Equal " +
			"values get the same number in all variables of the step, so links between records are kept. The order of " +
			"the records may still reveal the original IDs: put the records into random order as well.",
		Cite:    cite,
		Sample:  `{"variables":["hid"]}`,
		New:     method.From(NewIdentifiers{}),
		Draws:   method.Always,
		Propose: method.With((*NewIdentifiers).propose),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *NewIdentifiers) Params() []method.Param {
	return []method.Param{method.Variables(&m.Variables, "variables",
		"the ID variables").Needed()}
}

// Apply replaces the identifiers.
func (m *NewIdentifiers) Apply(ctx context.Context, in method.Input, _ *progress.Meter) (out method.Output, err error) {
	columns, err := in.Columns("variables", m.Variables)
	if err != nil {
		return out, err
	}
	if slices.Contains(m.Variables, in.Scenario.Weight) {
		return out, method.ParamError("\"variables\": %q is the weight variable, not an identifier; name ID variables", in.Scenario.Weight)
	}
	after, different, err := RandomIdentifiers(random.Stream(in.Seed, "new identifiers", 0), columns)
	if err != nil {
		return out, err
	}
	report := method.Report{Title: "random IDs " + strings.Join(m.Variables, ", ")}
	for i := range columns {
		changed, err := otherCells(ctx, columns[i], after[i])
		if err != nil {
			return out, err
		}
		report.Changed += changed
	}
	report.Effect = wording.Counted(different, "identifier") + " replaced with random IDs"
	if different == 0 {
		nothing(&report)
	}
	return method.Output{Data: in.Data.With(after...), Report: report}, ctx.Err()
}

// Narrate states what the step did.
func (m *NewIdentifiers) Narrate(*method.Report) string {
	return fmt.Sprintf("The values of %s were replaced by random IDs; equal values have the same ID.",
		wording.Listed(m.Variables))
}

// RandomIdentifiers returns the columns with their values replaced by the numbers 1, 2, ... in random order, equal
// values by the same number in all columns, and the number of distinct values. Missing cells stay missing.
func RandomIdentifiers(r *rand.Rand, columns []*microdata.Column) (after []*microdata.Column, different int,
	err error) {
	numeric := !slices.ContainsFunc(columns, func(c *microdata.Column) bool { return !c.Numeric() })
	key := func(level microdata.Level) microdata.Level { // identical for equal values
		if numeric {
			return microdata.Level{Value: level.Value}
		}
		return microdata.Level{Label: level.Label}
	}
	values := valuesOf(columns, key)
	numbered := make(map[microdata.Level]float64, len(values))
	for i, place := range r.Perm(len(values)) {
		numbered[values[i]] = float64(place + 1)
	}
	for _, column := range columns {
		categories := column.Categories()
		became := make([]float64, len(categories.Levels)+1)
		became[0] = math.NaN()
		for i, level := range categories.Levels {
			became[i+1] = numbered[key(level)]
		}
		numbers := &microdata.Numbers{Values: make([]float64, column.Len())}
		for record := range numbers.Values {
			numbers.Values[record] = became[categories.Codes.At(record)]
		}
		replaced := column.WithNumbers(microdata.Whole, numbers)
		after = append(after, replaced)
	}
	return after, len(values), nil
}

// valuesOf returns the keys of the distinct values of columns, in an order that does not depend on the order of
// the records.
func valuesOf(columns []*microdata.Column, key func(microdata.Level) microdata.Level) []microdata.Level {
	var values []microdata.Level
	for _, column := range columns {
		categories := column.Categories()
		for i, level := range categories.Levels {
			if categories.Counts()[i+1] > 0 {
				values = append(values, key(level))
			}
		}
	}
	slices.SortFunc(values, microdata.Level.Compare)
	return slices.Compact(values)
}
