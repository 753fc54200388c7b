package microaggregation_test

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

func texts(column *microdata.Column) string {
	cells := make([]string, column.Len())
	for row := range cells {
		if cells[row] = column.Text(row); cells[row] == "" {
			cells[row] = "-"
		}
	}
	return strings.Join(cells, " ")
}

// cells returns a column of cells separated by spaces; "-" is missing.
func cells(tb testing.TB, name, text string) *microdata.Column {
	fields := strings.Fields(text)
	for i := range fields {
		if fields[i] == "-" {
			fields[i] = ""
		}
	}
	return golden.Column(tb, name, fields)
}

func dataset(columns ...*microdata.Column) *microdata.Dataset {
	d, err := microdata.NewDataset(columns)
	if err != nil {
		panic(err)
	}
	return d
}

// every returns the method with each way of partitioning records.
func every() []*microaggregation.Microaggregate {
	var all []*microaggregation.Microaggregate
	for _, name := range microaggregation.New().Params()[1].Choices(nil, nil) {
		m := microaggregation.New()
		m.Decimals = numeric.Computed
		m.Method, m.Iterations = name, 40
		all = append(all, m)
	}
	return all
}

func TestAggregates(t *testing.T) {
	x := cells(t, "x", "1 2 4 100 0 8 8")
	w := cells(t, "w", "1 1 1 1 5 1 1")
	for _, test := range []struct{ aggregate, weight, want string }{
		{"mean", "", "17.571428571428573"},
		{"median", "", "4"},
		{"trimmed", "", "4.6"},
		{"onestep", "", "5.141464333"}, // median 4, MAD 4 times 1.4826: 100 becomes 4 + 3/1.486 * 5.9304 = 15.97
		{"mean", "w", "11.181818181818182"},
		{"median", "w", "1"},
		{"trimmed", "w", "4.6"},
	} {
		m := microaggregation.New()
		m.Decimals = numeric.Computed
		m.Variables, m.Method, m.Size, m.Aggregate, m.Weight, m.Trim = []string{"x"}, microaggregation.Simple, 7, test.aggregate, test.weight, 0.15
		out := apply(t, m, dataset(x, w))
		after, _ := out.Data.Column("x")
		if test.aggregate == "onestep" {
			clip := 4 + 3/1.486*1.4826*4
			if want := (1 + 2 + 4 + clip + 0 + 8 + 8) / 7; math.Abs(after.Float(0)-want) > 1e-12 {
				t.Errorf("onestep gives %v, want %v", after.Float(0), want)
			}
			continue
		}
		if got := after.Text(0); got != test.want {
			t.Errorf("%s weighted by %q gives %s, want %s", test.aggregate, test.weight, got, test.want)
		}
	}
}

// Incomplete records keep their values and are in no group.
func TestMissingStaysMissing(t *testing.T) {
	d := dataset(cells(t, "x", "1 - 3.50 5 900.0 2 2 2"), cells(t, "y", "1 7 3 5 - 2.0 2.0 2.0"),
		cells(t, "s", "a a a a a b b b"))
	for _, m := range every() {
		m.Variables, m.Strata = []string{"x", "y"}, []string{"s"}
		if strings.Contains(m.Method, "mcd") || m.Method == microaggregation.RMD {
			continue // three records have no robust covariance
		}
		out := apply(t, m, d)
		x, _ := out.Data.Column("x")
		y, _ := out.Data.Column("y")
		if got := texts(x); got != "3.1666666666666665 - 3.1666666666666665 3.1666666666666665 900 2 2 2" {
			t.Errorf("%s: x is %s", m.Method, got)
		}
		if got := texts(y); got != "3 7 3 3 - 2 2 2" {
			t.Errorf("%s: y is %s", m.Method, got)
		}
		if out.Report.Changed != 5 || !strings.Contains(strings.Join(out.Report.Warnings, ";"),
			"2 records have a missing value") {
			t.Errorf("%s: report %+v", m.Method, out.Report)
		}
		if origins := out.Data.Origins(); origins["x"] != microdata.Perturbed || origins["s"] != 0 {
			t.Errorf("%s: origins %v", m.Method, origins)
		}
	}
}

// The spelling of a masked cell does not reveal that its value already was the mean of its group, however the cell
// is stored.
func TestGroupsAreSpelledAlike(t *testing.T) {
	const text = "2.50 2.50 .5 .5 9.0 9.0 1e3 1e3 - 7 7 3 4"
	x := cells(t, "x", text)
	for _, storage := range []*microdata.Column{x, x.Regroup(x, x.Categories().Levels,
		inOrder(len(x.Categories().Levels)+1), true)} {
		m := microaggregation.New()
		m.Decimals = numeric.Computed
		m.Variables, m.Method, m.Size = []string{"x"}, microaggregation.Simple, 2
		out := apply(t, m, dataset(storage))
		after, _ := out.Data.Column("x")
		if got := texts(after); got != "2.5 2.5 0.5 0.5 9 9 1000 1000 - 7 7 3.5 3.5" || out.Report.Changed != 2 {
			t.Errorf("%s, %d changed", got, out.Report.Changed)
		}
	}
}

func inOrder(n int) []uint32 {
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	return order
}

func TestRefusals(t *testing.T) {
	infinite := microdata.NewNumeric("x", microdata.Number,
		&microdata.Numbers{Values: []float64{1, 2, math.Inf(1), 4}})
	huge := microdata.NewNumeric("x", microdata.Number, &microdata.Numbers{Values: []float64{1, 2, 1e200, 4}})
	x := cells(t, "x", "1 2 3 4")
	for name, test := range map[string]struct {
		data *microdata.Dataset
		set  func(m *microaggregation.Microaggregate)
		want string
	}{
		"one record": {dataset(cells(t, "x", "1")), nil,
			"the file has 1 record without a missing value, fewer than a group of 3"},
		"few records": {dataset(cells(t, "x", "1 - - 2")), nil, "2 records without a missing value"},
		"small stratum": {dataset(x, cells(t, "s", "a a a b")),
			func(m *microaggregation.Microaggregate) { m.Strata = []string{"s"} }, "the stratum b has 1 record"},
		"infinite":    {dataset(infinite), nil, `"x" is infinite in 1 record`},
		"huge":        {dataset(huge), nil, "too large"},
		"text":        {dataset(cells(t, "x", "a b c d")), nil, "not a numeric variable"},
		"no variable": {dataset(cells(t, "y", "1 2 3 4")), nil, `no variable "x"`},
		"sort": {dataset(x), func(m *microaggregation.Microaggregate) { m.Method, m.Sort = "single", "y" },
			"not among the variables"},
		"weight": {dataset(x, cells(t, "w", "1 0 1 1")), func(m *microaggregation.Microaggregate) { m.Weight = "w" },
			"no positive number in record 2"},
		"robust of line": {dataset(cells(t, "x", "1 2 3 4 5 6 7 8 9"), cells(t, "y", "1 2 3 4 5 6 7 8 9")),
			func(m *microaggregation.Microaggregate) { m.Method, m.Variables = "rmd", []string{"x", "y"} }, "robust covariance"},
	} {
		m := microaggregation.New()
		m.Decimals = numeric.Computed
		m.Variables = []string{"x"}
		if test.set != nil {
			test.set(m)
		}
		scenario := microdata.NewScenario()
		_, err := method.Apply(t.Context(), m, method.Input{Data: test.data, Scenario: &scenario}, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) ||
			!errors.Is(err, method.ErrInput) && !errors.Is(err, method.ErrParam) {
			t.Errorf("%s: error %v, want one that says %q", name, err, test.want)
		}
	}
}

// For any data, every method gives groups of at least size records (and at most twice that less one if it
// guarantees so), preserves the sums of the variables, and gives the same result on any number of processors.
func TestEveryMethod(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(processors)
	var others []*microaggregation.Microaggregate // sampled from, because the robust methods take long
	for _, m := range every() {
		if !longtests.Wanted() || strings.Contains(m.Method, "mcd") || m.Method == microaggregation.RMD {
			others = append(others, m)
			continue
		}
		t.Run(m.Method, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkMethod(t, m) })
		})
	}
	t.Run("drawn", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { checkMethod(t, rapid.SampledFrom(others).Draw(t, "method")) })
	})
}

func checkMethod(t *rapid.T, m *microaggregation.Microaggregate) {
	n := rapid.IntRange(30, 120).Draw(t, "records")
	m.Size = rapid.IntRange(2, 6).Draw(t, "size")
	m.Variables = []string{"x", "y", "z"}
	in := method.Input{Data: dataset(randomColumns(t, n)...), Scenario: new(microdata.Scenario)}
	runtime.GOMAXPROCS(1)
	meter := new(progress.Meter)
	out, err := method.Apply(t.Context(), m, in, meter)
	if errors.Is(err, method.ErrInput) && strings.Contains(err.Error(), "robust") {
		t.Skip("no robust covariance")
	}
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(4)
	again, err := method.Apply(t.Context(), m, in, nil)
	if err != nil || again.Data.Hash() != out.Data.Hash() || cmp.Diff(out.Report, again.Report) != "" {
		t.Fatalf("another number of processors gives other data: %v", err)
	}
	g := out.Report.Groups
	clustered := strings.HasPrefix(m.Method, "clust") || m.Method == microaggregation.Influence
	if g.Smallest < m.Size || !clustered && g.Largest > 2*m.Size-1 || g.SSEPercent < 0 || g.SSEPercent > 100+1e-9 {
		t.Fatalf("groups %+v of at least %d", g, m.Size)
	}
	if meter.Fraction() != 1 {
		t.Errorf("progress %v", meter.Fraction())
	}
	checkGroups(t, in.Data, out.Data, m.Size)
}

func randomColumns(t *rapid.T, n int) []*microdata.Column {
	var columns []*microdata.Column
	for _, name := range []string{"x", "y", "z"} {
		values := make([]float64, n)
		different := rapid.SampledFrom([]int{0, 3, 100, 100000}).Draw(t, "values")
		for i := range values {
			values[i] = float64(rapid.IntRange(-different/3, different).Draw(t, "value")) / 4
		}
		column := microdata.NewNumeric(name, microdata.Number, &microdata.Numbers{Values: values, Decimals: 2})
		columns = append(columns, column)
	}
	return columns
}

// checkGroups checks that every value occurs at least size times and that the sums are preserved.
func checkGroups(t *rapid.T, before, after *microdata.Dataset, size int) {
	t.Helper()
	for j, column := range after.Columns() {
		counts, sum, was := map[float64]int{}, 0.0, 0.0
		for row := range column.Len() {
			counts[column.Float(row)]++
			sum += column.Float(row)
			was += before.Columns()[j].Float(row)
		}
		for x, count := range counts {
			if count < size {
				t.Fatalf("%v is there %d times", x, count)
			}
		}
		if math.Abs(sum-was) > 1e-9*(1+math.Abs(was))*float64(column.Len()) {
			t.Fatalf("the sum of %s is %v, was %v", column.Name(), sum, was)
		}
	}
}

// The optimum of one variable equals that of all partitions of the sorted values.
func TestOptimalEqualsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 14).Draw(t, "records")
		size := rapid.IntRange(2, min(4, n)).Draw(t, "size")
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(rapid.IntRange(0, 50).Draw(t, "value"))
		}
		column := microdata.NewNumeric("x", microdata.Whole, &microdata.Numbers{Values: values})
		d := dataset(column)
		m := microaggregation.New()
		m.Decimals = numeric.Computed
		m.Variables, m.Method, m.Size = []string{"x"}, microaggregation.Optimal, size
		scenario := microdata.NewScenario()
		out, err := method.Apply(t.Context(), m, method.Input{Data: d, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := 0.0
		for row, x := range values {
			masked := out.Data.Columns()[0].Float(row)
			got += (x - masked) * (x - masked)
		}
		sorted := slices.Sorted(slices.Values(values))
		if want := leastSquares(sorted, size); math.Abs(got-want) > 1e-9*(1+want) {
			t.Fatalf("sum of squares %v, the least is %v", got, want)
		}
	})
}

// leastSquares tries all partitions of sorted values into groups of at least size.
func leastSquares(sorted []float64, size int) float64 {
	if len(sorted) == 0 {
		return 0
	}
	best := math.Inf(1)
	for k := size; k <= len(sorted); k++ {
		mean, sum := 0.0, 0.0
		for _, x := range sorted[:k] {
			mean += x / float64(k)
		}
		for _, x := range sorted[:k] {
			sum += (x - mean) * (x - mean)
		}
		best = min(best, sum+leastSquares(sorted[k:], size))
	}
	return best
}

// Above 100,000 records the what-if uses a sample and reports it; below, it runs the step itself.
func TestPreview(t *testing.T) {
	scenario := microdata.NewScenario()
	m, spec := microaggregation.New(), microaggregation.Spec()
	m.Decimals = numeric.Computed
	m.Variables = []string{"income", "savings"}
	d := generated.Survey(t, 101_000, 3, "income", "savings")
	p, ok, err := spec.SamplePreview(t.Context(), m, method.Input{Data: d, Scenario: &scenario}, nil)
	if err != nil || !ok || p.Of.Len() != method.SampleSize || p.Data.Len() != method.SampleSize ||
		!strings.Contains(p.Report.Warnings[0], "sample of 20,000 records") {
		t.Errorf("preview of %v records, %v, %v", p.Of.Len(), ok, err)
	}
	m.Size = method.SampleSize + 1 // the sample has too few records, the file has enough
	if _, ok, err := spec.SamplePreview(t.Context(), m, method.Input{Data: d, Scenario: &scenario}, nil); ok || err != nil {
		t.Errorf("a preview of a sample that is too small: %v", err)
	}
	if _, ok, err := spec.SamplePreview(t.Context(), m, method.Input{Data: d.Select([]uint32{1, 2, 3}), Scenario: &scenario},
		nil); ok || err != nil {
		t.Errorf("a preview of few records: %v", err)
	}
}

func ExampleMicroaggregate_Narrate() {
	m := microaggregation.New()
	m.Decimals = numeric.Computed
	m.Variables, m.Size = []string{"income", "savings"}, 5
	fmt.Println(m.Narrate(nil))
	// Output:
	// Values of income, savings were replaced by those of groups of similar records (microaggregation).
}

func BenchmarkIndividualRanking(b *testing.B) { benchmark(b, microaggregation.Individual, 1_000_000) }

func BenchmarkRMD(b *testing.B) { benchmark(b, microaggregation.RMD, 100_000) }

func benchmark(b *testing.B, how string, persons int) {
	d := generated.Survey(b, persons, 7, "income", "expend", "savings")
	scenario := microdata.NewScenario()
	m := microaggregation.New()
	m.Decimals = numeric.Computed
	m.Variables, m.Method = []string{"income", "expend", "savings"}, how
	if how == microaggregation.RMD {
		m.Variables = m.Variables[:2] // most savings are 0: no robust covariance
	}
	for b.Loop() {
		if _, err := method.Apply(b.Context(), m, method.Input{Data: d, Scenario: &scenario}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
