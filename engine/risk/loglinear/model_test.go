package loglinear_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk/loglinear"
)

func version(data *microdata.Dataset, weight string, keys ...string) *measure.Version {
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight = keys, weight
	return measure.NewVersion(data, &scenario, nil)
}

// The global risks are those of sdcMicro, which stops its iterations early.
func TestSharedGolden(t *testing.T) {
	for _, name := range []string{"survey", "testdata"} {
		var file struct {
			Model struct {
				Formula, Weight string
				Results         map[string]struct{ GR1, GR2 *float64 }
			} `json:"model_risk"`
		}
		golden.Shared(t, name, &file)
		data := golden.Data(t, name)
		if name == "survey" {
			data = generated.AgesCut(t, data)
		}
		v := version(data, file.Model.Weight)
		m := &loglinear.Measure{Formula: file.Model.Formula, Variants: loglinear.Variants(), As: loglinear.AsSdcMicro}
		values, err := m.Compute(context.Background(), measure.Input{Original: v, Current: v}, nil)
		if err != nil {
			t.Fatal(err)
		}
		found := values.Result.(*loglinear.Result)
		for i, variant := range found.Variants {
			reference := variant
			if variant == loglinear.Weighted {
				reference = "weightedLLM"
			}
			want := file.Model.Results[reference]
			gr1, gr2 := 0.0, 0.0 // testdata: no cell has one record
			if want.GR1 != nil {
				gr1, gr2 = *want.GR1, *want.GR2
			}
			if math.Abs(found.Tau1[i]-gr1) > 1e-6*gr1 || math.Abs(found.Tau2[i]-gr2) > 1e-6*gr2 {
				t.Errorf("%s, %s: %v and %v, want %v and %v", name, variant, found.Tau1[i], found.Tau2[i], gr1, gr2)
			}
		}
	}
}

// newton fits a Poisson log-linear model by Newton's method on its design matrix, independently of margins.
func newton(design *mat.Dense, counts, offset []float64) []float64 {
	n, p := design.Dims()
	beta, fitted := mat.NewVecDense(p, nil), make([]float64, n)
	for range 200 {
		score, information := mat.NewVecDense(p, nil), mat.NewSymDense(p, nil)
		for cell := range n {
			eta := offset[cell]
			for j := range p {
				eta += design.At(cell, j) * beta.AtVec(j)
			}
			fitted[cell] = math.Exp(eta)
			for j := range p {
				score.SetVec(j, score.AtVec(j)+design.At(cell, j)*(counts[cell]-fitted[cell]))
				for k := j; k < p; k++ {
					information.SetSym(j, k, information.At(j, k)+design.At(cell, j)*design.At(cell, k)*fitted[cell])
				}
			}
		}
		var chol mat.Cholesky
		step := mat.NewVecDense(p, nil)
		if !chol.Factorize(information) || chol.SolveVecTo(step, score) != nil {
			return nil
		}
		length := math.Max(1, mat.Norm(step, 2)/2)
		beta.AddScaledVec(beta, 1/length, step)
	}
	return fitted
}

// The fitted counts of all variants with an interaction equal those of Newton's method.
func TestAgainstNewton(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		levels := [3]int{2, rapid.IntRange(2, 3).Draw(rt, "b"), 2}
		var columns [4][]string
		weights := map[[3]int][]float64{}
		for a := range levels[0] {
			for b := range levels[1] {
				for c := range levels[2] {
					for range rapid.IntRange(1, 4).Draw(rt, "count") {
						w := float64(rapid.IntRange(5, 40).Draw(rt, "weight"))
						for i, x := range []int{a, b, c} {
							columns[i] = append(columns[i], string(rune('p'+x)))
						}
						columns[3] = append(columns[3], method.FormatNumber(w))
						weights[[3]int{a, b, c}] = append(weights[[3]int{a, b, c}], w)
					}
				}
			}
		}
		var made []*microdata.Column
		for i, name := range []string{"a", "b", "c", "w"} {
			made = append(made, golden.Column(t, name, columns[i]))
		}
		data, err := microdata.NewDataset(made)
		if err != nil {
			rt.Fatal(err)
		}
		f, err := loglinear.ParseFormula("~ a*b + c")
		if err != nil {
			rt.Fatal(err)
		}
		cells, err := loglinear.NewCells(context.Background(), version(data, "w"), f)
		if err != nil {
			rt.Fatal(err)
		}
		var rows [][]float64
		n := levels[0] * levels[1] * levels[2]
		plain, scaled, offset, zero := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
		sum, records, cell := 0.0, 0.0, 0
		var predictor []float64
		for a := range levels[0] {
			for b := range levels[1] {
				for c := range levels[2] {
					row := make([]float64, levels[0]*levels[1]+1)
					row[a*levels[1]+b], row[len(row)-1] = 1, float64(c)
					rows = append(rows, row)
					of := weights[[3]int{a, b, c}]
					w := 0.0
					for _, x := range of {
						w += x
					}
					plain[cell], scaled[cell], offset[cell] = float64(len(of)), w, math.Log(float64(len(of))/w+0.1)
					predictor = append(predictor, w/100)
					sum, records = sum+w, records+float64(len(of))
					cell++
				}
			}
		}
		for i := range scaled {
			scaled[i] = math.RoundToEven(scaled[i] * records / sum)
		}
		design := func(extra []float64, main bool) *mat.Dense {
			out := mat.NewDense(n, len(rows[0])+map[bool]int{true: 1}[extra != nil], nil)
			for i, row := range rows {
				if main {
					ab := slices.Index(row[:len(row)-1], 1)
					row = append([]float64{1, float64(ab / levels[1])}, row[len(row)-1])
					for b := 1; b < levels[1]; b++ {
						row = append(row, map[bool]float64{true: 1}[ab%levels[1] == b])
					}
				}
				out.SetRow(i, append(slices.Clone(row), append(slices.Clone(extra), zero...)...)[:out.RawMatrix().Cols])
				if extra != nil {
					out.Set(i, len(rows[0]), extra[i])
				}
			}
			return out
		}
		mainDesign := func() *mat.Dense {
			full := design(nil, true)
			return mat.DenseCopyOf(full.Slice(0, n, 0, 2+levels[1]))
		}
		for variant, want := range map[string][]float64{
			loglinear.Default: newton(design(nil, false), plain, zero), loglinear.CE: newton(design(nil, false), plain, offset),
			loglinear.PML: newton(design(nil, false), scaled, zero), loglinear.Weighted: newton(design(predictor, false), plain,
				zero),
			loglinear.IPF: newton(mainDesign(), plain, zero)} {
			got, err := cells.Fit(context.Background(), variant)
			if want == nil {
				continue // the weights depend on the terms
			}
			if err != nil {
				rt.Fatalf("%s: %v", variant, err)
			}
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-6*math.Max(1, want[i]) {
					rt.Fatalf("%s: cell %d has %v, want %v", variant, i, got[i], want[i])
				}
			}
		}
	})
}

// Two independent variables have fitted counts row times column over total; the sums are by hand.
func TestByHand(t *testing.T) {
	in := generated.Rows(t, "ax", "ax", "ay", "bx", "bx", "bx", "by", " x")
	weights := golden.Column(t, "w", []string{"4", "4", "4", "4", "4", "4", "4", "4"})
	data, err := microdata.NewDataset(append(slices.Clone(in.Data.Columns()), weights))
	if err != nil {
		t.Fatal(err)
	}
	v := version(data, "w", "a", "b")
	m := loglinear.Spec().New()
	values, err := m.Compute(context.Background(), measure.Input{Original: v, Current: v}, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Fitted: a y 3×2/7, b y 4×2/7; p = 1/4, v = (3/4) lambda / (1/4) = 3 lambda.
	va, vb := 3.0*6/7, 3.0*8/7
	tau1 := math.Exp(-va) + math.Exp(-vb)
	tau2 := (1-math.Exp(-va))/va + (1-math.Exp(-vb))/vb
	if math.Abs(values.Numbers[0].Number-tau1) > 1e-12 || math.Abs(values.Numbers[1].Number-tau2) > 1e-12 {
		t.Errorf("%v and %v, want %v and %v", values.Numbers[0].Number, values.Numbers[1].Number, tau1, tau2)
	}
	// At a fraction of 1/4 the population uniques are tau 1.
	if got := values.Result.(*loglinear.Result).Cells.PopulationUniques(values.Result.(*loglinear.Result).Fitted[0],
		0.25); math.Abs(got-tau1) > 1e-12 {
		t.Errorf("%v population uniques, want %v", got, tau1)
	}
	if e := (&measure.Entry{Spec: loglinear.Spec(), Values: values}).Explain(measure.FigureKey{Value: values.Numbers[0]}); e.Values[len(e.Values)-1] != "0.0764263 + 0.0324332 = "+values.Numbers[0].Text() {
		t.Errorf("%+v", e)
	}
}

// A record with a weight below 1 is certainly in the sample and represents itself in the population.
func TestWeightsBelowOne(t *testing.T) {
	cells := &loglinear.Cells{Count: []float64{1, 3}, Weight: []float64{0.5, 9}, Filled: 2}
	if tau1, tau2 := cells.Risk([]float64{2, 2}, false); tau1 != 1 || tau2 != 1 {
		t.Errorf("tau 1 %v, tau 2 %v, want 1", tau1, tau2)
	}
}

func TestFormulas(t *testing.T) {
	for text, terms := range map[string][]uint64{"a+b": {1, 2}, "~a + b*c": {1, 6}, "a:b + a + c": {3, 4}, " a ": {1},
		"a+a": {1}} {
		if f, err := loglinear.ParseFormula(text); err != nil || !slices.Equal(f.Terms, terms) {
			t.Errorf("%q: %b, %v", text, f.Terms, err)
		}
	}
	for _, text := range []string{"", "a++b", "a + :", "~"} {
		if _, err := loglinear.ParseFormula(text); !errors.Is(err, method.ErrParam) {
			t.Errorf("%q: %v", text, err)
		}
	}
	in := generated.Rows(t, "ab")
	for formula, want := range map[string]error{"a+nobody": microdata.ErrScenario, "a+": method.ErrParam} {
		v := version(in.Data, "", "a")
		if _, err := (&loglinear.Measure{Formula: formula}).Compute(context.Background(),
			measure.Input{Original: v, Current: v}, nil); !errors.Is(err, want) {
			t.Errorf("%s: %v", formula, err)
		}
	}
	// A sample unique in a file without weights is certain.
	v := version(in.Data, "", "a", "b")
	values, err := loglinear.Spec().New().Compute(context.Background(), measure.Input{Original: v, Current: v}, nil)
	if err != nil || values.Numbers[0].Number != 1 || values.Numbers[1].Number != 1 {
		t.Errorf("%+v, %v", values.Numbers, err)
	}
}

// BenchmarkModel fits all variants to a million records.
func BenchmarkModel(b *testing.B) {
	data := generated.Survey(b, 1_000_000, 7, append(generated.Keys(), "weight")...)
	m := &loglinear.Measure{Formula: "region+urbrur+sex+age", Variants: loglinear.Variants(), As: loglinear.AsRecords}
	for b.Loop() {
		v := version(data, "weight", generated.Keys()...)
		if _, err := m.Compute(context.Background(), measure.Input{Original: v, Current: v}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
