package prepare_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
)

func tContext() context.Context { return context.Background() }

// spellings returns the number of labels of a column for each number.
func spellings(c *microdata.Column) map[float64]int {
	count := map[float64]int{}
	for _, level := range c.Categories().Levels {
		if value, err := strconv.ParseFloat(level.Label, 64); err == nil {
			count[value]++
		}
	}
	return count
}

func TestConvertKeepsSpellings(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFile(rt, t)
		name := rapid.SampledFrom([]string{"code", "age", "income", "sex"}).Draw(rt, "variable")
		m := &prepare.Convert{Variable: name, To: rapid.SampledFrom([]string{"category", "number", "whole"}).Draw(rt, "to"),
			Invalid: prepare.InvalidMissing, Decimal: prepare.DecimalPoint}
		out := f.apply(rt, m, 0)
		before, after := column(rt, f.data, name), column(rt, out.Data, name)
		lost, changed := 0, 0
		for record := range before.Len() {
			text := before.Text(record)
			if after.Text(record) != text && (m.To != prepare.ToCategory || !before.Numeric()) {
				changed++
			}
			if m.To == prepare.ToCategory && before.Numeric() { // two spellings of a number become one category
				code := before.Categories().Codes.At(record)
				if code != after.Categories().Codes.At(record) ||
					code > 0 && after.Text(record) != before.Categories().Levels[code-1].Label {
					rt.Fatalf("%q became %q", text, after.Text(record))
				}
				continue
			}
			value, err := strconv.ParseFloat(text, 64)
			if m.To != prepare.ToCategory && spellings(before)[value] > 1 {
				text = strconv.FormatFloat(value, 'f', -1, 64)
			}
			keeps := text != "" &&
				(m.To == prepare.ToCategory || err == nil && (m.To == prepare.ToNumber || value == float64(int(value))))
			switch {
			case keeps && (after.Text(record) != text || m.To != prepare.ToCategory && after.Float(record) != value):
				rt.Fatalf("%q became %q, %v", text, after.Text(record), after.Float(record))
			case !keeps && !after.Missing(record):
				rt.Fatalf("%q became %q, not missing", text, after.Text(record))
			case !keeps && text != "":
				lost++
			}
		}
		want := map[string]microdata.Kind{"category": microdata.Category, "number": microdata.Number,
			"whole": microdata.Whole}[m.To]
		if after.Kind() != want || out.Report.Outside != lost || out.Report.Changed != changed ||
			after.SuppressedCount() != 0 {
			rt.Fatalf("%s, %d lost, want %s, %d; report %+v", after.Kind(), out.Report.Outside, want, lost, out.Report)
		}
		if after.Source() != before.Source() || after.Recoded() {
			rt.Fatal("another source, or recoded")
		}
		m.Invalid = prepare.InvalidError
		_, err := method.Apply(tContext(), m, method.Input{Data: f.data, Scenario: &f.scenario}, nil)
		if (lost > 0) != errors.Is(err, method.ErrInput) || err != nil && !strings.Contains(err.Error(), "record ") {
			rt.Fatalf("%d cells are none: %v", lost, err)
		}
	})
}

func TestConvertReadsDecimalCommas(t *testing.T) {
	f := file{data: one(t, golden.Column(t, "x", []string{"1,5", "2,50", "7", ""})), scenario: microdata.NewScenario()}
	after := column(t,
		f.apply(t, decoded(t, prepare.ConvertSpec().New(), `{"variable":"x","to":"number","decimal":"comma"}`), 0).Data, "x")
	for record, want := range []string{"1.5", "2.50", "7", ""} {
		if after.Text(record) != want {
			t.Errorf("record %d is %q, want %q", record, after.Text(record), want)
		}
	}
	_, err := method.Apply(t.Context(), decoded(t, prepare.ConvertSpec().New(), `{"variable":"x","to":"number"}`),
		method.Input{Data: f.data, Scenario: &f.scenario}, nil)
	if err == nil || !strings.Contains(err.Error(), "2 cells") {
		t.Errorf("decimal commas read with a point: %v", err)
	}
}

func TestSomeTextsAreNoNumbers(t *testing.T) {
	for _, text := range []string{"inf", "NaN", "0x10", "1_000", "1e999", "--1", "1.2.3", " ", "e", "."} {
		f := file{data: one(t, golden.Column(t, "x", []string{text, "z"})), scenario: microdata.NewScenario()}
		out := f.apply(t, &prepare.Convert{Variable: "x", To: prepare.ToNumber, Invalid: prepare.InvalidMissing,
			Decimal: prepare.DecimalPoint}, 0)
		if !column(t, out.Data, "x").Missing(0) {
			t.Errorf("%q is read as a number", text)
		}
	}
}

func one(t testing.TB, columns ...*microdata.Column) *microdata.Dataset {
	t.Helper()
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestSetMissing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFile(rt, t)
		f.data = f.data.Select(drawSelection(rt, f.data.Len()))
		m := &prepare.SetMissing{Variable: "age"}
		before := column(rt, f.data, "age")
		for _, label := range []string{"98", "99"} {
			if _, known := before.Categories().CodeOf(label); known && rapid.Bool().Draw(rt, label) {
				m.Levels = append(m.Levels, label)
			}
		}
		for record := range f.data.Len() {
			if rapid.IntRange(0, 9).Draw(rt, "record") == 0 {
				m.Records = append(m.Records, f.data.SourceRecord(record)+1)
			}
		}
		if len(m.Levels)+len(m.Records) == 0 {
			return
		}
		out := f.apply(rt, m, 0)
		after, changed := column(rt, out.Data, "age"), 0
		for record := range before.Len() {
			gone := slices.Contains(m.Levels, before.Text(record)) || slices.Contains(m.Records, f.data.SourceRecord(record)+1)
			if after.Missing(record) != (gone || before.Missing(record)) {
				rt.Fatalf("record %d: missing %v", record, after.Missing(record))
			}
			if gone && !before.Missing(record) {
				changed++
			}
		}
		if out.Report.Changed != changed || after.SuppressedCount() != 0 || out.Report.ChangesNothing() != (changed == 0) {
			rt.Fatalf("%d changed, report %+v", changed, out.Report)
		}
	})
}

// drawSelection draws some records in any order.
func drawSelection(t *rapid.T, n int) []uint32 {
	all := make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	order := rapid.Permutation(all).Draw(t, "order")
	return order[:rapid.IntRange(0, n).Draw(t, "kept")]
}

func TestMakeStratum(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFile(rt, t)
		names := rapid.SampledFrom([][]string{{"sex"}, {"sex", "age"}, {"code", "sex", "income"}}).Draw(rt, "variables")
		m := &prepare.MakeStratum{Variables: names, Separator: " | "}
		name := strings.Join(names, "_")
		if len(names) == 1 {
			name, m.Name = "stratum", "stratum"
		}
		out := f.apply(rt, m, 0)
		made := out.Data.Columns()[len(f.data.Columns())]
		if made.Name() != name || out.Report.Made != made.Name() || made.Source() != made {
			rt.Fatalf("the variable %q was made", made.Name())
		}
		for record := range f.data.Len() {
			parts, some := make([]string, len(names)), false
			for i, name := range names {
				if parts[i] = "missing"; !column(rt, f.data, name).Missing(record) {
					categories := column(rt, f.data, name).Categories() // one label for a number with two spellings
					parts[i], some = categories.Levels[categories.Codes.At(record)-1].Label, true
				}
			}
			want := strings.Join(parts, " | ")
			if !some {
				want = ""
			}
			if made.Text(record) != want {
				rt.Fatalf("record %d is %q, want %q", record, made.Text(record), want)
			}
		}
		if made.Categories().Occurring() != len(made.Categories().Levels) {
			rt.Fatal("a category without records")
		}
	})
}

// The labels of the new variable and its categories are composed of the labels of their parts. Parts without a
// label are represented by their names and codes.
func TestMakeStratumIsDescribed(t *testing.T) {
	region := golden.Column(t, "region",
		[]string{"1", "2", ""}).WithDescription(&microdata.Description{Label: "Region of residence",
		Labels: map[string]string{"1": "Arden", "2": "Brisk"}})
	data, err := microdata.NewDataset([]*microdata.Column{region, golden.Column(t, "sex", []string{"f", "m", "m"})})
	if err != nil {
		t.Fatal(err)
	}
	made := func(names ...string) microdata.Description {
		out, err := method.Apply(tContext(), &prepare.MakeStratum{Variables: names, Name: "stratum", Separator: "-"},
			method.Input{Data: data, Scenario: &microdata.Scenario{}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return column(t, out.Data, "stratum").Described()
	}
	want := microdata.Description{Label: "Region of residence, sex",
		Labels: map[string]string{"1-f": "Arden, f", "2-m": "Brisk, m", "missing-m": "missing, m"}}
	if diff := cmp.Diff(want, made("region", "sex")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	data = data.With(region.WithDescription(&microdata.Description{Label: "Region of residence"}))
	if diff := cmp.Diff(microdata.Description{Label: "Region of residence, sex"}, made("region", "sex")); diff != "" {
		t.Errorf("no label of a code (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(microdata.Description{}, made("sex")); diff != "" {
		t.Errorf("nothing is said of sex (-want +got):\n%s", diff)
	}
}

func TestMakeStratumRefuses(t *testing.T) {
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "a", []string{"x y", "x"}),
		golden.Column(t, "b", []string{"z", "y z"})})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	for _, m := range []*prepare.MakeStratum{
		{Variables: []string{"a", "b"}, Separator: " "}, // "x y z" twice
		{Variables: []string{"a"}, Name: "b"},           // taken
		{Variables: []string{"a"}},                      // its own name
		{Variables: []string{"a", "a"}, Name: "c"},
		{Variables: []string{"q"}, Name: "c"},
		{Name: "c"},
	} {
		if _, err := method.Apply(t.Context(), m, method.Input{Data: data, Scenario: &scenario}, nil); !errors.Is(err,
			method.ErrParam) {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

func TestSubset(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFile(rt, t)
		m := &prepare.Subset{Take: rapid.SampledFrom([]string{"percent", "random", "first", "every"}).Draw(rt, "take"),
			Percent: rapid.SampledFrom([]float64{0, 10, 33.3, 100}).Draw(rt, "percent"), N: rapid.IntRange(1, 50).Draw(rt, "n"),
			Households: f.scenario.Household != "" && rapid.Bool().Draw(rt, "households")}
		out := f.apply(rt, m, rapid.Uint64().Draw(rt, "seed"))
		kept := map[int]bool{}
		for record := range out.Data.Len() {
			source := out.Data.SourceRecord(record)
			if kept[source] || record > 0 && source <= out.Data.SourceRecord(record-1) {
				rt.Fatalf("record %d stands after %d", source, out.Data.SourceRecord(record-1))
			}
			kept[source] = true
			for i, column := range f.data.Columns() {
				if out.Data.Columns()[i].Text(record) != column.Text(source) {
					rt.Fatalf("record %d is not %d of the source", record, source)
				}
			}
		}
		n := f.data.Len()
		if out.Report.Selection.Before != n || out.Report.Selection.After != len(kept) || n > 0 && len(kept) == 0 {
			rt.Fatalf("%d of %d records, report %+v", len(kept), n, out.Report.Selection)
		}
		if m.Households {
			checkWholeHouseholds(rt, f, m, kept)
			return
		}
		want := map[string]int{"percent": max(1, int(m.Percent/100*float64(n)+0.5)), "random": m.N, "first": m.N,
			"every": (n + m.N - 1) / m.N}[m.Take]
		if len(kept) != min(n, want) || m.Take == "first" && n > 0 && !kept[min(n, m.N)-1] ||
			m.Take == "every" && n > m.N && !kept[m.N] {
			rt.Fatalf("%d of %d records kept by %+v, want %d", len(kept), n, m, want)
		}
	})
}

func checkWholeHouseholds(rt *rapid.T, f file, m *prepare.Subset, kept map[int]bool) {
	households := microdata.NewHouseholds(column(rt, f.data, "hid"))
	whole := 0
	for household := range households.Len() {
		members := 0
		for i := range households.Members(household) {
			if kept[households.Member(household, i)] {
				members++
			}
		}
		if members != 0 && members != households.Members(household) {
			rt.Fatalf("%d of %d members kept", members, households.Members(household))
		}
		if members > 0 {
			whole++
		}
	}
	n := f.data.Len()
	switch m.Take {
	case "percent":
		if want := min(households.Len(), max(1, int(m.Percent/100*float64(households.Len())+0.5))); whole != want {
			rt.Fatalf("%d households, want %d", whole, want)
		}
	case "random":
		if len(kept) < min(m.N, n) {
			rt.Fatalf("%d records, want %d", len(kept), m.N)
		}
	case "first":
		for record := range min(m.N, n) {
			if !kept[record] {
				rt.Fatalf("record %d is not there", record)
			}
		}
	case "every":
		if want := (households.Len() + m.N - 1) / m.N; whole != want {
			rt.Fatalf("%d households, want %d", whole, want)
		}
	}
}

func TestSubsetNeedsHouseholds(t *testing.T) {
	f := file{data: one(t, golden.Column(t, "a", []string{"1", "2"})), scenario: microdata.NewScenario()}
	m := prepare.SubsetSpec().New().(*prepare.Subset)
	m.Households = true
	if _, err := method.Apply(t.Context(), m, method.Input{Data: f.data, Scenario: &f.scenario}, nil); !errors.Is(err,
		method.ErrInput) {
		t.Errorf("without households: %v", err)
	}
}

// Every record is drawn equally often.
func TestSubsetIsUniform(t *testing.T) {
	const files, n, want = 3000, 10, 3
	cells := make([]string, n)
	for i := range cells {
		cells[i] = strconv.Itoa(i)
	}
	f := file{data: one(t, golden.Column(t, "a", cells)), scenario: microdata.NewScenario()}
	drawn := make([]int, n)
	for seed := range uint64(files) {
		out := f.apply(t, &prepare.Subset{Take: prepare.TakeRandom, N: want}, seed)
		for record := range out.Data.Len() {
			drawn[out.Data.SourceRecord(record)]++
		}
	}
	for record, count := range drawn { // 900 expected, standard deviation 25
		if count < 775 || count > 1025 {
			t.Errorf("record %d was drawn %d times of %d", record, count, files)
		}
	}
}

func TestResetGivesTheSourceBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFile(rt, t)
		changed := f
		if f.data.Len() > 0 {
			changed.data = changed.apply(rt, &prepare.SetMissing{Variable: "age", Records: []int{1}}, 0).Data
		}
		changed.data = changed.apply(rt, decoded(rt, prepare.ConvertSpec().New(), `{"variable":"age"}`), 0).Data
		cells := microdata.NewBits(f.data.Len())
		for record := range f.data.Len() {
			if rapid.Bool().Draw(rt, "suppressed") {
				cells.Set(record)
			}
		}
		changed.data = changed.data.With(column(rt, changed.data, "age").Suppress(cells))
		records := drawSelection(rt, f.data.Len())
		changed.data = changed.data.Select(records)
		out := changed.apply(rt, &prepare.Reset{Variable: "age"}, 0)
		if out.Data.Hash() != f.data.Select(records).Hash() {
			rt.Fatal("the variable is not as in the original")
		}
		if column(rt, out.Data, "age").SuppressedCount() != 0 {
			rt.Fatal("marks are left")
		}
	})
}

func TestNewIdentifiersAreAMapping(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFile(rt, t)
		names := rapid.SampledFrom([][]string{{"hid"}, {"hid", "head"}, {"hid", "sex"}}).Draw(rt, "variables")
		out := f.apply(rt, &prepare.NewIdentifiers{Variables: names}, rapid.Uint64().Draw(rt, "seed"))
		became, taken := map[string]string{}, map[string]bool{}
		for _, name := range names {
			before, after := column(rt, f.data, name), column(rt, out.Data, name)
			if after.Kind() != microdata.Whole || after.Source() != before.Source() {
				rt.Fatalf("%s is a %s", name, after.Kind())
			}
			for record := range before.Len() {
				was, is := before.Text(record), after.Text(record)
				if (was == "") != (is == "") {
					rt.Fatalf("%q became %q", was, is)
				}
				if was == "" {
					continue
				}
				if known, ok := became[was]; ok && known != is || !ok && taken[is] {
					rt.Fatalf("%q became %q", was, is)
				}
				became[was], taken[is] = is, true
			}
		}
		for id := range taken {
			if number, err := strconv.Atoi(id); err != nil || number < 1 || number > len(taken) {
				rt.Fatalf("identifier %q of %d", id, len(taken))
			}
		}
	})
}

func TestShuffleKeepsHouseholdsTogether(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawFile(rt, t)
		m := prepare.ShuffleRecordsSpec().New().(*prepare.ShuffleRecords)
		m.Members = rapid.SampledFrom([]string{"shuffled", "kept"}).Draw(rt, "members")
		out := f.apply(rt, m, rapid.Uint64().Draw(rt, "seed"))
		seen := map[int]bool{}
		closed := map[string]bool{}
		hid := column(rt, f.data, "hid")
		last, before := "", -1
		for record := range out.Data.Len() {
			source := out.Data.SourceRecord(record)
			if seen[source] {
				rt.Fatalf("record %d twice", source)
			}
			seen[source] = true
			id := hid.Text(source)
			if f.scenario.Household == "" || id == "" {
				id = fmt.Sprint("record ", source)
			}
			if id != last {
				if closed[id] {
					rt.Fatalf("household %s is torn apart", id)
				}
				closed[last], last = true, id
			} else if m.Members == prepare.MembersKept && source < before {
				rt.Fatalf("record %d stands before %d", before, source)
			}
			before = source
		}
		if len(seen) != f.data.Len() {
			rt.Fatalf("%d of %d records", len(seen), f.data.Len())
		}
	})
}

// Random steps do not depend on the number of processors, but do depend on the seed.
func TestSameSeedSameData(t *testing.T) {
	data := golden.Data(t, "survey")
	scenario := microdata.NewScenario()
	scenario.Household = "hid"
	for _, m := range []method.Method{prepare.SubsetSpec().New(),
		&prepare.Subset{Take: prepare.TakeRandom, N: 700, Households: true},
		prepare.ShuffleRecordsSpec().New(), &prepare.NewIdentifiers{Variables: []string{"hid"}}} {
		hashes := map[[32]byte]bool{}
		for _, processors := range []int{1, 3} {
			was := runtime.GOMAXPROCS(processors)
			out, err := method.Apply(t.Context(), m, method.Input{Data: data, Scenario: &scenario, Seed: 7}, nil)
			runtime.GOMAXPROCS(was)
			if err != nil {
				t.Fatal(err)
			}
			hashes[out.Data.Hash()] = true
		}
		other, err := method.Apply(t.Context(), m, method.Input{Data: data, Scenario: &scenario, Seed: 8}, nil)
		if err != nil || len(hashes) != 1 || hashes[other.Data.Hash()] {
			t.Errorf("%T: %d results of one seed, or one of two", m, len(hashes))
		}
	}
}

func TestErrorsNameWhatIsWrong(t *testing.T) {
	f := file{data: one(t, golden.Column(t, "a", []string{"1", "2"}), golden.Column(t, "w", []string{"2.5", "3"})),
		scenario: microdata.NewScenario()}
	f.scenario.Weight = "w"
	for _, c := range []struct {
		m    method.Method
		want string
	}{
		{&prepare.SetMissing{Variable: "a"}, `"levels"`},
		{&prepare.SetMissing{Variable: "a", Levels: []string{"7"}}, `"7"`},
		{&prepare.SetMissing{Variable: "a", Records: []int{3}}, "entry 1 is 3"},
		{&prepare.SetMissing{Variable: "a", Records: []int{1, 0}}, "entry 2 is 0"},
		{&prepare.Reset{}, `"variable"`},
		{&prepare.Reset{Variable: "b"}, `"b"`},
		{&prepare.NewIdentifiers{}, `"variables"`},
		{&prepare.NewIdentifiers{Variables: []string{"w"}}, `"w" is the weight`},
	} {
		_, err := method.Apply(t.Context(), c.m, method.Input{Data: f.data, Scenario: &f.scenario}, nil)
		if !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.m, err)
		}
	}
}

// A condition selects the records in which codes mean missing; without codes, every value of these records becomes
// missing.
func TestSetMissingWhere(t *testing.T) {
	f := file{data: one(t, golden.Column(t, "a", []string{"1", "2", "9", "9"}),
		golden.Column(t, "b", []string{"x", "y", "x", ""})), scenario: microdata.NewScenario()}
	for _, test := range []struct {
		levels    []string
		condition string
		want      []string
	}{
		{[]string{"9"}, "b = x", []string{"1", "2", "", "9"}},
		{nil, "b = x", []string{"", "2", "", "9"}},
		{nil, "b missing or a < 2", []string{"", "2", "9", ""}},
		{[]string{"9"}, "", []string{"1", "2", "", ""}},
	} {
		m := &prepare.SetMissing{Variable: "a", Levels: test.levels}
		if err := m.Condition.Set(test.condition); err != nil {
			t.Fatal(err)
		}
		after, _ := f.apply(t, m, 0).Data.Column("a")
		for record, want := range test.want {
			if got := after.Text(record); got != want {
				t.Errorf("%q where %q: record %d is %q, not %q", test.levels, test.condition, record+1, got, want)
			}
		}
	}
}

// A share that rounds to no record keeps one record and reports it.
func TestSubsetOfNothingSaysSo(t *testing.T) {
	f := file{data: one(t, golden.Column(t, "a", []string{"1", "2", "3"})), scenario: microdata.NewScenario()}
	for percent, warned := range map[float64]bool{0: true, 10: true, 50: false} {
		out, err := (&prepare.Subset{Take: prepare.TakePercent, Percent: percent, N: 1}).Apply(t.Context(),
			method.Input{Data: f.data, Scenario: &f.scenario, Seed: 3}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(out.Report.Warnings, " "), "one is kept"); got != warned ||
			out.Data.Len() == 0 {
			t.Errorf("%v %%: %d records, warnings %q", percent, out.Data.Len(), out.Report.Warnings)
		}
	}
}

// Only reset restores a variable.
func TestRestored(t *testing.T) {
	if got := prepare.Restored(&prepare.Reset{Variable: "age"}); got != "age" {
		t.Errorf("reset restored %q", got)
	}
	if got := prepare.Restored(&prepare.Convert{Variable: "age"}); got != "" {
		t.Errorf("convert restored %q", got)
	}
}

// The sentence for users names what the step named: codes, or cells regardless of their value.
func TestSetMissingIsNarrated(t *testing.T) {
	for _, test := range []struct {
		m    prepare.SetMissing
		want string
	}{
		{prepare.SetMissing{Variable: "age", Levels: []string{"98"}}, "Codes of age that stand for no answer were set to missing."},
		{prepare.SetMissing{Variable: "age", Records: []int{3}}, "Some values of age were set to missing."},
		{prepare.SetMissing{Variable: "age", Levels: []string{"98"}, Records: []int{3}}, "Some values of age were set to missing."},
	} {
		if got := test.m.Narrate(nil); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
