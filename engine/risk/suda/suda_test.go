package suda_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk/suda"
)

func find(tb testing.TB, columns []*microdata.Column, o suda.Options) *suda.Result {
	tb.Helper()
	table, err := keys.New(context.Background(), columns, nil)
	if err != nil {
		tb.Fatal(err)
	}
	r, err := suda.Find(context.Background(), table, o, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// reference has the figures of sdcMicro for one file.
type reference struct {
	KeyVars  []string `json:"keyVars"`
	Fraction float64  `json:"dis_fraction"`
	Methods  map[string]struct {
		Score        []float64 `json:"score"`
		DIS          []float64 `json:"dis_score"`
		Contribution []struct {
			Variable     string
			Contribution float64
		} `json:"contribution_percent"`
	}
}

func (ref *reference) check(t *testing.T, name string) {
	data := golden.Data(t, name)
	if name == "survey" {
		data = generated.AgesCut(t, data) // as in the reference: 888 records have a score
	}
	for score, want := range ref.Methods {
		r := find(t, golden.Columns(data, ref.KeyVars...), suda.Options{Score: score, Fraction: ref.Fraction})
		for record, s := range want.Score {
			key := int(r.Table().Key(record))
			if math.Abs(r.Score(key)-s) > 1e-8*s {
				t.Fatalf("%s, %s: record %d scores %v, want %v", name, score, record+1, r.Score(key), s)
			}
			// The reference computes DIS-SUDA in single precision.
			if dis := want.DIS[record]; math.Abs(r.DIS(key)-dis) > 1e-6*math.Max(dis, 1e-3) {
				t.Fatalf("%s, %s: record %d has DIS-SUDA %v, want %v", name, score, record+1, r.DIS(key), dis)
			}
		}
		for v, c := range want.Contribution {
			if math.Abs(100*r.Variable[v]-c.Contribution) > 1e-8*c.Contribution {
				t.Errorf("%s, %s: %s contributes %v percent, want %v", name, score, c.Variable, 100*r.Variable[v], c.Contribution)
			}
			sum := 0.0
			for _, x := range r.Category[v] {
				sum += x
			}
			if math.Abs(sum-r.Variable[v]) > 1e-12 {
				t.Errorf("%s: the categories of %s contribute %v, the variable %v", name, c.Variable, sum, r.Variable[v])
			}
		}
	}
}

func TestGuide(t *testing.T) {
	var file struct{ Suda reference }
	golden.Reference(t, "guide10_suda", &file)
	file.Suda.check(t, "guide10")
	data := golden.Data(t, "guide10")
	columns := golden.Columns(data, file.Suda.KeyVars...)
	r := find(t, columns, suda.Options{Score: suda.IHSN, Fraction: 0.01})
	for record, dis := range map[int]float64{3: 0.005120313, 5: 0.010702061, 7: 0.005120313, 8: 0.008775093} {
		if got := r.DIS(int(r.Table().Key(record - 1))); math.Abs(got-dis) > 5e-10 {
			t.Errorf("record %d has DIS-SUDA %.9f, the guide prints %.9f", record, got, dis)
		}
	}
	// {Rural}; {Secondary complete, Unemployed}; {Female, Unemployed}; {Female, Secondary complete}
	if got := r.MSUs(int(r.Table().Key(4))); !slices.Equal(got, []uint64{1, 6, 10, 12}) {
		t.Errorf("record 5 has the minimal sample uniques %04b", got)
	}
	if r.U != 4 || r.P != 6 || math.Abs(r.Rate-0.04/(0.04+5.94)) > 1e-15 {
		t.Errorf("%d uniques, %d in pairs, DIS %v", r.U, r.P, r.Rate)
	}
	// four records have scores, all of them at most 0.1
	if rows := r.Intervals().Rows; rows[0][1] != 6 || rows[1][1] != 4 || len(rows) != 9 {
		t.Errorf("intervals of DIS-SUDA %v", rows)
	}
}

func TestSharedGolden(t *testing.T) {
	for _, name := range []string{"guide10", "francdat", "testdata", "survey"} {
		var file struct{ Suda reference }
		golden.Shared(t, name, &file)
		file.Suda.check(t, name)
	}
}

// naive returns the MSUs of a record of at most most variables by definition, comparing every set with every other
// record.
func naive(columns []*microdata.Column, record, most int) (msus []uint64) {
	unique := func(set uint64) bool {
		for rest := set; rest != 0; rest &= rest - 1 {
			if columns[bits.TrailingZeros64(rest)].Missing(record) {
				return false
			}
		}
		for other := range columns[0].Len() {
			same := other != record
			for rest := set; rest != 0; rest &= rest - 1 {
				codes := columns[bits.TrailingZeros64(rest)].Categories().Codes
				same = same && codes.At(record) == codes.At(other)
			}
			if same {
				return false
			}
		}
		return true
	}
	for set := uint64(1); set < 1<<len(columns); set++ {
		minimal := bits.OnesCount64(set) <= most && unique(set)
		for rest := set; minimal && rest != 0; rest &= rest - 1 {
			if without := set &^ (rest & -rest); without != 0 && unique(without) {
				minimal = false
			}
		}
		if minimal {
			msus = append(msus, set)
		}
	}
	return msus
}

func TestAgainstAllSets(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(rt, "records")
		q := rapid.IntRange(1, 6).Draw(rt, "variables")
		var columns []*microdata.Column
		for v := range q {
			levels := rapid.SampledFrom([]int{2, 3, 4, 5, 64, 64, 64, 65}).Draw(rt, "levels")
			c := &microdata.Categories{Codes: microdata.NewCodes(n, levels)}
			for i := range levels {
				c.Levels = append(c.Levels, microdata.Level{Label: fmt.Sprint("l", i), Value: math.NaN()})
			}
			for record := range n {
				if rapid.IntRange(0, 7).Draw(rt, "missing") > 0 {
					// Few codes, including the highest, so that groups are large.
					code := rapid.IntRange(1, min(levels, 5)).Draw(rt, "code")
					if code == 5 {
						code = levels
					}
					c.Codes.Set(record, uint32(code))
				}
			}
			columns = append(columns, microdata.NewCategorical(fmt.Sprint("v", v), microdata.Category, c))
		}
		most := rapid.IntRange(1, q).Draw(rt, "size")
		score := rapid.SampledFrom([]string{suda.Elliot, suda.IHSN}).Draw(rt, "score")
		r := find(t, columns, suda.Options{Score: score, MaxSize: most, Fraction: 0.1})
		for record := range n {
			key := int(r.Table().Key(record))
			got, want := r.MSUs(key), naive(columns, record, most)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				rt.Fatalf("record %d: %b, want %b", record, got, want)
			}
			if alone := suda.OfKey(r.Table(), key); most == q {
				slices.Sort(alone)
				if !slices.Equal(alone, want) {
					rt.Fatalf("record %d alone: %b, want %b", record, alone, want)
				}
			}
			sum := 0.0
			for _, set := range want {
				sum += definedWeight(score, q, most, bits.OnesCount64(set))
			}
			if math.Abs(sum-r.Score(key)) > 1e-9 {
				rt.Fatalf("record %d scores %v, want %v", record, r.Score(key), sum)
			}
		}
	})
}

// definedWeight returns the score of an MSU using factorials.
func definedWeight(score string, q, most, s int) float64 {
	if score == suda.IHSN {
		return (math.Pow(2, float64(q-s)) - 1) * math.Gamma(float64(s+1)) * math.Gamma(float64(q-s+1)) /
			math.Gamma(float64(q+1))
	}
	product := 1.0
	for i := s; i <= most && i < q; i++ {
		product *= float64(q - i)
	}
	return product
}

func TestNobodyUnique(t *testing.T) {
	in := generated.Rows(t, "aa", "aa", "bb", "bb", "  ")
	r := find(t, golden.Columns(in.Data, "a", "b"), suda.Options{Fraction: 0.01})
	if r.Scored != 0 || r.Highest != 0 || r.U != 1 || r.DIS(0) != 0 {
		t.Errorf("%+v", r)
	}
	in = generated.Rows(t, "a", "a")
	if r = find(t, golden.Columns(in.Data, "a"), suda.Options{Fraction: 0.01}); !math.IsNaN(r.Rate) || r.BySize[1] != 0 {
		t.Errorf("without uniques DIS is %v", r.Rate)
	}
	// One record without pairs: a unique match is certain.
	in = generated.Rows(t, "ab")
	if r = find(t, golden.Columns(in.Data, "a", "b"), suda.Options{Fraction: 0.01}); r.Rate != 1 || r.DIS(0) != 1 ||
		r.Score(0) != 2 {
		t.Errorf("a file of one record: DIS %v, score %v", r.Rate, r.Score(0))
	}
}

// Beyond 14 variables the default size is limited, and excessive searches are refused.
func TestManyVariables(t *testing.T) {
	for q, want := range map[int]int{1: 1, 8: 8, 14: 14, 15: 7, 16: 6, 20: 4, 64: 2} {
		if got := suda.LargestSize(q); got != want {
			t.Errorf("%d variables: up to %d, want %d", q, got, want)
		}
	}
	table, err := keys.New(context.Background(), golden.Columns(generated.Rows(t, "ab", "ba").Data, "a", "b"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, fraction := range []float64{0, 1, -1, math.NaN()} {
		if _, err := suda.Find(context.Background(), table, suda.Options{Fraction: fraction}, nil); !errors.Is(err,
			method.ErrParam) {
			t.Errorf("fraction %v: %v", fraction, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := suda.Find(ctx, table, suda.Options{Fraction: 0.1}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The explanation of a record shows the calculation with its values; the last line ends with the figure.
func TestExplanations(t *testing.T) {
	data := golden.Data(t, "guide10")
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"Residence", "Gender", "Educ", "Lstat"}
	v := measure.NewVersion(data, &scenario, nil)
	m := suda.Spec().New()
	values, err := m.Compute(context.Background(), measure.Input{Original: v, Current: v}, nil)
	if err != nil {
		t.Fatal(err)
	}
	entry := measure.Entry{Spec: suda.Spec(), Values: values}
	for record := range data.Len() {
		for _, column := range []string{"suda_score", "suda_dis_score"} {
			e := entry.Explain(measure.FigureKey{Column: column, Record: record})
			last := e.Values[len(e.Values)-1]
			if !strings.HasSuffix(last, "= "+e.Value) {
				t.Errorf("record %d: %s is explained by %q", record+1, e.Value, last)
			}
		}
	}
	// 3 subsets of one variable: 3 × 2 × 1; of two: 2 × 1 each.
	if e := entry.Explain(measure.FigureKey{Column: "suda_score", Record: 4}); e.Values[len(e.Values)-1] != "1 × 6.00 + 3 × 2.00 = 12.00" {
		t.Errorf("record 5: %q", e.Values)
	}
	dis := values.Numbers[3]
	if e := entry.Explain(measure.FigureKey{Value: dis}); e.Values[1] != "DIS = 4 × 0.01 / (4 × 0.01 + 6 × 0.99) = 0.0067" {
		t.Errorf("DIS: %q", e.Values)
	}
}

// BenchmarkFind searches the survey's eight key variables, and sixteen.
func BenchmarkFind(b *testing.B) {
	eight := []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic", "occup"}
	sixteen := append(slices.Clone(eight), "hsize", "roof", "walls", "water", "electcon", "relat", "relig", "health")
	for _, c := range []struct {
		rows  int
		names []string
	}{{50_000, eight}, {1_000_000, eight}, {5_000, sixteen}, {50_000, sixteen}} {
		b.Run(fmt.Sprintf("rows=%d/keys=%d", c.rows, len(c.names)), func(b *testing.B) {
			table, err := keys.New(context.Background(), golden.Columns(generated.Survey(b, c.rows, 7, c.names...), c.names...),
				nil)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				r, err := suda.Find(context.Background(), table, suda.Options{Fraction: 0.01}, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(len(r.MSUs(0))), "first")
				b.ReportMetric(float64(r.Scored), "scored")
			}
		})
	}
}

// A file without records has no uniques, which is not an error.
func TestFindWithoutRecords(t *testing.T) {
	names := []string{"region", "sex", "age"}
	none := generated.Survey(t, 5, 7, names...).Select(nil)
	table, err := keys.New(t.Context(), golden.Columns(none, names...), nil)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := suda.Find(t.Context(), table, suda.Options{Fraction: 0.01}, nil); err != nil || r.Scored != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
