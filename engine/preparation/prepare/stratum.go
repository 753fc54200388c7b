package prepare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// MakeStratum adds a variable whose categories are the combinations of categories of several variables that occur,
// such as region and sex: strata for methods that work separately in each. A combination with missing values is a
// separate category; if all values are missing, so is the stratum. The new variable uses the values at this step;
// later changes to the other variables do not affect it.
type MakeStratum struct {
	Variables []string
	Name      string // name of the new variable, or "" for the names joined by "_"
	Separator string // separator of the labels of the categories
}

// MakeStratumSpec describes make-stratum for the catalog.
func MakeStratumSpec() method.Spec {
	return method.Spec{
		Name:  "make-stratum",
		Title: "Stratum variable",
		Help: "Adds a variable with one category for each combination of categories of other variables, such as region and " +
			"sex. It can define strata or have any other role. If the other variables are recoded or suppressed later, " +
			"it reveals their former values, so remove it from the released file.",
		Cite:     cite,
		Sample:   `{"variables":["region","sex"]}`,
		New:      method.From(MakeStratum{Separator: " / "}),
		Propose:  method.With((*MakeStratum).propose),
		OnGroups: method.AnyRows,
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *MakeStratum) Params() []method.Param {
	return []method.Param{
		method.Variables(&m.Variables, "variables", "variables whose combinations form the strata").Needed(),
		method.Text(&m.Name, "name", "name of the new variable").Empty("the names joined"),
		method.Text(&m.Separator, "separator", "separator between the labels"),
	}
}

// Apply adds the variable after the others.
func (m *MakeStratum) Apply(ctx context.Context, in method.Input, _ *progress.Meter) (out method.Output, err error) {
	columns, err := in.Columns("variables", m.Variables)
	if err != nil {
		return out, err
	}
	name := cmp.Or(m.Name, strings.Join(m.Variables, "_"))
	if _, taken := in.Data.Column(name); taken {
		return out, method.ParamError("\"name\": the file has a variable %q already; choose another name",
			wording.Excerpt(name))
	}
	combinations, err := keys.New(ctx, columns, nil)
	if err != nil {
		return out, err
	}
	categories, err := m.categories(columns, combinations)
	if err != nil {
		return out, err
	}
	column := microdata.NewCategorical(name, microdata.Category, categories).MadeOf(columns...)
	data, err := in.Data.Append(column.WithDescription(m.described(columns, combinations)))
	if err != nil {
		return out, err
	}
	made, _ := data.Column(name) // the new column with counts of records
	report := method.Report{Title: fmt.Sprintf("make stratum %s of %s", name, wording.Listed(m.Variables)),
		Made: name, Table: method.CountsOf(made.Categories().Levels, made.Categories().Counts()),
		Effect: fmt.Sprintf("%s added with %s", name, wording.CountedAs(len(categories.Levels), "category",
			"categories"))}
	report.Warnings = append(report.Warnings,
		fmt.Sprintf("%s keeps the current values of %s; remove it from the released file if these change later",
			name, wording.Listed(m.Variables)))
	return method.Output{Data: data, Report: report}, ctx.Err()
}

// Narrate states what the step did.
func (m *MakeStratum) Narrate(report *method.Report) string {
	return fmt.Sprintf("The variable %s was added; it combines %s.", report.Made, wording.Listed(m.Variables))
}

// categories returns the combinations that occur, in the order of the variables' categories, those with missing
// values first.
func (m *MakeStratum) categories(columns []*microdata.Column, combinations *keys.Table) (*microdata.Categories, error) {
	var levels []microdata.Level
	mapping := make([]uint32, combinations.Keys())
	taken := map[string]bool{}
	for key := range mapping {
		labels, some := combinations.Labels(columns, key)
		if !some {
			continue
		}
		label := m.label(labels)
		if taken[label] || label == "" {
			return nil, method.ParamError("\"separator\": two combinations of %s would have the same label; choose another "+
				"separator", wording.Listed(m.Variables))
		}
		taken[label] = true
		levels = append(levels, microdata.Level{Label: label, Value: math.NaN()})
		mapping[key] = uint32(len(levels))
	}
	codes := microdata.CodesOf(combinations.RowKeys()).Mapped(len(levels), mapping).Copy()
	return &microdata.Categories{Levels: slices.Clip(levels), Codes: codes}, nil
}

// label returns the category label of a combination.
func (m *MakeStratum) label(combination microdata.Combination) string {
	return wording.Joined(combination, m.Separator, func(one microdata.CategoryOf) string { return one.Label })
}

// described returns the description of the new variable and its categories, built from those of its parts, or nil
// if there are none.
func (m *MakeStratum) described(columns []*microdata.Column, combinations *keys.Table) *microdata.Description {
	parts, said, labelled := map[string]microdata.Description{}, false, false
	for _, column := range columns {
		part := column.Described()
		parts[column.Name()], said, labelled = part, said || part.Label != "", labelled || len(part.Labels) > 0
	}
	if !said && !labelled {
		return nil
	}
	d := &microdata.Description{Label: wording.Joined(m.Variables, ", ",
		func(name string) string { return cmp.Or(parts[name].Label, name) })}
	if !labelled {
		return d
	}
	d.Labels = map[string]string{}
	for key := range combinations.Keys() {
		if combination, some := combinations.Labels(columns, key); some {
			d.Labels[m.label(combination)] = wording.Joined(combination, ", ", func(one microdata.CategoryOf) string {
				return cmp.Or(parts[one.Variable].Labels[one.Label], one.Label)
			})
		}
	}
	return d
}
