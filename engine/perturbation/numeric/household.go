package numeric

import (
	"context"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// HouseholdsParam returns the parameter that selects [OncePerHousehold].
func HouseholdsParam(field *bool) method.Param {
	return method.Switch(field, "households", "if all members of a household have the same value, mask it once for the household, not once for each record")
}

// OncePerHousehold applies a method that masks variables to one record per household, and copies the result to all
// members. A record without a household represents itself. Members keep their missing values. The representative
// is the first member with values of all the variables, or else the first member.
//
// Columns are marked as perturbed and by mark, which may be nil. An error wraps method.ErrParam if the scenario
// has no households, and method.ErrInput if members differ in one of the variables, or in those that must also be
// the same for them: strata and weights.
func OncePerHousehold(ctx context.Context, in method.Input, variables, further []string,
	mark Mark, meter *progress.Meter,
	apply func(context.Context, method.Input, *progress.Meter) (method.Output, error)) (out method.Output, err error) {
	households, err := in.Households()
	if err != nil {
		return out, err
	}
	if households == nil {
		return out, method.ParamError("\"households\": the scenario has no household IDs; choose a household variable or mask each record")
	}
	columns, err := in.Columns("variables", variables)
	if err != nil {
		return out, err
	}
	if err := alike(households, in, columns, further); err != nil {
		return out, err
	}
	rows := representatives(households, columns)
	heads := in
	heads.Data = in.Data.Select(rows)
	if out, err = apply(ctx, heads, meter); err != nil {
		return out, err
	}
	data, changed := in.Data, 0
	for _, column := range columns {
		masked, _ := out.Data.Column(column.Name())
		if merged, count := merge(households, rows, column, masked); count > 0 {
			data, changed = data.With(marked(merged, in, mark)), changed+count
		}
	}
	if out.Report.Unmasked != nil {
		out.Report.Warnings = append(out.Report.Warnings,
			"records with a missing value are counted once for each household, by its representative")
	}
	out.Data, out.Report.Changed = data, changed
	out.Report.Title += ", once for each household"
	out.Report.Effect = fmt.Sprintf("in %s: %s; %s of records changed", wording.Counted(len(rows), "household"),
		out.Report.Effect, wording.Counted(changed, "cell"))
	return out, ctx.Err()
}

// alike reports variables that differ between members of a household.
func alike(households *microdata.Households, in method.Input, columns []*microdata.Column, further []string) error {
	all := slices.Clone(columns)
	for _, name := range further {
		if column, ok := in.Data.Column(name); ok {
			all = append(all, column)
		}
	}
	for _, column := range all {
		if n := households.Differing(column); n > 0 {
			return fmt.Errorf("%w: members of %s have different values of %q; mask it for each record instead of once for each household",
				method.ErrInput, wording.Counted(n, "household"), column.Name())
		}
	}
	return nil
}

// representatives returns the record that represents each household.
func representatives(households *microdata.Households, columns []*microdata.Column) []uint32 {
	rows := make([]uint32, households.Len())
	for household := range rows {
		rows[household] = uint32(households.Member(household, 0))
		for i := range households.Members(household) {
			member := households.Member(household, i)
			if !slices.ContainsFunc(columns, func(column *microdata.Column) bool { return column.Missing(member) }) {
				rows[household] = uint32(member)
				break
			}
		}
	}
	slices.Sort(rows) // in file order
	return rows
}

// merge copies the cell of each household's representative to its members, and returns the number of changed
// cells.
func merge(households *microdata.Households, rows []uint32, column, masked *microdata.Column) (*microdata.Column, int) {
	place := make([]int, len(rows)) // by household
	for i, row := range rows {
		place[households.Of(int(row))] = i
	}
	count := 0
	if !masked.Numeric() {
		before, after := column.Categories(), masked.Categories()
		codes := microdata.NewCodes(column.Len(), len(after.Levels))
		for record := range column.Len() {
			from := place[households.Of(record)]
			if column.Missing(record) || masked.Missing(from) {
				continue
			}
			codes.Set(record, after.Codes.At(from))
			if after.Levels[after.Codes.At(from)-1].Label != before.Levels[before.Codes.At(record)-1].Label {
				count++
			}
		}
		made := &microdata.Categories{Levels: after.Levels, Codes: codes, Ordered: after.Ordered}
		return column.WithCategories(masked.Kind(), made), count
	}
	decimals, after := uint8(microdata.Shortest), masked.Floats()
	if numbers := masked.StoredAsNumbers(); numbers != nil {
		decimals = numbers.Decimals
	}
	numbers := blank(column, decimals)
	for record, before := range numbers.Values {
		if x := after[place[households.Of(record)]]; before == before && x == x && x != before {
			numbers.Values[record] = x
			count++
		}
	}
	if count == 0 {
		return column, 0
	}
	return column.WithNumbers(masked.Kind(), numbers), count
}
