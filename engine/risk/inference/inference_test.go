package inference_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// applied applies steps, each given by a method's name and its parameters.
func applied(tb testing.TB, data *microdata.Dataset, s *microdata.Scenario, steps ...[2]string) *microdata.Dataset {
	tb.Helper()
	for _, step := range steps {
		spec, _ := catalog.Methods().Find(step[0])
		m, params := spec.New(), map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(step[1]), &params); err != nil {
			tb.Fatal(err)
		}
		if err := method.Decode(m, params); err != nil {
			tb.Fatal(err)
		}
		out, err := method.Apply(tb.Context(), m, method.Input{Data: data, Scenario: s, Seed: 1}, nil)
		if err != nil {
			tb.Fatal(err)
		}
		data = out.Data
	}
	return data
}

// find examines released data with their original, or nil if that is unknown.
func find(tb testing.TB, original, released *microdata.Dataset, s *microdata.Scenario) *inference.Result {
	tb.Helper()
	now := measure.NewVersion(released, s, nil)
	in := measure.Input{Original: now, Current: now}
	if original != nil {
		in.Original = measure.NewVersion(original, s, nil)
	}
	found, err := inference.Find(tb.Context(), in, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

// inferred returns what can be inferred of a variable from others, or nil if that is not reported.
func inferred(r *inference.Result, variable string, by ...string) *inference.Inferred {
	for i := range r.Inferred {
		if t := &r.Inferred[i]; t.Variable == variable && slices.Equal(t.By, by) {
			return t
		}
	}
	return nil
}

// demonstration returns the demonstration with its scenario.
func demonstration(tb testing.TB) (*microdata.Dataset, *microdata.Scenario) {
	s := microdata.NewScenario()
	s.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	s.Weight, s.Household, s.Remove = "weight", "hid", []string{"pid"}
	return golden.Data(tb, "survey"), &s
}

// protection divides the ages of the demonstration into eight intervals and applies k-anonymity of 3.
func protection() [][2]string {
	return [][2]string{
		{"recode-intervals", `{"variable":"age","breaks":[0,4,14,24,34,44,54,64,99],"include_lowest":true}`},
		{"suppress-kanonymity", `{"k":3}`}}
}

// In the demonstration the household reveals 617 of the 715 suppressed regions.
func TestHouseholdTellsRegions(t *testing.T) {
	data, s := demonstration(t)
	found := find(t, data, applied(t, data, s, protection()...), s)
	got := inferred(found, "region", "hid")
	if got == nil || got.Kind != inference.Household || got.Cells != 715 || got.Exactly != (inference.Claims{True: 617}) ||
		got.Probably != (inference.Claims{}) || got.Estimated {
		t.Fatalf("hid tells of region %+v", got)
	}
	if cells, exact, probable := found.Suppressed(); cells != 715+10+31+959+340+385+539 ||
		exact.True+probable.True <= 617 {
		t.Errorf("%d cells, %+v and %+v are told", cells, exact, probable)
	}
	// If hid is removed it reveals nothing.
	s.Remove = append(s.Remove, "hid")
	if got := inferred(find(t, data, applied(t, data, s, protection()...), s), "region", "hid"); got != nil {
		t.Errorf("a variable that is not released tells %+v", got)
	}
}

// plant returns a file with a key x of four categories, a key y and named variables, and the same file with every
// tenth x suppressed.
func plant(tb testing.TB, n int, variables map[string]func(i, x int, r *rand.Rand) string) (was, is *microdata.Dataset,
	s *microdata.Scenario) {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	xs, cells := make([]int, n), map[string][]string{}
	for i := range n {
		xs[i] = r.IntN(4)
		cells["x"] = append(cells["x"], fmt.Sprint("x", xs[i]))
		cells["y"] = append(cells["y"], fmt.Sprint("y", r.IntN(3)))
	}
	names := []string{"x", "y"}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range variables {
			if !yield(name) {
				return
			}
		}
	}) {
		names = append(names, name)
		for i := range n {
			cells[name] = append(cells[name], variables[name](i, xs[i], r))
		}
	}
	var columns []*microdata.Column
	for _, name := range names {
		columns = append(columns, golden.Column(tb, name, cells[name]))
	}
	was, err := microdata.NewDataset(columns)
	if err != nil {
		tb.Fatal(err)
	}
	blank := microdata.NewBits(n)
	for i := 0; i < n; i += 10 {
		blank.Set(i)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"x", "y"}
	return was, was.With(columns[0].Suppress(blank)), &scenario
}

// A variable that renames each category reveals all suppressed cells, one that is right nine times out of ten
// reveals that many probably, and an independent one reveals none.
func TestVariables(t *testing.T) {
	wrong := 0
	was, is, s := plant(t, 2000, map[string]func(i, x int, r *rand.Rand) string{
		"code": func(_, x int, _ *rand.Rand) string { return fmt.Sprint("c", x) },
		"near": func(i, x int, r *rand.Rand) string {
			if r.IntN(10) == 0 {
				x = (x + 1 + r.IntN(3)) % 4
				if i%10 == 0 {
					wrong++
				}
				return fmt.Sprint("n", x)
			}
			return fmt.Sprint("n", x)
		},
		"free": func(_, _ int, r *rand.Rand) string { return fmt.Sprint("f", r.IntN(50)) },
		// a missing value reveals nothing
		"half": func(i, x int, _ *rand.Rand) string {
			if i%20 == 0 {
				return ""
			}
			return fmt.Sprint("h", x)
		},
	})
	found := find(t, was, is, s)
	for by, want := range map[string][2]inference.Claims{
		"code": {{True: 200}, {}}, "near": {{}, {True: 200 - wrong, False: wrong}}, "half": {{True: 100}, {}},
	} {
		got := inferred(found, "x", by)
		if got == nil || got.Cells != 200 || got.Exactly != want[0] || got.Probably != want[1] {
			t.Errorf("%s tells %+v, want %v", by, got, want)
		}
	}
	// the entropy of x minus that of x given near: 2 + 0.9 log2 0.9 + 0.1 log2 (0.1 / 3)
	if got := inferred(found, "x", "near"); got != nil && math.Abs(got.Bits-1.37) > 0.1 {
		t.Errorf("near has %v bits", got.Bits)
	}
	if len(found.Inferred) != 3 || found.Inferred[0].By[0] != "code" {
		t.Errorf("reported are %+v", found.Inferred)
	}
	if k := found.Keys[0]; len(found.Keys) != 1 || k.Exactly.True != 200 || k.Probably.All() != 0 {
		t.Errorf("in all %+v", found.Keys)
	}
	// Without the original the claims are the same, with the share of right ones as among the other records.
	alone := find(t, nil, is, s)
	if got := inferred(alone, "x", "code"); got == nil || !got.Estimated || got.Exactly != (inference.Claims{True: 200}) {
		t.Errorf("without the original code tells %+v", got)
	}
	if got := inferred(alone, "x", "near"); got == nil || got.Probably.All() != 200 || got.Probably.False < 10 ||
		got.Probably.False > 30 {
		t.Errorf("without the original near tells %+v", got)
	}
	if inferred(alone, "x", "free") != nil {
		t.Error("free is reported")
	}
}

// A variable is not reported if the other key variables reveal as much, but these are; nor is a pair of which one
// variable reveals nearly as much.
func TestWhatOthersTellAsWell(t *testing.T) {
	was, is, s := plant(t, 2000, map[string]func(i, x int, r *rand.Rand) string{
		"code": func(_, x int, _ *rand.Rand) string { return fmt.Sprint("c", x) },
		"w":    func(i, x int, _ *rand.Rand) string { return fmt.Sprint("w", x) },
		"seventh": func(_, x int, r *rand.Rand) string { // right in 77 %, for which there is no claim
			if r.IntN(100) < 30 {
				x = r.IntN(4)
			}
			return fmt.Sprint("s", x)
		},
		"coin": func(_, _ int, r *rand.Rand) string { return fmt.Sprint("t", r.IntN(40)) },
	})
	found := find(t, was, is, s)
	code := inferred(found, "x", "code")
	if code == nil || math.Abs(code.Bits-2) > 0.01 || inferred(found, "x", "w") == nil || len(found.Inferred) != 2 {
		t.Errorf("reported are %+v", found.Inferred)
	}
	s.Keys = []string{"x", "y", "w"} // w reveals the same as code
	if found := find(t, was, is, s); inferred(found, "x", "code") != nil || inferred(found, "x", "w") == nil {
		t.Errorf("beside a key variable that tells as much: %+v", found.Inferred)
	}
	// if w is missing, the others with its other key do not help, so code is reported
	w, _ := is.Column("w")
	gone := microdata.NewBits(is.Len())
	for i := 0; i < is.Len(); i += 10 {
		gone.Set(i)
	}
	if found := find(t, was, is.With(w.Suppress(gone)), s); inferred(found, "x", "code") == nil {
		t.Errorf("where the other key variable is missing: %+v", found.Inferred)
	}
}

// A recode can be inferred from a variable that still has the merged categories.
func TestRecodeRevealsItself(t *testing.T) {
	was, _, s := plant(t, 400, map[string]func(i, x int, r *rand.Rand) string{
		"code": func(_, x int, _ *rand.Rand) string { return fmt.Sprint("c", x) }})
	x, _ := was.Column("x")
	joined := 0
	for i := range was.Len() {
		if text := x.Text(i); text == "x0" || text == "x1" {
			joined++
		}
	}
	is := applied(t, was, s, [2]string{"recode-group", `{"variable":"x","levels":["x0","x1"],"label":"low"}`})
	found := find(t, was, is, s)
	got := inferred(found, "x", "code")
	if len(found.Inferred) != 1 || got == nil || !got.Recoded || got.Cells != joined ||
		got.Exactly != (inference.Claims{True: joined}) {
		t.Errorf("code tells %+v of %d joined, reported are %+v", got, joined, found.Inferred)
	}
	if cells, exact, probable := found.Suppressed(); cells != 0 || exact.All()+probable.All() != 0 {
		t.Errorf("%d blanked cells, %v and %v told", cells, exact, probable)
	}
}

// A pair reveals what neither of its variables does: all suppressed cells if it always does so, and as many as it
// is right about if it nearly always does.
func TestPairs(t *testing.T) {
	half, wrong := func(i int) int { return i / 10 % 4 }, 0
	was, is, s := plant(t, 4000, map[string]func(i, x int, r *rand.Rand) string{
		"a": func(i, _ int, _ *rand.Rand) string { return fmt.Sprint("a", half(i)) },
		"b": func(i, x int, _ *rand.Rand) string { return fmt.Sprint("b", (x+half(i))%4) },
		"c": func(i, x int, r *rand.Rand) string {
			if r.IntN(10) == 0 {
				x += 1 + r.IntN(3)
				if i%10 == 0 {
					wrong++
				}
			}
			return fmt.Sprint("c", (x+3*half(i))%4)
		},
	})
	found := find(t, was, is, s)
	for by, want := range map[string][2]inference.Claims{
		"b": {{True: 400}, {}}, "c": {{}, {True: 400 - wrong, False: wrong}},
	} {
		got := inferred(found, "x", "a", by)
		if got == nil || got.Kind != inference.Pair || got.Exactly != want[0] || got.Probably != want[1] {
			t.Errorf("a and %s tell %+v, want %v", by, got, want)
		}
	}
	// b is x + h and c is x + 3 h: their sum is 2 x, which reveals only half of x.
	if len(found.Inferred) != 2 {
		t.Errorf("reported are %+v", found.Inferred)
	}
}

// shuffled returns the data with the values of each variable in random order.
func shuffled(tb testing.TB, data *microdata.Dataset, seed uint64) *microdata.Dataset {
	var columns []*microdata.Column
	for v, column := range data.Columns() {
		cells := make([]string, data.Len())
		for i, from := range rand.New(rand.NewPCG(seed, uint64(v))).Perm(data.Len()) {
			cells[i] = column.Text(from)
		}
		columns = append(columns, golden.Column(tb, column.Name(), cells))
	}
	out, err := microdata.NewDataset(columns)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// Independent variables are not reported, however their cells were suppressed and recoded; one in a hundred files
// may be an exception.
func TestShuffledFilesTellNothing(t *testing.T) {
	files := 6
	if longtests.Wanted() {
		files = 100
	}
	reports := 0
	for seed := range files {
		data, s := demonstration(t)
		data = shuffled(t, generated.Survey(t, 1500, uint64(seed), slices.DeleteFunc(names(data),
			func(name string) bool { return name == "pid" })...), uint64(seed))
		found := find(t, data, applied(t, data, s, protection()...), s)
		if cells, _, _ := found.Suppressed(); cells < 100 {
			t.Fatalf("only %d cells are blanked", cells)
		}
		for _, inferred := range found.Inferred {
			reports++
			t.Logf("seed %d: %+v", seed, inferred)
		}
	}
	if reports > 1 {
		t.Errorf("%d reports", reports)
	}
}

func names(data *microdata.Dataset) (names []string) {
	for _, column := range data.Columns() {
		names = append(names, column.Name())
	}
	return names
}

// If there is nothing to reveal nothing can be inferred.
func TestNothingToTell(t *testing.T) {
	for _, rows := range [][]string{{"ax"}, {"  ", "  "}, {"ax", " y"}, {"a", " ", "a"}, {"ax", "bx", "cx"},
		append(slices.Repeat([]string{"ax", "ay"}, 10), " x", " y")} { // all others have a, whatever the variable
		in := generated.Rows(t, rows...)
		for _, original := range []*microdata.Dataset{nil, in.Data} {
			if found := find(t, original, in.Data, in.Scenario); len(found.Inferred) > 0 {
				t.Errorf("%q: %+v", rows, found.Inferred)
			}
		}
	}
	in := generated.Rows(t, "ax", "by")
	empty := in.Data.Select(nil)
	if found := find(t, empty, empty, in.Scenario); len(found.Inferred)+len(found.Keys) > 0 {
		t.Errorf("no records: %+v", found)
	}
	none := microdata.NewScenario()
	v := measure.NewVersion(in.Data, &none, nil)
	if reason := inference.Spec().New().Needs(measure.Input{Original: v, Current: v}); !strings.Contains(reason, "key") {
		t.Errorf("without key variables: %q", reason)
	}
}

// Rows that represent several records count as that many.
func TestGroupsCountAsRecords(t *testing.T) {
	was, is, s := plant(t, 600, map[string]func(i, x int, r *rand.Rand) string{
		"code": func(_, x int, _ *rand.Rand) string { return fmt.Sprint("c", x) }})
	grouped := func(data *microdata.Dataset) *microdata.Dataset {
		multiplicity := make([]int, data.Len())
		for i := range multiplicity {
			multiplicity[i] = 3
		}
		out, err := microdata.NewGrouped(data.Columns(), multiplicity)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	got := inferred(find(t, grouped(was), grouped(is), s), "x", "code")
	if got == nil || got.Cells != 180 || got.Exactly.True != 180 {
		t.Errorf("%+v", got)
	}
}
