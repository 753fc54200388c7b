package publish_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/tables/adjust"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// people are records of two variables, with a number.
func people(t *testing.T, seed uint64, records int) *microdata.Dataset {
	t.Helper()
	lines := []string{"a,b,x"}
	random := rand.New(rand.NewPCG(seed, 0))
	for range records {
		lines = append(lines, fmt.Sprintf("%c,%c,%d", 'p'+rune(random.IntN(2)), 'u'+rune(random.IntN(2)), 10+random.IntN(90)))
	}
	return parse(t, lines...)
}

// possible lists by hand all tables of two by two counts that an intruder cannot exclude who knows a method, and returns
// the range of each cell.
func possible(table *publish.Table, fits func(cell int, value, published float64) bool) map[int][2]float64 {
	found := map[int][2]float64{}
	inner := slices.Collect(func(yield func(int) bool) {
		for cell := range table.Cells {
			if table.Inner(cell) {
				yield(cell)
			}
		}
	})
	groups := table.Groups(func(int) bool { return true })
	const most = 16
	values := make([]int, len(inner))
	for {
		sums, ok := make([]float64, len(table.Cells)), true
		for cell, of := range groups {
			for _, i := range of {
				sums[cell] += float64(values[i])
			}
			published, _ := table.Published(cell)
			ok = ok && fits(cell, sums[cell], published)
		}
		for cell, sum := range sums {
			if ok {
				was, known := found[cell]
				if !known {
					was = [2]float64{sum, sum}
				}
				found[cell] = [2]float64{min(was[0], sum), max(was[1], sum)}
			}
		}
		at := 0
		for at < len(values) && values[at] == most {
			values[at], at = 0, at+1
		}
		if at == len(values) {
			return found
		}
		values[at]++
	}
}

// TestPerturbedIntervals compares what an intruder learns of each cell with all tables that the intruder cannot exclude.
func TestPerturbedIntervals(t *testing.T) {
	for protect, fits := range map[string]func(table *publish.Table) func(cell int, value, published float64) bool{
		"controlled-rounding:5": func(*publish.Table) func(int, float64, float64) bool {
			return func(_ int, value, published float64) bool { return math.Abs(value-published) < 5 }
		},
		"small-counts:4": func(table *publish.Table) func(int, float64, float64) bool {
			return func(cell int, value, published float64) bool {
				switch {
				case !table.Inner(cell):
					return true
				case published == 0:
					return value < 4
				case published == 4:
					return value >= 1 && value <= 4
				}
				return value == published
			}
		},
		"cell-key:3,2,1": func(*publish.Table) func(int, float64, float64) bool {
			return func(_ int, value, published float64) bool {
				return math.Abs(value-published) <= 3 && (value > 0 || published == 0)
			}
		},
	} {
		exact := 0
		for seed := range uint64(6) {
			table := evaluate(t, people(t, seed, 14), `{"by":[{"variable":"a"},{"variable":"b"}],"rules":["frequency:7"],"seed":7,"protect":"`+protect+`"}`)
			got, err := table.Intervals(t.Context(), false)
			if err != nil {
				t.Fatal(err)
			}
			for cell, want := range possible(table, fits(table)) {
				is, hidden := got.Of[cell]
				if !hidden {
					is.Low, is.High = table.Cells[cell].Value, table.Cells[cell].Value
				}
				if is.Low != want[0] || is.High != want[1] {
					t.Errorf("%s, seed %d, %v: %v, want %v", protect, seed, table.Codes(cell), is, want)
				}
				if !table.Sensitive(cell) {
					continue
				}
				if want[0] == want[1] {
					exact++
				}
				safety := table.Safety()
				known := slices.Contains(safety.Open, cell) || slices.Contains(got.OneInteger, cell)
				narrow := want[1]-want[0] < 1+min(1, table.Cells[cell].Value)
				if known != (want[0] == want[1]) || slices.Contains(got.TooNarrow, cell) != (narrow && !known) {
					t.Errorf("%s, seed %d, %v: known %v, too narrow %v", protect, seed, table.Codes(cell), known, got.TooNarrow)
				}
			}
		}
		if strings.HasPrefix(protect, "small") && exact == 0 {
			t.Error("no sensitive count is published: the test is too easy")
		}
	}
}

// TestPerturbedTables holds what the methods promise, and that the loss is that of the published values.
func TestPerturbedTables(t *testing.T) {
	data := people(t, 1, 60)
	const by = `{"by":[{"variable":"a"},{"variable":"b"}],"rules":["frequency:14"],"seed":3,`
	for protect, promise := range map[string]func(value, published float64) bool{
		"small-counts:14": func(value, published float64) bool { return published == 0 || published >= 14 },
		"controlled-rounding:7": func(value, published float64) bool {
			return math.Mod(published, 7) == 0 && math.Abs(value-published) < 7
		},
		"cell-key:5,3,2": func(value, published float64) bool {
			return math.Abs(value-published) <= 5 && published != 1 && published != 2
		},
		"adjustment":          func(float64, float64) bool { return true },
		"relative-adjustment": func(float64, float64) bool { return true },
	} {
		table := evaluate(t, data, by+`"protect":"`+protect+`"}`)
		file, err := table.File()
		if err != nil {
			t.Fatal(err)
		}
		counts, _ := file.Column("count")
		status, _ := file.Column("status")
		published := *table.Table
		published.Cells = slices.Clone(table.Cells)
		var change, largest float64
		for cell := range table.Cells {
			value := counts.Float(cell)
			d := math.Abs(value - table.Cells[cell].Value)
			change, largest = change+d, max(largest, d)
			if published.Cells[cell].Value = value; status.Text(cell) != publish.PerturbedMark || !promise(table.Cells[cell].Value, value) ||
				table.Changed(cell) != (d > 0) || table.Explain(cell).Change == "" {
				t.Errorf("%s, %v: %v becomes %v, %s", protect, table.Codes(cell), table.Cells[cell].Value, value, status.Text(cell))
			}
			if strings.HasSuffix(protect, "adjustment") && table.Sensitive(cell) && d < table.Level(cell) {
				t.Errorf("%s, %v moved by %v", protect, table.Codes(cell), d)
			}
		}
		if err := published.Additive(0); err != nil && !strings.HasPrefix(protect, "cell-key") {
			t.Errorf("%s: %v", protect, err)
		}
		loss := table.Loss()
		if loss.Change != change || loss.Largest != largest || loss.Bound > change || change == 0 || loss.Primary+loss.Secondary > 0 {
			t.Errorf("%s: %+v, want %v and %v", protect, loss, change, largest)
		}
		if bounded := protect == "adjustment" || strings.HasPrefix(protect, "controlled"); bounded != (loss.Bound > 0) {
			t.Errorf("%s: bound %v", protect, loss.Bound)
		}
		if s := table.Safety(); s.Sensitive == 0 || len(s.Open) > 0 {
			t.Errorf("%s: %+v", protect, s)
		}
	}
}

// TestCellKeys gives the same records the same count: in other tables, after other records are removed, and never with
// another seed for all of them.
func TestCellKeys(t *testing.T) {
	data := people(t, 2, 300)
	of := func(data *microdata.Dataset, by string, seed int) (counts map[string]float64) {
		table := evaluate(t, data, fmt.Sprintf(`{"by":[%s],"protect":"cell-key:5,3,2","seed":%d}`, by, seed))
		counts = map[string]float64{}
		for cell := range table.Cells {
			codes := slices.DeleteFunc(table.Codes(cell), func(code string) bool { return code == tabular.Total })
			counts[strings.Join(codes, " ")], _ = table.Published(cell)
		}
		return counts
	}
	const a, b = `{"variable":"a"}`, `{"variable":"b"}`
	both, alone := of(data, a+","+b, 9), of(data, b, 9)
	for name, count := range alone {
		if both[name] != count {
			t.Errorf("%q: %v and %v", name, both[name], count)
		}
	}
	column, _ := data.Column("a")
	var rows []uint32
	for row := range data.Len() {
		if column.Text(row) == "q" {
			rows = append(rows, uint32(row))
		}
	}
	some := of(data.Select(rows), a+","+b, 9)
	if some["q"] != both["q"] || some["q u"] != both["q u"] {
		t.Errorf("%v and %v", some, both)
	}
	different := false
	for seed := 1; seed < 4; seed++ {
		different = different || of(data, b, seed)["u"] != alone["u"]
	}
	if !different {
		t.Error("the seed makes no difference")
	}
}

// TestPublishedByHand keeps cells that must be published, if the method can.
func TestPublishedByHand(t *testing.T) {
	data := people(t, 1, 60)
	const text = `{"by":[{"variable":"a"},{"variable":"b"}],"rules":["frequency:14"],"states":[{"codes":["Total","u"],"state":"%s"},` +
		`{"codes":["q","Total"],"state":"%s"}],"protect":"%s"}`
	table := evaluate(t, data, fmt.Sprintf(text, microdata.StateFrozen, microdata.StateForced, "adjustment"))
	for _, codes := range [][]string{{"Total", "u"}, {"q", "Total"}} {
		if cell, err := table.Find(codes); err != nil || table.Changed(cell) {
			t.Errorf("%v has changed, %v", codes, err)
		}
	}
	if loss := table.Loss(); loss.Changed == 0 {
		t.Error("nothing has changed")
	}
	_, err := publish.Evaluate(t.Context(), data, definition(t, fmt.Sprintf(text, microdata.StateFrozen, microdata.StateSafe, "controlled-rounding")), nil)
	if !errors.Is(err, tabular.ErrTable) || !strings.Contains(fmt.Sprint(err), "cell [Total u] is frozen") {
		t.Error(err)
	}
}

// TestPerturbationErrors names what is wrong with a protection or its table.
func TestPerturbationErrors(t *testing.T) {
	data := people(t, 1, 30)
	var large []string
	for i := range 800 {
		large = append(large, fmt.Sprintf("%d,%d,%d", i%8, i/8%10, i/80))
	}
	for _, c := range []struct {
		data *microdata.Dataset
		text string
		want string
		is   error
	}{
		{data, `"protect":"small-counts:1"`, "the form is small-counts:BASE: the base must be an integer of 2 or more", tabular.ErrDefinition},
		{data, `"protect":"controlled-rounding:2.5"`, "integer of 2 or more", tabular.ErrDefinition},
		{data, `"protect":"small-counts:3,4"`, "wrong number of parameters", tabular.ErrDefinition},
		{data, `"protect":"cell-key:x,3,2"`, "must be integers", tabular.ErrDefinition},
		{data, `"protect":"cell-key:2,9,1"`, "variance", tabular.ErrDefinition},
		{data, `"protect":"gauss:3"`, `protection "gauss:3"`, tabular.ErrDefinition},
		{data, `"protect":"adjustment","cost":"cells"`, "adjustment suppresses no cell", tabular.ErrDefinition},
		{data, `"protect":"cell-key","response":"x","seed":1`, "cell-key is for unweighted counts", tabular.ErrTable},
		{data, `"protect":"small-counts","weight":"x"`, "small-counts is for unweighted counts", tabular.ErrTable},
		{parse(t, "a,b,n", "p,u,-3", "q,v,9"), `"protect":"cell-key","count":"n","seed":1`, "cell-key is for unweighted counts", tabular.ErrTable},
		{data, `"protect":"cell-key"`, "a seed for their keys", tabular.ErrTable},
		{parse(t, append([]string{"a,b,c"}, large...)...), `"protect":"controlled-rounding:3"`, "the limit is 300", adjust.ErrAdjust},
	} {
		by := `{"by":[{"variable":"a"},{"variable":"b"}],`
		if _, three := c.data.Column("c"); three {
			by = `{"by":[{"variable":"a"},{"variable":"b"},{"variable":"c"}],`
		}
		_, err := publish.Evaluate(t.Context(), c.data, definition(t, by+c.text+"}"), nil)
		if !errors.Is(err, c.is) || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestPerturbedTogether finds a cell that one table changes and another publishes, one that a table suppresses and another
// publishes unchanged, and those that released records give. Changed values narrow the intervals of other tables.
func TestPerturbedTogether(t *testing.T) {
	data := golden.Data(t, "magnitude1")
	together := func(texts ...string) []*publish.Table {
		t.Helper()
		var tables []*publish.Table
		for _, text := range texts {
			table, err := publish.Define(t.Context(), data, definition(t, text), nil)
			if err != nil {
				t.Fatal(err)
			}
			tables = append(tables, table)
		}
		tables, err := publish.Protect(t.Context(), tables)
		if err != nil {
			t.Fatal(err)
		}
		return tables
	}
	const by, unsafe = `{"by":[{"variable":"sector4"},{"variable":"geo"}],`, `"states":[{"codes":["Industry","Spain"],"state":"unsafe"}],`
	const sums, counts = by + `"response":"value",`, by
	for _, c := range []struct {
		tables []string
		open   []int
	}{
		{[]string{sums + unsafe + `"protect":"controlled-rounding:10"}`}, []int{0}},
		{[]string{sums + unsafe + `"protect":"controlled-rounding:10"}`, sums + unsafe + `"protect":"gauss"}`}, []int{0, 0}},
		{[]string{sums + unsafe + `"protect":"controlled-rounding:10"}`, sums + `"protect":"none"}`}, []int{1, 0}},
		{[]string{counts + unsafe + `"protect":"gauss"}`, counts + `"protect":"controlled-rounding:3"}`}, []int{0, 0}},
		{[]string{counts + `"states":[{"codes":["Industry","Iceland"],"state":"unsafe"}],"protect":"gauss"}`, counts + `"protect":"small-counts:2"}`}, []int{1, 0}},
	} {
		for i, table := range together(c.tables...) {
			if s := table.Safety(); len(s.Open) != c.open[i] {
				t.Errorf("%v: table %d: %v is open", c.tables, i, s.Open)
			}
		}
	}
	rounded := together(sums+unsafe+`"protect":"controlled-rounding:10"}`, sums+unsafe+`"protect":"gauss"}`)
	alone := together(sums + unsafe + `"protect":"gauss"}`)[0]
	cell, err := alone.Find([]string{"Industry", "Spain"})
	if err != nil {
		t.Fatal(err)
	}
	all, err := rounded[1].Intervals(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	one, err := alone.Intervals(t.Context(), false)
	if err != nil || all.Of[cell].High-all.Of[cell].Low >= one.Of[cell].High-one.Of[cell].Low {
		t.Errorf("%v with the rounded table, %v without, %v", all.Of[cell], one.Of[cell], err)
	}
	if given, err := rounded[0].GivenBack(t.Context(), data); err != nil || len(given) != 1 {
		t.Errorf("%v, %v", given, err)
	}
}
