package catalog_test

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
)

// pair is the same data twice: as records, and as rows that stand for several of them.
type pair struct{ records, groups *microdata.Dataset }

// drawnSurvey draws a small survey with missing values and a scenario of it.
func drawnSurvey(tb testing.TB, t *rapid.T) (*microdata.Dataset, *microdata.Scenario) {
	names := append(countable(), "hid", "weight")
	data := generated.Survey(tb, rapid.IntRange(20, 400).Draw(t, "records"), rapid.Uint64Max(1<<40).Draw(t, "survey"), names...)
	every := rapid.IntRange(2, 60).Draw(t, "one value in so many is missing")
	columns := golden.Columns(data, names...)
	for v, column := range columns[:len(columns)-1] {
		if column.Name() == "relat" {
			continue // that as many linked cells are suppressed whichever records lose them
		}
		cells := make([]string, data.Len())
		for record := range cells {
			if record%(every+v) != v {
				cells[record] = column.Text(record)
			}
		}
		columns[v] = golden.Column(tb, column.Name(), cells)
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		tb.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = rapid.SliceOfNDistinct(rapid.SampledFrom(generated.Keys()), 1, 4, rapid.ID[string]).Draw(t, "keys")
	scenario.Sensitive = []string{"health"}
	scenario.Linked = map[string][]string{scenario.Keys[0]: {"relat"}}
	scenario.Rule = rapid.SampledFrom(microdata.Rules()).Draw(t, "rule")
	scenario.Alpha = float64(rapid.IntRange(0, 10).Draw(t, "alpha")) / 10
	scenario.Weight = rapid.SampledFrom([]string{"", "weight"}).Draw(t, "weight")
	scenario.Household = rapid.SampledFrom([]string{"", "hid"}).Draw(t, "household")
	if scenario.Household != "" {
		scenario.SameForHousehold = scenario.Keys[:rapid.IntRange(0, len(scenario.Keys)).Draw(t, "same for households")]
	}
	return data, &scenario
}

// onGroups returns the methods of the catalog that work on groups in a scenario, each with one of its samples.
func onGroups(tb *testing.T, t *rapid.T, scenario *microdata.Scenario) (names []string, methods []method.Method) {
	for _, spec := range catalog.Methods() {
		if method.OnGroups(spec.New(), scenario) != "" {
			continue
		}
		m := decode(tb, spec, rapid.SampledFrom(append([]string{spec.Sample}, variants()[spec.Name]...)).Draw(t, spec.Name))
		if method.OnGroups(m, scenario) == "" {
			names, methods = append(names, spec.Name), append(methods, m)
		}
	}
	return names, methods
}

// variables of the drawn surveys that groups may go by.
func countable() []string {
	return append(generated.Keys(), "relat", "walls", "health", "income", "expend")
}

// countedFor returns the variables that groups are counted by for a method.
func countedFor(m method.Method, scenario *microdata.Scenario) []string {
	by, _ := method.CountedBy(m, scenario)
	names := slices.Concat(scenario.Keys, scenario.Sensitive, scenario.Linked[scenario.Keys[0]], by)
	return slices.DeleteFunc(countable(), func(name string) bool { return !slices.Contains(names, name) })
}

// pairFor returns the data of both kinds that a method is applied to; of variables that it maps whatever else records
// have only the values by themselves are known.
func pairFor(tb testing.TB, name string, m method.Method, data *microdata.Dataset, scenario *microdata.Scenario) pair {
	groups := generated.GroupBy(data, "weight", countedFor(m, scenario)...)
	p := pair{data, groups.Dataset(tb, data, "weight")}
	_, alone := method.CountedBy(m, scenario)
	if masker, ok := m.(method.ByRecord); ok {
		alone = masker.Masked()
	}
	for _, name := range alone {
		if _, counted := p.groups.Column(name); counted {
			continue
		}
		column, _ := data.Column(name)
		of, err := column.Categories(), error(nil)
		p.groups, err = p.groups.Append(microdata.NewUncounted(name, column.Kind(), column.Description(), of.Levels, of.Counts(),
			p.groups.Len()))
		if err != nil {
			tb.Fatal(err)
		}
	}
	if scenario.Household != "" {
		p.groups = groups.WithHouseholds(tb, data, p.groups, scenario.Household)
	}
	if name == "recode-split" { // of what was merged
		return p.merged(tb, scenario)
	}
	return p
}

// Methods of the catalog that say that they work where rows stand for several records make of them what they make of
// the records, with the same report; and measures that say so then tell the same.
func TestGroupsAreAsTheirRecords(tb *testing.T) {
	rapid.Check(tb, func(t *rapid.T) {
		data, scenario := drawnSurvey(tb, t)
		names, methods := onGroups(tb, t, scenario)
		looked := rapid.IntRange(0, len(methods)-1).Draw(t, "measured after the method")
		for i, m := range methods {
			before := pairFor(tb, names[i], m, data, scenario)
			after, err := before.apply(tb, m, scenario)
			if err != nil {
				t.Fatalf("%s %+v: %v", names[i], m, err)
			}
			if after == nil || i != looked {
				continue
			}
			cut := after.groups.Len() != before.groups.Len() // parts of rows have no weights and households that are known
			if !(cut && scenario.Weight+scenario.Household != "") && after.differ(columnsOf(after.groups)) == "" {
				_, where := compareMeasures(tb, before, *after, scenario)
				if where != "" {
					t.Fatalf("after %s %+v: %s", names[i], m, where)
				}
			}
		}
	})
}

// So do all of them, with every sample, on one survey: none is left out for want of what it works on.
func TestEveryMethodAndMeasureOnGroups(t *testing.T) {
	data := generated.Survey(t, 1500, 7, append(countable(), "hid", "weight")...)
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Sensitive, scenario.Weight = []string{"region", "sex", "age", "educ", "ethnic"}, []string{"health"},
		"weight"
	scenario.Household, scenario.Linked = "hid", map[string][]string{"region": {"relat"}}
	each(t, func(t *testing.T, spec method.Spec, m method.Method) {
		if method.OnGroups(m, &scenario) != "" {
			return
		}
		before := pairFor(t, spec.Name, m, data, &scenario)
		after, err := before.apply(t, m, &scenario)
		if err == nil && (isByChance(m) || isByRecord(m)) {
			return // what is drawn is not the same
		}
		if err != nil || after == nil {
			t.Fatalf("applied: %v, %v", after != nil, err)
		}
		if spec.Name != "recode-intervals" {
			return
		}
		told, where := compareMeasures(t, before, *after, &scenario)
		if where != "" {
			t.Fatal(where)
		}
		for _, of := range catalog.Measures() {
			if of.Groups && !slices.Contains(told, of.Name) {
				t.Errorf("%s tells nothing", of.Name)
			}
		}
	})
}

// merged returns both with two kinds of walls made one; as they are where these do not occur.
func (p pair) merged(tb testing.TB, scenario *microdata.Scenario) pair {
	both := &recode.Group{Variable: "walls", Levels: []string{"brick", "earth"}, Label: "mineral"}
	if after, err := p.apply(tb, both, scenario); err == nil && after != nil {
		return *after
	}
	return p
}

// apply applies a method to both; nil where it refuses them, which it does for the same reason.
func (p pair) apply(tb testing.TB, m method.Method, scenario *microdata.Scenario) (*pair, error) {
	if masker, ok := m.(method.ByRecord); ok {
		return nil, p.lookedAt(tb, masker, scenario)
	}
	records, err := method.Apply(tb.Context(), m, method.Input{Data: p.records, Scenario: scenario, Seed: 1}, nil)
	groups, other := method.Apply(tb.Context(), m, method.Input{Data: p.groups, Scenario: scenario, Seed: 1}, nil)
	switch {
	case fmt.Sprint(err) != fmt.Sprint(other):
		return nil, fmt.Errorf("of records: %v, of groups: %v", err, other)
	case err != nil:
		return nil, nil
	case records.Report.Selection != nil:
		return nil, p.sampledAlike(m, &records, &groups, scenario)
	case isByChance(m):
		return nil, p.apartFromChance(m, &records, &groups)
	case !reflect.DeepEqual(records.Report, groups.Report):
		return nil, fmt.Errorf("the report of records is\n%+v\nof groups\n%+v", records.Report, groups.Report)
	}
	after, compared := &pair{records.Data, groups.Data}, scenario.Keys
	if records.Report.Suppression == nil { // else others depend on which records of a key lose cells
		compared = columnsOf(groups.Data)
	}
	if where := after.differ(compared); where != "" {
		return nil, fmt.Errorf("records and groups differ: %s", where)
	}
	return after, nil
}

func isByChance(m method.Method) bool {
	_, is := m.(method.ByChance)
	return is
}

func isByRecord(m method.Method) bool {
	_, is := m.(method.ByRecord)
	return is
}

// lookedAt compares what a method makes of records with what it makes of them piece by piece, where groups stand for
// them.
func (p pair) lookedAt(tb testing.TB, m method.ByRecord, scenario *microdata.Scenario) error {
	want, err := method.Apply(tb.Context(), m, method.Input{Data: p.records, Scenario: scenario, Seed: 1}, nil)
	in := method.Input{Data: p.groups, Scenario: scenario, Seed: 1}
	look, other := m.Look(in)
	if other != nil {
		return fmt.Errorf("of records: %v, of groups: %w", err, other)
	}
	pieces := []*microdata.Dataset{}
	for from := 0; from < p.records.Len(); from += 13 {
		var rows []uint32
		for row := from; row < min(from+13, p.records.Len()); row++ {
			rows = append(rows, uint32(row))
		}
		pieces = append(pieces, p.records.Select(rows))
		look.Add(pieces[len(pieces)-1], nil)()
	}
	out, other := method.Masked(tb.Context(), look, in)
	switch {
	case fmt.Sprint(err) != fmt.Sprint(other):
		return fmt.Errorf("of records: %v, of groups: %v", err, other)
	case err != nil:
		return nil
	case !reflect.DeepEqual(want.Report, out.Report):
		return fmt.Errorf("the report of records is\n%+v\nof groups\n%+v", want.Report, out.Report)
	}
	for i, piece := range pieces {
		for _, name := range m.Masked() {
			masked, _ := out.Data.Column(name)
			column, _ := piece.Column(name)
			_, by := masked.Unmasked()
			for _, masking := range by {
				if column, err = masking.Records(column, 13*i, nil); err != nil {
					return err
				}
			}
			for row := range piece.Len() {
				should, _ := want.Data.Column(name)
				if is, text := column.Text(row), should.Text(13*i+row); is != text || column.Kind() != should.Kind() {
					return fmt.Errorf("%s of record %d is %s %q, and %s %q piece by piece", name, 13*i+row, should.Kind(), text, column.Kind(), is)
				}
			}
		}
	}
	return nil
}

// apartFromChance compares what a method gives that does not depend on what records draw by themselves.
func (p pair) apartFromChance(m method.Method, records, groups *method.Output) error {
	withoutChance := func(r method.Report) method.Report {
		r.Changed, r.Effect, r.Warnings, r.PRAM = 0, "", nil, slices.Clone(r.PRAM)
		for i := range r.PRAM {
			v := &r.PRAM[i]
			v.Changed, v.Strata = 0, slices.Clone(v.Strata)
			for j := range v.Strata {
				s := &v.Strata[j]
				s.Changed, s.Transitions, s.After, s.Estimate = 0, nil, nil, nil
			}
		}
		return r
	}
	if a, b := withoutChance(records.Report), withoutChance(groups.Report); !reflect.DeepEqual(a, b) {
		return fmt.Errorf("the report of records is\n%+v\nof groups\n%+v", a, b)
	}
	drawn, kept := []string{}, columnsOf(groups.Data)
	for _, v := range groups.Report.PRAM {
		drawn, kept = append(drawn, v.Variable), slices.DeleteFunc(kept, func(name string) bool { return name == v.Variable })
		for _, s := range v.Strata {
			for k, row := range s.Transitions {
				sum := 0
				for j, count := range row {
					if sum += count; s.Matrix[k][j] == 0 && count > 0 {
						return fmt.Errorf("%d records became what none can", count)
					}
				}
				if sum != s.Before[k] {
					return fmt.Errorf("%d of %d records have drawn", sum, s.Before[k])
				}
			}
		}
	}
	if len(drawn) == 0 {
		return fmt.Errorf("%T draws nothing", m)
	}
	if len(kept) == 0 {
		return nil
	}
	if a, b := keyCounts(records.Data, kept), keyCounts(groups.Data, kept); !reflect.DeepEqual(a, b) {
		return fmt.Errorf("of other variables than %s the keys are\n%v\n%v", drawn, a, b)
	}
	return nil
}

// differ says what is not the same: how many records there are of each key, or the cells of a variable; "": nothing.
// Keys and categories are those of some variables.
func (p pair) differ(names []string) string {
	if a, b := keyCounts(p.records, names), keyCounts(p.groups, names); !reflect.DeepEqual(a, b) {
		return fmt.Sprintf("keys\n%v\n%v", a, b)
	}
	for _, b := range p.groups.Columns() {
		a, ok := p.records.Column(b.Name())
		switch {
		case b.Name() == "weight":
		case !ok:
			return b.Name() + " is of groups alone"
		case a.MissingCount() != b.MissingCount() || a.SuppressedCount() != b.SuppressedCount():
			return fmt.Sprintf("%s: %d missing and %d suppressed cells of records, %d and %d of groups", a.Name(),
				a.MissingCount(), a.SuppressedCount(), b.MissingCount(), b.SuppressedCount())
		case (b.Uncounted() || slices.Contains(names, a.Name())) && !reflect.DeepEqual(categoryCounts(a), categoryCounts(b)):
			return fmt.Sprintf("categories of %s\n%v\n%v", a.Name(), categoryCounts(a), categoryCounts(b))
		}
	}
	return ""
}

// columnsOf returns the variables that groups go by.
func columnsOf(groups *microdata.Dataset) (names []string) {
	for _, column := range groups.Columns() {
		if column.Name() != "weight" && !column.Uncounted() {
			names = append(names, column.Name())
		}
	}
	return names
}

// keyCounts returns the number of records of each key.
func keyCounts(data *microdata.Dataset, keys []string) map[string]int {
	out, columns := map[string]int{}, golden.Columns(data, keys...)
	for row := range data.Len() {
		key := ""
		for _, column := range columns {
			key += column.Text(row) + "\x00"
		}
		out[key] += columns[0].RecordsAt(row)
	}
	return out
}

// categoryCounts returns the number of records of each category that occurs, with its order.
func categoryCounts(column *microdata.Column) (out []string) {
	categories := column.Categories()
	for i, count := range categories.Counts() {
		if count > 0 && i > 0 {
			out = append(out, fmt.Sprint(categories.Levels[i-1].Label, " ", count))
		}
	}
	return out
}

// compareMeasures computes every measure that tells of groups on both, and returns those that told something, and where
// they differ; "": nowhere.
func compareMeasures(tb testing.TB, before, after pair, scenario *microdata.Scenario) (told []string, where string) {
	if after.groups.Len() != before.groups.Len() { // rows were cut, and so are those of the original
		before.groups = after.groups.Source()
	}
	for _, spec := range catalog.Measures() {
		if !spec.Groups {
			continue
		}
		records, err := spec.Compute(tb.Context(), inputOf(before.records, after.records, scenario), spec.New(), nil)
		groups, other := spec.Compute(tb.Context(), inputOf(before.groups, after.groups, scenario), spec.New(), nil)
		switch {
		case fmt.Sprint(err) != fmt.Sprint(other) || records.NotApplicable != groups.NotApplicable:
			return nil, fmt.Sprintf("%s: of records: %v %s, of groups: %v %s", spec.Name, err, records.NotApplicable, other,
				groups.NotApplicable)
		case err != nil || records.NotApplicable != "":
			continue
		}
		told = append(told, spec.Name)
		if spec.Name == "household" && groups.Values.Records[0] == nil { // records of a row live in different households
			records.Values.Records = groups.Values.Records
		}
		if where := valuesDiffer(&records.Values, &groups.Values, after); where != "" {
			return nil, spec.Name + ": records and groups differ: " + where
		}
	}
	return told, ""
}

func inputOf(before, after *microdata.Dataset, scenario *microdata.Scenario) measure.Input {
	return measure.Input{Original: measure.NewVersion(before, scenario, nil), Current: measure.NewVersion(after, scenario, nil)}
}

// valuesDiffer says which number, table or figure of records is not the same; "": none.
func valuesDiffer(records, groups *measure.Values, of pair) string {
	if len(records.Numbers) != len(groups.Numbers) || len(records.Tables) != len(groups.Tables) ||
		len(records.Records) != len(groups.Records) {
		return "their number"
	}
	for i, a := range records.Numbers {
		b := groups.Numbers[i]
		if !alike(a.Number, b.Number) {
			return fmt.Sprintf("%s %d %s: %v and %v", a.Name, a.K, a.Part, a.Number, b.Number)
		}
		if a.Number, b.Number = 0, 0; !reflect.DeepEqual(a, b) {
			return fmt.Sprintf("%+v and %+v", a, b)
		}
	}
	for i, a := range records.Tables {
		if where := tablesDiffer(&a, &groups.Tables[i]); where != "" {
			return a.Title + ": " + where
		}
	}
	for i := range records.Records {
		if a, b := figuresOf(records.Records[i], of.records), figuresOf(groups.Records[i], of.groups); !slices.EqualFunc(a, b, alike) {
			return fmt.Sprintf("figure %d of every record\n%v\n%v", i, a, b)
		}
	}
	return ""
}

// tablesDiffer says which cell is not the same; "": none.
func tablesDiffer(a, b *measure.Table) string {
	if len(a.Rows) != len(b.Rows) {
		return fmt.Sprintf("%d and %d rows", len(a.Rows), len(b.Rows))
	}
	for i, row := range a.Rows {
		for j, cell := range row {
			other := b.Rows[i][j]
			if x, y := reflect.ValueOf(cell), reflect.ValueOf(other); x.IsValid() && y.IsValid() && x.CanFloat() && y.CanFloat() &&
				alike(x.Float(), y.Float()) {
				continue
			}
			if !reflect.DeepEqual(cell, other) {
				return fmt.Sprintf("row %d, %s: %v and %v", i, a.Columns[j], cell, other)
			}
		}
	}
	return ""
}

// figuresOf returns a figure of every record, from the lowest on.
func figuresOf(figure func(row int) float64, data *microdata.Dataset) (out []float64) {
	if figure == nil {
		return nil
	}
	for row := range data.Len() {
		records := 1
		if data.Grouped() {
			records = int(data.Multiplicity()[row])
		}
		out = append(out, slices.Repeat([]float64{figure(row)}, records)...)
	}
	slices.SortFunc(out, cmp.Compare[float64])
	return out
}

// alike reports whether numbers are the same but for how floating numbers, such as weights, are added up.
func alike(a, b float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-12*math.Max(1, math.Abs(a))
}
