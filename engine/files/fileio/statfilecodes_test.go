package fileio

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// renamed returns a variable as written after its categories were renamed, by old name, in a file with or without
// value labels.
func renamed(t *testing.T, v statfile.Variable, declared string, names map[string]string,
	labelled bool) statfile.Variable {
	t.Helper()
	data := dataOf(t, v, declared)
	column := withNames(data.Columns()[0], names)
	m := variableMaker{data: data.With(column), column: column, spelling: data.Spelling(v.Name), labelled: labelled,
		merged: declared == declaredCategory}
	return m.variable()
}

// withNames returns a column with renamed levels.
func withNames(column *microdata.Column, names map[string]string) *microdata.Column {
	before := column.Categories()
	after, mapping, codes := slices.Clone(before.Levels), make([]uint32, len(before.Levels)+1), make([]string,
		len(before.Levels))
	for i, level := range before.Levels {
		codes[i] = level.Label
		mapping[i+1] = uint32(i + 1)
		if name, other := names[level.Label]; other {
			after[i] = microdata.Level{Label: name, Value: microdata.LabelNumber(name)}
		}
	}
	said := column.Description().Renamed(before.Levels, after, codes, false)
	return column.Regroup(column, after, mapping, false).WithDescription(said)
}

// A renamed category is written with its original code, labelled with its name, however that is spelled.
func TestRenamedCategoriesKeepTheirCodes(t *testing.T) {
	number := func(x float64) statfile.Value { return statfile.Value{Number: x} }
	labelOne := []statfile.ValueLabel{{Value: number(1), Label: "one"}, {Value: number(5), Label: "five"}}
	a, b := statfile.Extended('a'), statfile.Extended('b')
	for name, test := range map[string]struct {
		v        statfile.Variable
		declared string
		names    map[string]string
		values   []float64
		labels   string
	}{
		"one": {statfile.Variable{Labels: labelOne}, declaredMissing, map[string]string{"1": "un"},
			[]float64{1, 2, 4}, "1 un, 5 five"},
		"the highest": {statfile.Variable{Labels: labelOne}, declaredMissing, map[string]string{"4": "more"},
			[]float64{1, 2, 4}, "1 one, 4 more, 5 five"},
		"swapped": {statfile.Variable{}, declaredMissing, map[string]string{"1": "2", "2": "1"}, []float64{1, 2, 4},
			"1 2, 2 1"},
		"as another number": {statfile.Variable{}, declaredMissing, map[string]string{"1": "4", "4": "7"}, []float64{1, 2, 4},
			"1 4, 4 7"},
		"decimals": {statfile.Variable{Column: statfile.Column{Numbers: []float64{1, 2.5}}}, declaredMissing,
			map[string]string{"2.5": "half"}, []float64{1, 2.5}, "2.5 half"},
		"missing, apart": {statfile.Variable{Column: statfile.Column{Numbers: []float64{1, 2, a, b}}}, declaredApart,
			map[string]string{".a": "refused", "1": ".b2"}, []float64{1, 2, a, b}, "1 .b2, .a refused"},
		"declared, apart": {statfile.Variable{Missing: []statfile.Value{number(4)}}, declaredApart,
			map[string]string{"4": "refused"}, []float64{1, 2, 4}, "4 refused"},
		"declared, merged": {statfile.Variable{Missing: []statfile.Value{number(2), number(4)}}, declaredCategory,
			map[string]string{"2": "no answer"}, []float64{1, 2, 4}, "2 no answer"},
	} {
		v := test.v
		v.Name = "x"
		if v.Column.Numbers == nil {
			v.Column.Numbers = []float64{1, 2, 4}
		}
		got := renamed(t, v, test.declared, test.names, true)
		if !equalBits(got.Column.Numbers, test.values) || labelsText(got.Labels) != test.labels ||
			len(got.Missing) != len(v.Missing) {
			t.Errorf("%s: %v, labels %s, missing %v", name, got.Column.Numbers, labelsText(got.Labels), got.Missing)
		}
	}
}

func equalBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

func labelsText(labels []statfile.ValueLabel) string {
	var texts []string
	for _, l := range labels {
		code := spelledNumber("", l.Value.Number)
		if tag, extended := statfile.Tag(l.Value.Number); extended {
			code = "." + string(tag)
		}
		texts = append(texts, code+" "+l.Label)
	}
	return strings.Join(texts, ", ")
}

// The code of a category is not given to another category with that name; an extended missing value that the
// source lacks is not a code.
func TestNamesThatAreCodesOfOthers(t *testing.T) {
	v := statfile.Variable{Name: "x", Column: statfile.Column{Numbers: []float64{1, 2, 3}}}
	data := dataOf(t, v, declaredMissing)
	column := withNames(data.Columns()[0], map[string]string{"1": "un"})
	for called, number := range map[string]float64{"1": 10, "2": 2, ".a": 10, "3": 3} {
		levels := []microdata.Level{{Label: "un", Value: math.NaN()}, {Label: called, Value: microdata.LabelNumber(called)}}
		grouped := column.Regroup(column, levels, []uint32{0, 1, 2, 2}, false)
		m := variableMaker{data: data.With(grouped), column: grouped, spelling: data.Spelling("x"), labelled: true}
		got := m.variable()
		want := "1 un"
		if number == 10 {
			want += ", 10 " + called
		}
		if !slices.Equal(got.Column.Numbers, []float64{1, number, number}) || labelsText(got.Labels) != want {
			t.Errorf("%q: %v, %s", called, got.Column.Numbers, labelsText(got.Labels))
		}
	}
}

// A category that gets a new code is labelled with its label, or else its name; labels belong to written numbers,
// whatever their names suggest.
func TestLabelsOfCategoriesThatGetCodes(t *testing.T) {
	b := statfile.Extended('b')
	v := statfile.Variable{Name: "x", Column: statfile.Column{Numbers: []float64{1, 2, b}}, Labels: []statfile.ValueLabel{
		{Value: statfile.Value{Number: 1}, Label: "one"}, {Value: statfile.Value{Number: 2}, Label: "two"},
		{Value: statfile.Value{Number: b}, Label: "refused"}}}
	data := dataOf(t, v, declaredApart)
	for name, want := range map[string]string{"1-2": "3 one, two, .b refused", "1+2": "3 one, two, .b refused",
		"Few": "3 one, two, .b refused", ".c": "3 one, two, .b refused"} {
		column := data.Columns()[0]
		column = column.Regroup(column, []microdata.Level{{Label: name, Value: math.NaN()}, {Label: ".b", Value: math.NaN()}},
			[]uint32{0, 1, 1, 2}, false)
		m := variableMaker{data: data.With(column), column: column, spelling: data.Spelling("x"), labelled: true}
		if got := m.variable(); labelsText(got.Labels) != want || !equalBits(got.Column.Numbers, []float64{3, 3, b}) {
			t.Errorf("%q: %v %s", name, got.Column.Numbers, labelsText(got.Labels))
		}
	}
}

// Two categories never have the same number: the one that stands for a code of the file has priority, then one
// spelled like it.
func TestNoTwoCategoriesHaveOneNumber(t *testing.T) {
	v := statfile.Variable{Name: "x", Column: statfile.Column{Numbers: []float64{1, 2, 3}}}
	data := dataOf(t, v, declaredMissing)
	for _, test := range []struct {
		names   []string
		numbers []float64
		labels  string
	}{
		{[]string{"2.0", "2", "3"}, []float64{4, 2, 3}, "4 2.0"},
		{[]string{"-0", "0", "3"}, []float64{4, 0, 3}, "4 -0"},
		{[]string{"un", "01", "1"}, []float64{1, 10, 11}, "1 un, 10 01, 11 1"},
		{[]string{"un", "2", "02"}, []float64{1, 2, 10}, "1 un, 10 02"},
	} {
		levels := make([]microdata.Level, 3)
		for i, name := range test.names {
			levels[i] = microdata.Level{Label: name, Value: microdata.LabelNumber(name)}
		}
		column := data.Columns()[0]
		column = column.Regroup(column, levels, []uint32{0, 1, 2, 3},
			false).WithDescription(&microdata.Description{Numbers: true, CodeOf: map[string]string{"un": "1"}})
		m := variableMaker{data: data.With(column), column: column, spelling: data.Spelling("x"), labelled: true}
		if got := m.variable(); labelsText(got.Labels) != test.labels || !equalBits(got.Column.Numbers, test.numbers) {
			t.Errorf("%q: %v, %s", test.names, got.Column.Numbers, labelsText(got.Labels))
		}
	}
}

// A label is attached to the number of its category, however spelled, and a new code is not that of another
// category.
func TestLabelsAndCodesByNumbers(t *testing.T) {
	v := statfile.Variable{Name: "x", Column: statfile.Column{Numbers: []float64{3, 7, 999_999_999, 1_000_000_000}},
		Labels: []statfile.ValueLabel{
			{Value: statfile.Value{Number: 5}, Label: "five"}}}
	data := dataOf(t, v, declaredMissing)
	column := data.Columns()[0]
	levels := []microdata.Level{{Label: "some", Value: math.NaN()}, {Label: "05", Value: 5},
		{Label: "999999999", Value: 999_999_999}, {Label: "1000000000", Value: 1_000_000_000}}
	column = column.Regroup(column, levels, []uint32{0, 1, 2, 3, 4}, false)
	said := column.Described()
	said.Labels = map[string]string{"5": "five", "05": "seven"}
	column = column.WithDescription(&said)
	m := variableMaker{data: data.With(column), column: column, spelling: data.Spelling("x"), labelled: true}
	if got := m.variable(); !equalBits(got.Column.Numbers, []float64{1_000_000_001, 5, 999_999_999, 1_000_000_000}) ||
		labelsText(got.Labels) != "5 seven, 1000000001 some" {
		t.Errorf("%v %s", got.Column.Numbers, labelsText(got.Labels))
	}
}

// If other records joined the category of all declared missing values, none is written with its original code.
func TestMergedMissingValuesThatOthersJoined(t *testing.T) {
	v := statfile.Variable{Name: "x", Column: statfile.Column{Numbers: []float64{1, 8, 9, 9}},
		Missing: []statfile.Value{{Number: 8}, {Number: 9}}}
	for joined, want := range map[bool][]float64{true: {8, 8, 8, 8}, false: {1, 8, 9, 9}} {
		data := dataOf(t, v, declaredCategory)
		column := data.Columns()[0]
		if joined {
			column = column.Regroup(column, []microdata.Level{{Label: "8", Value: 8}}, []uint32{0, 1, 1}, false)
		}
		m := variableMaker{data: data.With(column), column: column, spelling: data.Spelling("x"), labelled: true,
			merged: true}
		if got := m.variable(); !equalBits(got.Column.Numbers, want) {
			t.Errorf("joined %v: %v", joined, got.Column.Numbers)
		}
	}
}

// In a file type without labels of numbers, names are written.
func TestRenamedCategoriesWithoutLabels(t *testing.T) {
	v := statfile.Variable{Name: "x", Column: statfile.Column{Numbers: []float64{1, 2, 2}}}
	got := renamed(t, v, declaredMissing, map[string]string{"1": "un"}, false)
	if got.Kind != statfile.Text || fmt.Sprint(got.Column.Texts.Values) != "[un 2]" {
		t.Errorf("%+v", got)
	}
}

// A numeric variable stays numeric if all cells are missing, or are declared missing and read as categories.
func TestNumbersWithoutValuesStayNumbers(t *testing.T) {
	a, b := statfile.Extended('a'), statfile.Extended('b')
	all := &statfile.Range{From: math.Inf(-1), To: math.Inf(1)}
	for name, test := range map[string]struct {
		v        statfile.Variable
		declared string
	}{
		"extended": {statfile.Variable{Column: statfile.Column{Numbers: []float64{a, b, a}}}, declaredApart},
		"a range": {statfile.Variable{Column: statfile.Column{Numbers: []float64{1, 2, 1}}, MissingRange: all},
			declaredCategory},
		"none": {statfile.Variable{Column: statfile.Column{Numbers: []float64{statfile.Missing(), statfile.Missing()}}},
			declaredMissing},
	} {
		test.v.Name = "x"
		if got := renamed(t, test.v, test.declared, nil, true); got.Kind != statfile.Number ||
			!equalBits(got.Column.Numbers, test.v.Column.Numbers) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Numbers of a text file keep their codes when they are written with labels.
func TestRenamedCategoriesOfTexts(t *testing.T) {
	data, _, err := ReadBytes(context.Background(), "f.csv", []byte("x,y,z\n1,a,1.50\n2,b,3.00\n1,a,1.50\n"), NewFormat(),
		nil)
	if err != nil {
		t.Fatal(err)
	}
	x, y := data.Columns()[0], data.Columns()[1]
	data = data.With(withNames(x, map[string]string{"2": "deux"}), withNames(y, map[string]string{"a": "12", "b": "13"}),
		withNames(data.Columns()[2], map[string]string{"3.00": "three"}))
	var out bytes.Buffer
	f := NewFormat()
	f.Type = "dta"
	if _, err := WriteTo(context.Background(), &out, data, f, WriteOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	back, _, err := ReadBytes(context.Background(), "f.dta", out.Bytes(), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, y = back.Columns()[0], back.Columns()[1]
	if x.Text(0) != "1" || x.Text(1) != "2" || x.Described().Labels["2"] != "deux" || y.Text(0) != "12" ||
		y.Described().Numbers || back.Columns()[2].Text(1) != "3" {
		t.Errorf("%q %q %v, %q %v", x.Text(0), x.Text(1), x.Described().Labels, y.Text(0), back.Columns()[2].Text(1))
	}
}

func TestCodesThatCategoriesGotAreListed(t *testing.T) {
	for want, given := range map[string][]string{"a as 1": {"a as 1"}, "a, b, c, d": {"a", "b", "c", "d"},
		"a, b, c, 2 more": {"a", "b", "c", "d", "e"}} {
		if got := firstCodes(given); got != want {
			t.Errorf("%v: %s", given, got)
		}
	}
}

// If the category of all declared missing values is renamed to its labels or otherwise, its code keeps the
// original label; a text is written as its name.
func TestMergedMissingValuesWithOtherNames(t *testing.T) {
	number := func(x float64) statfile.Value { return statfile.Value{Number: x} }
	text := func(x string) statfile.Value { return statfile.Value{Text: x, IsText: true} }
	labels := []statfile.ValueLabel{{Value: number(8), Label: "refused"}, {Value: number(9), Label: "dk"}}
	ofText := []statfile.ValueLabel{{Value: text("X"), Label: "refused"}, {Value: text("Y"), Label: "dk"}}
	for name, test := range map[string]struct {
		values  []float64 // nil for texts
		labels  []statfile.ValueLabel
		names   map[string]string
		want    []float64
		written string
	}{
		"labelled": {[]float64{1, 8, 9}, labels, map[string]string{"8": "refused, dk", "1": "one"},
			[]float64{1, 8, 9}, "1 one, 8 refused, 9 dk"},
		"only the second":     {[]float64{1, 9}, labels, map[string]string{"9": "dk"}, []float64{1, 9}, "8 refused, 9 dk"},
		"first without label": {[]float64{1, 8, 9}, labels[1:], map[string]string{"8": "8, dk"}, []float64{1, 8, 9}, "9 dk"},
		"another name": {[]float64{1, 8, 9}, labels, map[string]string{"8": "unknown"}, []float64{1, 8, 9},
			"8 unknown, 9 dk"},
		"another, no label": {[]float64{1, 8, 9}, nil, map[string]string{"8": "unknown"}, []float64{1, 8, 9}, "8 unknown"},
	} {
		v := statfile.Variable{Name: "x", Column: statfile.Column{Numbers: test.values},
			Missing: []statfile.Value{number(8), number(9)}, Labels: test.labels}
		if got := renamed(t, v, declaredCategory, test.names, true); !equalBits(got.Column.Numbers, test.want) ||
			labelsText(got.Labels) != test.written {
			t.Errorf("%s: %v %s", name, got.Column.Numbers, labelsText(got.Labels))
		}
	}
	for name, want := range map[string]string{"X": "a X Y X Y", "refused, dk": "a X Y X Y",
		"none": "a none none Y"} { // and the codes with labels
		v := statfile.Variable{Name: "x", Kind: statfile.Text, Missing: []statfile.Value{text("X"), text("Y")},
			Labels: ofText,
			Column: statfile.Column{Texts: &statfile.Texts{Values: []string{"a", "X", "Y"},
				Codes: microdata.CodesOf([]uint8{1, 2, 3})}}}
		got := renamed(t, v, declaredCategory, map[string]string{"X": name}, true)
		var texts []string
		for row := range 3 {
			texts = append(texts, got.Column.Texts.Values[got.Column.Texts.Codes.At(row)-1])
		}
		for _, label := range got.Labels {
			texts = append(texts, label.Value.Text)
		}
		if strings.Join(texts, " ") != want {
			t.Errorf("%s: %q, %v", name, texts, got.Labels)
		}
	}
}
