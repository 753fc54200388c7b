package streamed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// ErrRecount is wrapped where what was written is not what the steps promise.
var ErrRecount = errors.New("counted again, the protected file is not what was foretold")

// Verify counts the keys of a protected file that was written in a format again, and returns an error
// that wraps ErrRecount where records, violators, missing cells, weights that samples multiplied or how many records
// have each value of another variable that steps changed are others than those of the data that were to be written,
// without the variables to be left out.
func (r *Release) Verify(ctx context.Context, path string, format fileio.Format, scenario *microdata.Scenario,
	drop []string, meter *progress.Meter) error {
	data := r.Data
	table, err := fileio.Preview(ctx, path, format, 1)
	if err != nil {
		return err
	}
	names := namesIn(table.Names, data, drop)
	by := make([]string, len(scenario.Keys))
	for i, key := range scenario.Keys {
		var known bool
		if by[i], known = names[key]; !known {
			return fmt.Errorf("%w: it has no variable %q", ErrRecount, key)
		}
	}
	changed, values := Changed(data.Without(drop), scenario.Keys), []string(nil)
	for i, column := range changed {
		if values = append(values, names[column.Name()]); fileio.CutsBlanks(format) {
			changed[i] = withoutBlanks(column)
		}
	}
	for _, key := range scenario.Keys {
		if column, there := data.Column(key); there && fileio.CutsBlanks(format) {
			data = data.With(withoutBlanks(column))
		}
	}
	weight := Multiplied(data.Without(drop))
	pass := &fileio.Pass{By: by, Values: values}
	if weight != nil {
		pass.Sum = names[weight.Name()]
	}
	passed, err := fileio.ReadPass(ctx, path, format, pass, meter)
	if err != nil {
		return err
	}
	if passed.Records != data.Records() {
		return fmt.Errorf("%w: it has %s, and not %s", ErrRecount, wording.Counted(passed.Records, "record"),
			wording.Number(data.Records()))
	}
	if err := r.sameValues(passed, values, changed, names); err != nil {
		return err
	}
	if weight != nil {
		sums, _ := passed.Groups.Column(pass.Sum)
		if err := SameSum(sums, weight); err != nil {
			return err
		}
	}
	if len(scenario.Keys) == 0 || passed.Records == 0 {
		return nil
	}
	return foretold(ctx, r.withCodesMissing(passed.Groups, names), by, data, scenario)
}

// Changed returns the variables that steps changed, but for some: those whose values they changed by themselves with
// a row for a value, and those of which every record has another number, of which nobody foretells how often.
func Changed(data *microdata.Dataset, but []string) (changed []*microdata.Column) {
	for _, column := range data.Columns() {
		if column.Source() != column && !column.Sums() && !slices.Contains(but, column.Name()) {
			changed = append(changed, column.Alone())
		}
	}
	return changed
}

// sameValues is SameValues for variables that are called otherwise in a file, where their values are not too many.
func (r *Release) sameValues(passed *fileio.Passed, called []string, should []*microdata.Column, names map[string]string) error {
	known := passed.Known()
	for i, column := range should {
		values := known[called[i]].Column
		if values == nil {
			continue
		}
		is, err := microdata.NewGrouped([]*microdata.Column{values}, values.Multiplicity())
		if err == nil {
			err = SameValues(r.withCodesMissing(is, names).Columns()[0], column)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// SameValues returns an error that wraps ErrRecount where a variable that was counted in what was written has other
// numbers of records with a value than that which was to be written.
func SameValues(is, should *microdata.Column) error {
	_, masked := should.Unmasked()
	if is.MissingCount() != should.MissingCount() || masked == nil && !slices.Equal(recordsByValue(is), recordsByValue(should)) {
		return fmt.Errorf("%w: the values of %q are others; nothing was released", ErrRecount, should.Name())
	}
	return nil
}

// Multiplied returns the weight that samples multiplied; nil: there is none.
func Multiplied(data *microdata.Dataset) *microdata.Column {
	for _, column := range data.Columns() {
		if column.Sums() && column.Source() != column {
			return column
		}
	}
	return nil
}

// SameSum returns an error that wraps ErrRecount where weights that were added up in what was written add up to another
// number than those that were to be written, but for how many decimals of floating numbers are kept.
func SameSum(is, should *microdata.Column) error {
	const decimals = 9
	sum := func(of *microdata.Column) float64 {
		var sum stat.Sum
		for row := range of.Len() {
			sum.Add(of.Float(row))
		}
		return sum.Rounded(decimals)
	}
	if was := sum(should); math.Abs(was-sum(is)) > 1e-9*(was+float64(should.Records())) {
		return fmt.Errorf("%w: the weights %q add up to another number; nothing was released", ErrRecount, should.Name())
	}
	return nil
}

// recordsByValue returns how many records have each value that occurs, fewest first: how it is spelled is that of the
// file.
func recordsByValue(column *microdata.Column) []int {
	counts := slices.Clone(column.Categories().Counts()[1:])
	slices.Sort(counts)
	return slices.DeleteFunc(counts, func(count int) bool { return count == 0 })
}

// Foretold returns an error that wraps ErrRecount where groups, which were counted in what was written, have other
// violators or missing cells of the key variables than the data that were to be written.
func Foretold(ctx context.Context, groups, data *microdata.Dataset, scenario *microdata.Scenario) error {
	return foretold(ctx, groups, scenario.Keys, data, scenario)
}

// foretold is Foretold for groups whose key variables are called otherwise.
func foretold(ctx context.Context, groups *microdata.Dataset, by []string, data *microdata.Dataset,
	scenario *microdata.Scenario) error {
	is, err := tally(ctx, groups, by, scenario)
	if err != nil {
		return err
	}
	should, err := tally(ctx, data, scenario.Keys, scenario)
	if err != nil {
		return err
	}
	if !slices.Equal(is, should) {
		return fmt.Errorf("%w: the violators, or the missing cells of the key variables, are others; nothing was released",
			ErrRecount)
	}
	return nil
}

// namesIn returns how the variables of data that are not left out are called in a file, where some kinds of
// files do not take their names.
func namesIn(file []string, data *microdata.Dataset, drop []string) map[string]string {
	names, at := map[string]string{}, 0
	for _, column := range data.Columns() {
		if !slices.Contains(drop, column.Name()) && at < len(file) {
			names[column.Name()] = file[at]
			at++
		}
	}
	return names
}

// withCodesMissing returns groups of a file in which the codes are missing by which the source spelled
// missing cells: not every kind of file says of its codes that they mean missing.
func (r *Release) withCodesMissing(groups *microdata.Dataset, names map[string]string) *microdata.Dataset {
	for name, called := range names {
		was, known := r.Data.Column(name)
		column, counted := groups.Column(called)
		if !known || !counted {
			continue
		}
		all := slices.Concat(r.Format.Missing, was.Source().Described().Missing)
		for _, missing := range r.Data.Spelling(name).Missing {
			all = append(all, missing.Text)
		}
		var codes []string
		for _, code := range all {
			if code != "" && !isLevel(was.Source(), code) {
				codes = append(codes, was.Respelled(code))
			}
		}
		cells := microdata.NewBits(groups.Len())
		for row := range groups.Len() {
			if len(codes) > 0 && slices.Contains(codes, column.Text(row)) {
				cells.Set(row)
			}
		}
		groups = groups.With(column.SetMissing(cells))
	}
	return groups
}

// isLevel reports whether cells with a code are none that are missing: the codes are categories.
func isLevel(column *microdata.Column, code string) bool {
	if column.StoredAsNumbers() != nil {
		return false
	}
	_, is := column.Categories().CodeOf(code)
	return is
}

// tally counts missing cells of variables, distinct keys, and violators under every rule.
func tally(ctx context.Context, data *microdata.Dataset, by []string, scenario *microdata.Scenario) (counts []int, err error) {
	var columns []*microdata.Column
	for _, name := range by {
		column, ok := data.Column(name)
		if !ok {
			return nil, fmt.Errorf("%w: it has no variable %q", ErrRecount, name)
		}
		columns, counts = append(columns, column), append(counts, column.MissingCount())
	}
	table, err := keys.New(ctx, columns, nil)
	if err != nil {
		return nil, err
	}
	counts = append(counts, table.Keys())
	for _, rule := range microdata.Rules() {
		f, err := table.Frequencies(ctx, rule, scenario.Alpha)
		if err != nil {
			return nil, err
		}
		for _, k := range scenario.K {
			counts = append(counts, table.Violators(f, k))
		}
	}
	return counts, ctx.Err()
}
