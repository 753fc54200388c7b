package fileio

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/fileio/statfile"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// changedVariable returns what is written of a variable of numbers whose categories became
// others; by record their places among the levels.
func changedVariable(t *testing.T, v statfile.Variable, declared string, levels []microdata.Level, places []uint8, labelled bool) statfile.Variable {
	t.Helper()
	file := &statfile.File{Rows: len(v.Column.Numbers), Variables: []statfile.Variable{v}}
	data, _, err := datasetOf(context.Background(), file, Format{Type: "sav", Options: map[string]string{optionMissing: declared}})
	if err != nil {
		t.Fatal(err)
	}
	column := data.Columns()[0].WithCategories(microdata.Category, &microdata.Categories{Levels: levels, Codes: microdata.CodesOf(places)})
	m := variableMaker{data: data, column: column, spelling: data.Spelling(v.Name), labelled: labelled, merged: declared == declaredCategory}
	return m.variable()
}

// A category that is no number gets a whole number above all that there were, so that no
// code means something else than it did.
func TestCategoriesGetCodesOfTheirOwn(t *testing.T) {
	v := statfile.Variable{Name: "x", Column: statfile.Column{Numbers: []float64{1, 2, 3, 9.5}}}
	levels := []microdata.Level{{Label: "1", Value: 1}, {Label: "2", Value: 2}, {Label: "3 to 9", Value: math.NaN()}}
	got := changedVariable(t, v, declaredMissing, levels, []uint8{1, 2, 3, 3}, true)
	if !slices.Equal(got.Column.Numbers, []float64{1, 2, 10, 10}) || fmt.Sprint(got.Labels) != "[{{10  false} 3 to 9}]" {
		t.Errorf("%v, %v", got.Column.Numbers, got.Labels)
	}
	v.Column.Numbers = []float64{1, 2, 3, 9.5}
	if got = changedVariable(t, v, declaredMissing, levels, []uint8{1, 2, 3, 3}, false); got.Kind != statfile.Text || !slices.Equal(got.Column.Texts.Values, []string{"1", "2", "3 to 9"}) {
		t.Errorf("without labels: %+v", got)
	}
}

// Declared missing values that were one category and became another are not written as
// they were.
func TestMergedMissingValuesThatAreChanged(t *testing.T) {
	minus := func(x float64) statfile.Value { return statfile.Value{Number: -x} }
	levels := []microdata.Level{{Label: "-8", Value: -8}, {Label: "1", Value: 1}, {Label: "2", Value: 2}}
	for _, test := range []struct {
		places []uint8
		want   []float64
	}{{[]uint8{2, 1, 1, 3}, []float64{1, -8, -9, 2}}, {[]uint8{2, 2, 3, 3}, []float64{1, 1, 2, 2}}} {
		v := statfile.Variable{Name: "x", Missing: []statfile.Value{minus(8), minus(9)}, Column: statfile.Column{Numbers: []float64{1, -8, -9, 2}}}
		if got := changedVariable(t, v, declaredCategory, levels, test.places, true).Column.Numbers; !slices.Equal(got, test.want) {
			t.Errorf("%v, expected %v", got, test.want)
		}
	}
}
