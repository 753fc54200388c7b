package catalog_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// scratch returns a store that maps every column.
func scratch(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.NewFor(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Err(); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Every method gives the same result on mapped columns as in memory, and maps its result.
func TestMethodsOnMappedColumns(t *testing.T) {
	oneOf(t, 4, func(t *testing.T, _ method.Spec, m method.Method) {
		inMemory := input(t)
		want, err := method.Apply(t.Context(), m, inMemory, nil)
		if err != nil {
			t.Fatal(err)
		}
		in := inMemory
		in.Data = inMemory.Data.Source().In(scratch(t))
		for _, column := range inMemory.Data.Columns() {
			if was, _ := in.Data.Column(column.Name()); column.Recoded() {
				in.Data = in.Data.With(was.Regroup(was, column.Categories().Levels, mappingOf(t, column), column.Categories().Ordered))
			}
		}
		for i, column := range in.Data.Columns() {
			if column.Hash() != inMemory.Data.Columns()[i].Hash() || !column.Stored() {
				t.Fatalf("%s is another column, or in memory", column.Name())
			}
		}
		got, err := method.Apply(t.Context(), m, in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got.Data.Hash() != want.Data.Hash() || got.Data.Lineage() != want.Data.Lineage() {
			t.Error("other data than in memory")
		}
		if diff := cmp.Diff(want.Report, got.Report); diff != "" {
			t.Errorf("another report than in memory:\n%s", diff)
		}
		for i, column := range got.Data.Columns() {
			if !column.Stored() {
				t.Errorf("%s is in memory", column.Name())
			}
			expectSameTexts(t, column, want.Data.Columns()[i])
		}
	})
}

// mappingOf returns, by code of the source, the code that a recode made of it.
func mappingOf(t *testing.T, column *microdata.Column) []uint32 {
	t.Helper()
	_, codes, ok := column.Composition()
	if !ok {
		t.Fatalf("%s was not only recoded", column.Name())
	}
	return codes
}

// expectSameTexts compares the cells of columns by their spelling.
func expectSameTexts(t *testing.T, got, want *microdata.Column) {
	t.Helper()
	for record := range want.Len() {
		if got.Text(record) != want.Text(record) {
			t.Fatalf("%s of record %d is %q, want %q", want.Name(), record, got.Text(record), want.Text(record))
		}
	}
}

// Every measure gives the same result for mapped columns as in memory.
func TestMeasuresOnMappedColumns(t *testing.T) {
	inMemory, s := maskedSurvey(t), scratch(t)
	original, current := inMemory.Original.Data().In(s), inMemory.Current.Data().In(s)
	scenario := inMemory.Current.Scenario
	in := measure.Input{Original: measure.NewVersion(original, scenario, nil),
		Current: measure.NewVersion(current, scenario, nil)}
	for _, spec := range catalog.Measures() {
		want, err := spec.Compute(t.Context(), inMemory, spec.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := spec.Compute(t.Context(), in, spec.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Values.Numbers, got.Values.Numbers, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s of mapped columns:\n%s", spec.Name, diff)
		}
	}
	if s.Bytes() == 0 {
		t.Error("nothing was mapped")
	}
}
