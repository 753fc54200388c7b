package microaggregation

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// naiveMDAV compares all remaining records in every step.
func naiveMDAV(variables [][]float64, size int) groups {
	n := len(variables[0])
	var left []uint32
	for i := range n {
		left = append(left, uint32(i))
	}
	variances := make([]float64, len(variables))
	for j := range variables {
		variances[j] = stat.Variance(variables[j])
	}
	distance := func(at []float64, record uint32) float64 {
		sum := 0.0
		for j := range variables {
			if d := at[j] - variables[j][record]; variances[j] > 0 {
				sum += d * d / variances[j]
			}
		}
		return sum
	}
	point := func(record uint32) []float64 {
		at := make([]float64, len(variables))
		for j := range at {
			at[j] = variables[j][record]
		}
		return at
	}
	farthest := func(at []float64) uint32 {
		best, found := -1.0, uint32(0)
		for _, record := range left {
			if d := distance(at, record); d > best {
				best, found = d, record
			}
		}
		return found
	}
	var g groups
	group := func(r uint32) {
		at, near := point(r), nearest{wanted: size}
		for _, record := range slices.Backward(left) { // of equally near records the highest
			near.offer(distance(at, record), record)
		}
		g.records = append(g.records, near.records...)
		g.close()
		left = slices.DeleteFunc(left, func(record uint32) bool { return slices.Contains(near.records, record) })
	}
	for len(left) >= 2*size {
		two := len(left) >= 3*size
		center := make([]float64, len(variables))
		for j := range center {
			var sum exactSum
			for _, record := range left {
				sum.add(variables[j][record])
			}
			center[j] = sum.over(len(left))
		}
		r := farthest(center)
		s := farthest(point(r))
		group(r)
		if two {
			if !slices.Contains(left, s) {
				s = farthest(point(r))
			}
			group(s)
		}
	}
	g.records = append(g.records, left...)
	g.close()
	return g
}

// The tree gives the same groups in the same order as comparing all pairs of records, whatever ties there are.
func TestMDAVEqualsNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 150).Draw(t, "records")
		p := rapid.IntRange(1, 4).Draw(t, "variables")
		size := rapid.IntRange(2, 6).Draw(t, "size")
		different := rapid.SampledFrom([]int{1, 2, 5, 1000}).Draw(t, "values")
		variables := make([][]float64, p)
		for j := range variables {
			variables[j] = make([]float64, n)
			for i := range n {
				variables[j][i] = float64(rapid.IntRange(0, different).Draw(t, "value")) / 4
			}
		}
		got, err := mdav(context.Background(), variables, size, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := naiveMDAV(variables, size)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(groups{})); diff != "" {
			t.Errorf("groups (-naive +got):\n%s", diff)
		}
	})
}

// complete returns the complete records of three variables of a generated survey.
func complete(tb testing.TB, persons int) [][]float64 {
	tb.Helper()
	data := generated.Survey(tb, persons, 7, "income", "expend", "savings")
	variables := make([][]float64, 3)
	for i := range data.Len() {
		record := make([]float64, 3)
		for j, column := range data.Columns() {
			record[j] = column.Float(i)
		}
		if !math.IsNaN(record[0] + record[1] + record[2]) {
			for j, x := range record {
				variables[j] = append(variables[j], x)
			}
		}
	}
	return variables
}

// The same holds for a file of many records with ties: zeros and rounded amounts.
func TestMDAVOnSurvey(t *testing.T) {
	persons := 15_000
	if !longtests.Wanted() {
		persons = 5_000
	}
	variables := complete(t, persons)
	got, err := mdav(context.Background(), variables, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := naiveMDAV(variables, 3); !slices.Equal(want.records, got.records) || !slices.Equal(want.ends, got.ends) {
		t.Error("the groups are others than those of comparing all with all")
	}
}

func benchmarkMDAV(b *testing.B, persons int) {
	variables := complete(b, persons)
	b.ReportMetric(float64(len(variables[0])), "records")
	for b.Loop() {
		if _, err := mdav(context.Background(), variables, 3, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMDAV(b *testing.B)        { benchmarkMDAV(b, 50_000) }
func BenchmarkMDAVMillion(b *testing.B) { benchmarkMDAV(b, 1_290_000) }
