package fileio

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// dataOf returns a dataset with a numeric variable, as read from a file.
func dataOf(t *testing.T, v statfile.Variable, declared string) *microdata.Dataset {
	t.Helper()
	file := &statfile.File{Rows: len(v.Column.Numbers), Variables: []statfile.Variable{v}}
	data, _, err := datasetOf(context.Background(), file,
		Format{Type: "sav", Options: map[string]string{optionMissing: declared}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// changedVariable returns a numeric variable as written after its categories were replaced by levels; places are
// the indices of the levels by record.
func changedVariable(t *testing.T, v statfile.Variable, declared string, levels []microdata.Level, places []uint8,
	labelled bool) statfile.Variable {
	t.Helper()
	data := dataOf(t, v, declared)
	column := data.Columns()[0].WithCategories(microdata.Category,
		&microdata.Categories{Levels: levels, Codes: microdata.CodesOf(places)})
	m := variableMaker{data: data, column: column, spelling: data.Spelling(v.Name), labelled: labelled,
		merged: declared == declaredCategory}
	return m.variable()
}

// A category that is not a number gets an integer above all existing ones, so that no code changes its meaning.
func TestCategoriesGetCodesOfTheirOwn(t *testing.T) {
	v := statfile.Variable{Name: "x", Column: statfile.Column{Numbers: []float64{1, 2, 3, 9.5}}}
	levels := []microdata.Level{{Label: "1", Value: 1}, {Label: "2", Value: 2}, {Label: "3 to 9", Value: math.NaN()}}
	got := changedVariable(t, v, declaredMissing, levels, []uint8{1, 2, 3, 3}, true)
	if !slices.Equal(got.Column.Numbers, []float64{1, 2, 10, 10}) || fmt.Sprint(got.Labels) != "[{{10  false} 3 to 9}]" {
		t.Errorf("%v, %v", got.Column.Numbers, got.Labels)
	}
	v.Column.Numbers = []float64{1, 2, 3, 9.5}
	if got = changedVariable(t, v, declaredMissing, levels, []uint8{1, 2, 3, 3}, false); got.Kind != statfile.Text ||
		!slices.Equal(got.Column.Texts.Values, []string{"1", "2", "3 to 9"}) {
		t.Errorf("without labels: %+v", got)
	}
}

// Reordered categories, or categories named like a number of the file, keep their codes and labels in every file
// type.
func TestCategoriesInAnotherOrderKeepTheirCodes(t *testing.T) {
	v := statfile.Variable{Name: "x", Column: statfile.Column{Numbers: []float64{1, 2, 4, 4}},
		Labels: []statfile.ValueLabel{{Value: statfile.Value{Number: 1}, Label: "m"},
			{Value: statfile.Value{Number: 4}, Label: "f"}}}
	levels := []microdata.Level{{Label: "4", Value: math.NaN()}, {Label: "1", Value: math.NaN()},
		{Label: "2", Value: math.NaN()}}
	for _, labelled := range []bool{true, false} {
		got := changedVariable(t, v, declaredMissing, levels, []uint8{2, 3, 1, 1}, labelled)
		if !slices.Equal(got.Column.Numbers, []float64{1, 2, 4, 4}) ||
			fmt.Sprint(got.Labels) != "[{{1  false} m} {{4  false} f}]" {
			t.Errorf("labelled %v: %v, %v", labelled, got.Column.Numbers, got.Labels)
		}
	}
}

// New codes have no meaning in the source: they are neither values, nor labelled, nor declared missing; they do
// not reveal its maximum. Labels of categories that no longer exist are removed.
func TestNewCodesMeanNothingElse(t *testing.T) {
	number := func(x float64) statfile.Value { return statfile.Value{Number: x} }
	levels := []microdata.Level{{Label: "1 or 2", Value: math.NaN()}, {Label: "3+", Value: math.NaN()}}
	for name, test := range map[string]struct {
		missing  []statfile.Value
		between  *statfile.Range
		labelled float64
		want     []float64
	}{
		"above all, untold":          {nil, nil, 1, []float64{10, 11}},
		"above a label":              {nil, nil, 7, []float64{8, 9}},
		"beside codes":               {[]statfile.Value{number(5), number(7)}, nil, 4, []float64{6, 8}},
		"behind a range":             {nil, &statfile.Range{From: 6, To: 98.5}, 4, []float64{5, 99}},
		"below, all being missing":   {nil, &statfile.Range{From: 5, To: math.Inf(1)}, 1, []float64{-1, -2}},
		"above a range of negatives": {nil, &statfile.Range{From: math.Inf(-1), To: 0}, 4, []float64{5, 6}},
	} {
		v := statfile.Variable{Name: "x", Column: statfile.Column{Numbers: []float64{1, 2, 3, 4}}, Missing: test.missing,
			MissingRange: test.between,
			Labels:       []statfile.ValueLabel{{Value: number(test.labelled), Label: "one"}}}
		got := changedVariable(t, v, declaredMissing, levels, []uint8{1, 1, 2, 2}, true)
		if want := []float64{test.want[0], test.want[0], test.want[1], test.want[1]}; !slices.Equal(got.Column.Numbers,
			want) {
			t.Errorf("%s: %v, want %v", name, got.Column.Numbers, want)
		}
		labels := 2
		if test.labelled == 7 {
			labels = 3 // of a code without records
		}
		if len(got.Labels) != labels {
			t.Errorf("%s: labels %v", name, got.Labels)
		}
	}
}

// If every number is declared missing there is no new code, and categories become text, as do dates with
// categories that are not dates. A text variable stays text even if its categories are named like numbers.
func TestCategoriesThatBecomeText(t *testing.T) {
	levels := []microdata.Level{{Label: "1968", Value: 1968}, {Label: "none", Value: math.NaN()}}
	texts := statfile.NewDictionary(4)
	for _, text := range []string{"011", "012", "021", "021"} {
		texts.Add([]byte(text))
	}
	for name, v := range map[string]statfile.Variable{
		"all missing": {Name: "x", MissingRange: &statfile.Range{From: math.Inf(-1), To: math.Inf(1)},
			Column: statfile.Column{Numbers: []float64{1, 2, 3, 4}}},
		"dates": {Name: "x", Kind: statfile.Date, Column: statfile.Column{Numbers: []float64{-700, -600, 3, 4}}},
		"texts": {Name: "x", Kind: statfile.Text, Column: statfile.Column{Texts: texts.Texts()}},
	} {
		got := changedVariable(t, v, declaredMissing, levels, []uint8{1, 1, 2, 2}, true)
		if got.Kind != statfile.Text || got.Column.Texts == nil ||
			name != "all missing" && !slices.Equal(got.Column.Texts.Values, []string{"1968", "none"}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	file := &statfile.File{Rows: 2,
		Variables: []statfile.Variable{{Name: "x", Kind: statfile.Date,
			Column: statfile.Column{Numbers: []float64{-700, 19000}}}}}
	data, _, err := datasetOf(context.Background(), file, Format{Type: "sav", Options: map[string]string{}})
	if err != nil {
		t.Fatal(err)
	}
	day := data.Columns()[0]
	year := day.Regroup(day, []microdata.Level{{Label: "1968", Value: 1968}, {Label: "2022", Value: 2022}},
		[]uint32{0, 1, 2}, false)
	for column, kind := range map[*microdata.Column]statfile.Kind{day: statfile.Date, year: statfile.Text} {
		m := variableMaker{data: data.With(column), column: column, spelling: data.Spelling("x"), labelled: true}
		if got := m.variable().Kind; got != kind {
			t.Errorf("%v is written as kind %v, want %v", column.Categories().Levels, got, kind)
		}
	}
}

// A label that is a number declared missing, by a code or a range and however spelled, would be lost, and so would
// an extended missing value, unless declared missing values are read as values.
func TestLabelsThatAreDeclaredMissing(t *testing.T) {
	for option, lost := range map[string]bool{declaredMissing: true, declaredApart: false} {
		v := statfile.Variable{Name: "x", Missing: []statfile.Value{{Number: 8}},
			MissingRange: &statfile.Range{From: -99, To: -90}, Column: statfile.Column{Numbers: []float64{1, 2, -91}}}
		file := &statfile.File{Rows: 3, Variables: []statfile.Variable{v}}
		f := Format{Type: "sav", Options: map[string]string{optionMissing: option}}
		data, _, err := datasetOf(context.Background(), file, f)
		if err != nil {
			t.Fatal(err)
		}
		column := data.Columns()[0]
		for label, within := range map[string]bool{"-90.5": true, "-89": false, "none": false, "8": true, "08": true,
			"+8": true, "8.0": true, "80": false, ".a": true, ".a2": false} {
			levels := []microdata.Level{{Label: label, Value: microdata.LabelNumber(label)}}
			grouped := column.Regroup(column, levels,
				append([]uint32{0}, slices.Repeat([]uint32{1}, len(column.Categories().Levels))...), false)
			if _, found := f.ReadsAsMissing(grouped); found != (lost && within) {
				t.Errorf("%s, %q: %v", option, label, found)
			}
		}
	}
}

// A suppressed cell does not reveal why it was missing in the source.
func TestSuppressedCellsTellNoReason(t *testing.T) {
	v := statfile.Variable{Name: "x", Missing: []statfile.Value{{Number: -9}},
		Column: statfile.Column{Numbers: []float64{1, 2, -9, -9}}}
	file := &statfile.File{Rows: 4, Variables: []statfile.Variable{v}}
	data, _, err := datasetOf(context.Background(), file, Format{Type: "sav", Options: map[string]string{}})
	if err != nil {
		t.Fatal(err)
	}
	cells := microdata.NewBits(4)
	cells.Set(3)
	column := data.Columns()[0]
	column = column.Regroup(column, []microdata.Level{{Label: "1", Value: 1}, {Label: "2", Value: 2}}, []uint32{1, 1, 2},
		false).Suppress(cells)
	m := variableMaker{data: data.With(column), column: column, spelling: data.Spelling("x"), labelled: true}
	if numbers := m.variable().Column.Numbers; !slices.Equal(numbers[:3], []float64{1, 2, 1}) || numbers[3] == numbers[3] {
		t.Errorf("%v", numbers)
	}
	var out strings.Builder
	if _, err := WriteTo(context.Background(), &out, data.With(column), NewFormat(), WriteOptions{}, nil); err != nil ||
		strings.Contains(out.String(), "-9") {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// Declared missing values that were one category and were recoded are not restored.
func TestMergedMissingValuesThatAreChanged(t *testing.T) {
	minus := func(x float64) statfile.Value { return statfile.Value{Number: -x} }
	levels := []microdata.Level{{Label: "-8", Value: -8}, {Label: "1", Value: 1}, {Label: "2", Value: 2}}
	for _, test := range []struct {
		places []uint8
		want   []float64
	}{{[]uint8{2, 1, 1, 3}, []float64{1, -8, -9, 2}}, {[]uint8{2, 2, 3, 3}, []float64{1, 1, 2, 2}}} {
		v := statfile.Variable{Name: "x", Missing: []statfile.Value{minus(8), minus(9)},
			Column: statfile.Column{Numbers: []float64{1, -8, -9, 2}}}
		if got := changedVariable(t, v, declaredCategory, levels, test.places, true).Column.Numbers; !slices.Equal(got,
			test.want) {
			t.Errorf("%v, expected %v", got, test.want)
		}
	}
}

// The category of all declared missing values is labelled by those that occur; if it is restored, it has its
// original labels.
func TestMergedMissingValuesAreCalledTogether(t *testing.T) {
	numbers := func(xs ...float64) (values []statfile.Value) {
		for _, x := range xs {
			values = append(values, statfile.Value{Number: x})
		}
		return values
	}
	labels := []statfile.ValueLabel{{Value: numbers(8)[0], Label: "refused"}, {Value: numbers(9)[0], Label: "don't know"}}
	const own = "8 refused, 9 don't know"
	for name, test := range map[string]struct {
		values   []float64
		missing  []statfile.Value
		between  *statfile.Range
		labels   []statfile.ValueLabel
		category string // and its name
		written  string
	}{
		"both":            {[]float64{1, 9, 8}, numbers(8, 9), nil, labels, "8 refused, don't know", own},
		"only the second": {[]float64{1, 9}, numbers(8, 9), nil, labels, "9 don't know", own},
		"in their order":  {[]float64{1, 8, 9}, numbers(9, 8), nil, labels, "9 refused, don't know", own},
		"only the first":  {[]float64{1, 8}, numbers(8, 9), nil, labels, "8 refused", own},
		"none":            {[]float64{1}, numbers(8, 9), nil, labels, "8 refused", own},
		"some labels":     {[]float64{1, 7, 8, 9}, numbers(7, 8, 9), nil, labels, "7 7, refused, don't know", own},
		"no labels":       {[]float64{1, 8, 9}, numbers(8, 9), nil, nil, "8", ""},
		"alike": {[]float64{1, 7, 8, 9}, numbers(7, 8, 9), nil,
			append([]statfile.ValueLabel{{Value: numbers(7)[0], Label: "refused"}}, labels...), "7 refused, don't know",
			"7 refused, " + own},
		"one without": {[]float64{1, 8}, numbers(8), nil, nil, "8", ""},
		"a range": {[]float64{1, 9, -95, -99, statfile.Missing()}, nil, &statfile.Range{From: -99, To: 9}, labels,
			"-99 -99, -95, 1, don't know", own},
		"extended": {[]float64{1, statfile.Extended('a'), statfile.Extended('b')}, nil, nil,
			[]statfile.ValueLabel{{Value: numbers(statfile.Extended('b'))[0], Label: "no"}}, ".a .a, no", ".b no"},
	} {
		v := statfile.Variable{Name: "x", Column: statfile.Column{Numbers: test.values}, Missing: test.missing,
			MissingRange: test.between, Labels: test.labels}
		data := dataOf(t, v, declaredCategory)
		column := data.Columns()[0]
		code, _, _ := strings.Cut(test.category, " ")
		if got := column.Described().Called(code); got != test.category {
			t.Errorf("%s: called %q", name, got)
		}
		written := func(column *microdata.Column) string {
			m := variableMaker{data: data.With(column), column: column, spelling: data.Spelling("x"), labelled: true,
				merged: true}
			return labelsText(m.variable().Labels)
		}
		if got := written(column); got != test.written {
			t.Errorf("%s: written with %s", name, got)
		}
		if name != "both" {
			continue
		}
		labelled := column.Regroup(column, column.Categories().Levels, []uint32{0, 1, 2}, true)
		labelled = labelled.WithDescription(column.Description().WithLabels(map[string]string{"8": "unknown"}))
		if got := written(labelled); got != "8 unknown, 9 don't know" {
			t.Errorf("labelled anew: %s", got)
		}
		others := column.Regroup(column, []microdata.Level{{Label: "8", Value: 8}}, []uint32{0, 1, 1}, false)
		others = others.WithDescription(column.Description())
		if got := written(others); got != "8 refused, don't know, 9 don't know" {
			t.Errorf("with others: %s", got)
		}
	}
}

// If all declared missing values are one category, no other category may have its code; in a text file the others
// get it, which is reported.
func TestCodesNextToMergedCodes(t *testing.T) {
	number := func(x float64) statfile.Value { return statfile.Value{Number: x} }
	v := statfile.Variable{Name: "x", Missing: []statfile.Value{number(8), number(9)},
		Column: statfile.Column{Numbers: []float64{1, 8, 9, 9}},
		Labels: []statfile.ValueLabel{{Value: number(8), Label: "refused"}, {Value: number(9), Label: "dk"}}}
	for declared, refused := range map[string]string{declaredMissing: "8 9 08 .b", declaredCategory: "9 08 .b",
		declaredApart: ""} {
		values := slices.Clone(v.Column.Numbers)
		file := v
		file.Column.Numbers = values
		data := dataOf(t, file, declared)
		f := Format{Type: "sav", Options: map[string]string{optionMissing: declared}}
		var got []string
		for _, name := range []string{"8", "9", "1", "08", ".b", "7"} {
			if missing := f.missingLabels(data.Columns()[0]); missing != nil && missing(name) {
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != refused {
			t.Errorf("%s: %q refused", declared, got)
		}
		said, err := Lacks(t.Context(), "a.csv", data, f, WriteOptions{Codebook: "b.csv"})
		if reported := slices.Contains(said,
			"declared missing values that were read as one category get its code: x (9 as 8)"); reported != (declared == declaredCategory) ||
			err != nil {
			t.Errorf("%s: %q, %v", declared, said, err)
		}
		said, err = Lacks(t.Context(), "a.asc", data, f, WriteOptions{})
		if reported := slices.Contains(said,
			"declared missing values that were read as one category get its code: x (9 as 8)"); reported != (declared == declaredCategory) ||
			err != nil {
			t.Errorf("%s: %q, %v", declared, said, err)
		}
		var out strings.Builder
		if _, err := WriteTo(t.Context(), &out, data, FormatFor("a.asc", f), WriteOptions{}, nil); err != nil {
			t.Errorf("%s: %v", declared, err)
		}
		book, err := codebookText("b.csv", "a.csv", data, FormatFor("a.csv", f), WriteOptions{})
		want := map[string]string{declaredMissing: "8,refused,yes x,,9,dk,yes", declaredCategory: `8,"refused, dk",yes`,
			declaredApart: "8,refused,yes x,,9,dk,yes"}[declared]
		if got := strings.ReplaceAll(strings.TrimSpace(book), "\n", " "); err != nil || !strings.HasSuffix(got, "x,,"+want) {
			t.Errorf("%s: %s, %v", declared, got, err)
		}
	}
}

// A mu-Argus description declares two missing codes per variable; that others become values is reported.
func TestMoreCodesThanMuArgusDeclares(t *testing.T) {
	number := func(x float64) statfile.Value { return statfile.Value{Number: x} }
	for _, values := range [][]float64{{1, 7, 8}, {1, 7, 9}} {
		v := statfile.Variable{Name: "x", Missing: []statfile.Value{number(7), number(8), number(9)},
			Column: statfile.Column{Numbers: slices.Clone(values)}}
		said, err := Lacks(t.Context(), "a.asc", dataOf(t, v, declaredApart),
			Format{Type: "sav", Options: map[string]string{optionMissing: declaredApart}}, WriteOptions{})
		if reported := slices.Contains(said,
			"a variable can have two missing-value codes; other codes become ordinary values: x"); reported != (values[2] == 9) || err != nil {
			t.Errorf("%v: %q, %v", values, said, err)
		}
	}
}

// The empty text keeps its position among the levels of a factor: before and after a recode, and after all records
// of the preceding level were suppressed. In the file it is a missing value spelled "".
func TestTheEmptyLevelKeepsItsPlace(t *testing.T) {
	for _, test := range []struct {
		listed []string
		change func(*microdata.Column) *microdata.Column
		want   []string
	}{
		{[]string{"", "lo", "hi"}, nil, []string{"", "lo", "hi"}},
		{[]string{"lo", "", "hi"}, nil, []string{"lo", "", "hi"}},
		{[]string{"lo", "hi", ""}, nil, []string{"lo", "hi", ""}},
		{[]string{"lo", "hi"}, nil, []string{"lo", "hi"}},
		{[]string{"lo", "", "hi"}, func(c *microdata.Column) *microdata.Column {
			return c.Regroup(c, []microdata.Level{{Label: "low", Value: math.NaN()}, {Label: "high", Value: math.NaN()}},
				[]uint32{0, 1, 2}, true)
		}, []string{"low", "", "high"}},
		{[]string{"", "lo", "hi"}, func(c *microdata.Column) *microdata.Column {
			return c.Regroup(c, []microdata.Level{{Label: "any", Value: math.NaN()}}, []uint32{0, 1, 1}, true)
		}, []string{"", "any"}},
		{[]string{"lo", "hi", ""}, func(c *microdata.Column) *microdata.Column {
			cells := microdata.NewBits(c.Len())
			for row := range c.Len() {
				if c.Text(row) == "hi" {
					cells.Set(row)
				}
			}
			return c.Suppress(cells)
		}, []string{"lo", ""}},
	} {
		texts := statfile.NewDictionary(0)
		for range 2 {
			for _, level := range test.listed {
				texts.Add([]byte(level))
			}
		}
		v := statfile.Variable{Name: "x", Kind: statfile.Text, Level: microdata.Ordinal, Storage: storedFactor, Listed: test.listed,
			Column: statfile.Column{Texts: texts.Texts()}}
		data, _, err := datasetOf(context.Background(), &statfile.File{Rows: v.Column.Len(), Variables: []statfile.Variable{v}},
			Format{Type: "rds"})
		if err != nil {
			t.Fatal(err)
		}
		column := data.Columns()[0]
		if test.change != nil {
			column = test.change(column)
		}
		m := variableMaker{data: data, column: column, spelling: data.Spelling(v.Name)}
		got := m.variable()
		if !slices.Equal(got.Listed, test.want) {
			t.Errorf("of %q are listed %q, want %q", test.listed, got.Listed, test.want)
		}
	}
}
