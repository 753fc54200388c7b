package linkage

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// tester is the common interface of *testing.T, *testing.B and *rapid.T.
type tester interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Context() context.Context
}

func compute(t tester, m *Linkage, was, now *microdata.Dataset) measure.Entry {
	t.Helper()
	scenario := microdata.NewScenario()
	in := measure.Input{Original: measure.NewVersion(was, &scenario, nil),
		Current: measure.NewVersion(now, &scenario, nil)}
	entry, err := Spec().Compute(t.Context(), in, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(1, math.Abs(b)) }

// Computed by hand.
func TestByHand(t *testing.T) {
	l := linker{masked: [][]float64{{0.4, 0, 2, 3, 7}}, known: [][]float64{{0, 1, 2, 2, 4}}, truth: []int{0, 1, 2, 3, 4}}
	found, err := l.byDistance(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	// 0.4 is nearest to 0; 0 to 0, not 1; 2 to two of 2; 3 is equally near to 2, 2 and 4; 7 to 4
	for i, want := range []float64{1, 0, 0.5, 1.0 / 3, 1} {
		if found[i] != want {
			t.Errorf("masked record %d is found with %v, want %v", i+1, found[i], want)
		}
	}
	if got := l.share(found); !near(got, (1+0.5+1.0/3+1)/5) {
		t.Errorf("share %v", got)
	}
}

// Counting all pairs gives the same evidence, best pairs and shares.
func TestNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, n := rapid.IntRange(1, 3).Draw(t, "p"), rapid.IntRange(2, 25).Draw(t, "n")
		x, y, truth := make([][]float64, p), make([][]float64, p), make([]int, n)
		for j := range p {
			x[j] = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
				return float64(rapid.IntRange(0, 40).Draw(t, "x")) /
					16
			}), n, n).Draw(t, "x")
			y[j] = make([]float64, n)
			for i := range n {
				truth[i] = i
				y[j][i] = x[j][i] + float64(rapid.IntRange(-3, 3).Draw(t, "e"))/32
			}
		}
		l := linker{masked: y, known: x, truth: truth}
		byDistance, err := l.byDistance(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		probable, err := l.byProbability(t.Context(), &Linkage{FalseLinks: 0.05, MissedLinks: 0.1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		checkKinds(t, &l, probable)
		for j, e := range probable.of {
			checkEvidence(t, &e, x[j], y[j])
		}
		for i := range n {
			distance := func(k int) (sum float64) {
				for j := range p {
					sum += (y[j][i] - x[j][k]) * (y[j][i] - x[j][k])
				}
				return sum
			}
			against := func(k int) (sum float64) {
				for j, e := range probable.of {
					sum += e.weight[0] - e.weight[levelOf(math.Abs(y[j][i]-x[j][k]))]
				}
				return sum
			}
			if want := naive(n, i, distance); byDistance[i] != want {
				t.Fatalf("by distance record %d is found with %v, want %v", i, byDistance[i], want)
			}
			if want := naive(n, i, against); probable.found[i] != want {
				t.Fatalf("by probability record %d is found with %v, want %v", i, probable.found[i], want)
			}
		}
	})
}

// checkKinds counts the best pairs above the limits, by the sums of their weights.
func checkKinds(t *rapid.T, l *linker, p *probabilisticResult) {
	links, possible, right := 0, 0, 0.0
	for i := range l.truth {
		best := math.Inf(-1)
		for k := range l.truth {
			sum := 0.0
			for j, e := range p.of {
				sum += e.weight[levelOf(math.Abs(l.masked[j][i]-l.known[j][k]))]
			}
			best = math.Max(best, sum)
		}
		switch {
		case math.Abs(best-p.linkLimit) < 1e-9 || math.Abs(best-p.noneLimit) < 1e-9:
			return // rounding error decides
		case best >= p.linkLimit:
			links++
			right += p.found[i]
		case best >= p.noneLimit:
			possible++
		}
	}
	if p.links != links || p.possible != possible || p.correct != int(math.Round(right)) {
		t.Fatalf("%d links, %d right, %d possible; want %d, %v and %d", p.links, p.correct, p.possible, links, right,
			possible)
	}
}

// naive returns the probability that record i is the minimum of all by some order, with ties split.
func naive(n, i int, by func(k int) float64) float64 {
	ties := 0
	for k := range n {
		switch d := by(k); {
		case d < by(i):
			return 0
		case d == by(i):
			ties++
		}
	}
	return 1 / float64(ties)
}

// checkEvidence computes m and u of a variable over all pairs.
func checkEvidence(t *rapid.T, e *evidence, x, y []float64) {
	var m, u [levels]float64
	n := len(x)
	for i := range n {
		for k := range n {
			if level := levelOf(math.Abs(y[i] - x[k])); i == k {
				m[level]++
			} else {
				u[level]++
			}
		}
	}
	for level := range levels {
		half := 0.5 * float64(levels)
		if wantM, wantU := (m[level]+0.5)/(float64(n)+half), (u[level]+0.5)/(float64(n*n-n)+half); !near(e.m[level], wantM) ||
			!near(e.u[level], wantU) {
			t.Fatalf("step %d: m %v and u %v, want %v and %v", level, e.m[level], e.u[level], wantM, wantU)
		}
		if level > 0 && e.weight[level] > e.weight[level-1]+1e-12 {
			t.Fatalf("the weights rise with the difference: %v", e.weight)
		}
	}
}

// The limits correspond to the two accepted probabilities over all combinations of levels.
func TestLimits(t *testing.T) {
	p := &probabilisticResult{of: []evidence{evidenceOf([]float64{0, 1, 2, 3, 4.005}, []float64{0, 1.04, 2, 3.3, 4},
		[]int{0, 1, 2, 3, 4}),
		evidenceOf([]float64{5, 1, 4, 2, 2}, []float64{5, 1, 4.4, 2, 2}, []int{0, 1, 2, 3, 4})}}
	m := &Linkage{FalseLinks: 0.1, MissedLinks: 0.2}
	p.limits(&Linkage{FalseLinks: 0.9, MissedLinks: 0.9})
	if !(p.noneLimit <= p.linkLimit) {
		t.Errorf("pairs from %v on are links, those below %v none", p.linkLimit, p.noneLimit)
	}
	p.limits(m)
	above, below, next := 0.0, 0.0, 0.0
	for a := range levels {
		for b := range levels {
			sum := math.Floor(p.of[0].weight[a]/fine)*fine + math.Floor(p.of[1].weight[b]/fine)*fine
			if sum >= p.linkLimit {
				above += p.of[0].u[a] * p.of[1].u[b]
			}
			if sum < p.noneLimit {
				below += p.of[0].m[a] * p.of[1].m[b]
			}
			if sum <= p.noneLimit {
				next += p.of[0].m[a] * p.of[1].m[b]
			}
		}
	}
	if above > m.FalseLinks || above == 0 {
		t.Errorf("wrong pairs are links with %v", above)
	}
	if below > m.MissedLinks || p.noneLimit < p.linkLimit && next <= m.MissedLinks {
		t.Errorf("right pairs are none with %v, with the next sum %v", below, next)
	}
}

// For an external file a variable in both files identifies persons, and weights of variables are used.
func TestExternalFile(t *testing.T) {
	read := func(text string) *microdata.Dataset { return golden.Parse(t, strings.NewReader(text)) }
	was := read("who,a,b\np,1,9\nq,2,8\nr,3,7\ns,,6\n")
	now := read("who,a,b\np,1.1,9\nq,2.2,8\nr,2.4,7\ns,,6\n")
	m := &Linkage{Variables: []string{"a", "b"}, FalseLinks: 0.01, MissedLinks: 0.05,
		External: "who;b;a\nr;7;3\nx;6;1\nq;8;2\nq2;1;50\n"}
	e := compute(t, m, was, now)
	if v := e.Value("external", 0); v.Text() != "no ID variable" {
		t.Errorf("without identifiers %v", v.Text())
	}
	m.ID = "who"
	e = compute(t, m, was, now)
	if got := e.Value("external_known", 0).Number; got != 2 {
		t.Errorf("%v are known, want 2: q and r", got)
	}
	if got, records := e.Value("external", 0).Number, e.Value("external_records", 0).Number; !(got >= 0 && got <= 1) ||
		records != 4 {
		t.Errorf("found %v of %v", got, records)
	}
	if !math.IsNaN(e.Values.Record(0)(3)) || e.Values.Record(0)(0) < 0 {
		t.Error("a record without a value is linked")
	}
	for text, want := range map[string]string{"who,a\np,1\n": `no variable "b"`, "a,b\n1,2\n3,4\n": `no variable "who"`,
		"who,a,b\np,x,1\n": `"a" is not a numeric variable there`} {
		m.External = text
		scenario := microdata.NewScenario()
		in := measure.Input{Original: measure.NewVersion(was, &scenario, nil),
			Current: measure.NewVersion(now, &scenario, nil)}
		if _, err := Spec().Compute(t.Context(), in, m, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	m = &Linkage{Variables: []string{"a", "b"}, Weights: []float64{1}}
	if e := compute(t, m, was, now); e.NotApplicable != "there are 1 weights for 2 variables" {
		t.Errorf("%q", e.NotApplicable)
	}
}

// By hand: of -3, -1, 1 and 3 the first two are nearest to -√(10/3), in another unit in the file, whose only
// nearest is -1; in a file of equal pairs no record has a single nearest one.
func TestExternalByHand(t *testing.T) {
	read := func(text string) *microdata.Dataset { return golden.Parse(t, strings.NewReader(text)) }
	ours := read("who,a\np,-3\nq,-1\n,1\nd,3\n")
	m := &Linkage{Variables: []string{"a"}, ID: "who", External: "who,a\np,81.7425814165\n,118.2574185835\n"}
	e := compute(t, m, ours, ours)
	for name, want := range map[string]float64{"external_single": 4, "external_mutual": 2, "external_known": 1,
		"external": 1, "external_records": 2} {
		if got := e.Value(name, 0).Number; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	pairs := read("who,a\np,0\nq,0\nr,6\ns,6\n")
	m.External = "who,a\np,0\nx,0\ny,6\nq,6\n"
	e = compute(t, m, pairs, pairs)
	// p is one of two at its position, q at the other
	for name, want := range map[string]float64{"external_single": 0, "external_mutual": 0, "external_known": 2,
		"external": 0.25} {
		if got := e.Value(name, 0).Number; got != want {
			t.Errorf("of equal pairs %s is %v, want %v", name, got, want)
		}
	}
}

// A variable with weight 0 is ignored in distances.
func TestWeights(t *testing.T) {
	was, now := golden.Numbers(t, [][]float64{{1, 2, 3, 4}, {4, 1, 3, 2}}), golden.Numbers(t,
		[][]float64{{1, 2, 3, 4}, {1, 4, 2, 3}})
	found := func(weights ...float64) float64 {
		e := compute(t, &Linkage{Variables: []string{"a", "b"}, Weights: weights}, was, now)
		return e.Value("linkage", 0).Number
	}
	if a, b := found(1, 0), found(0, 1); a != 1 || b != 0 {
		t.Errorf("by a alone %v, by b alone %v", a, b)
	}
	// weights apply to squares
	if got := (&Linkage{Weights: []float64{4}}).scaled([][]float64{{1, 2, 3}}); got[0][0] != -2 || got[0][2] != 2 {
		t.Errorf("with the weight 4 standardised values are %v", got)
	}
}

// Very few records, and constant variables, have well-defined results.
func TestPlainAnswers(t *testing.T) {
	for _, values := range [][]float64{{}, {1}, {5, 5, 5}, {math.NaN(), math.Inf(1)}} {
		data := golden.Numbers(t, [][]float64{values, values})
		e := compute(t, &Linkage{Variables: []string{"a", "b"}}, data, data)
		want := map[int]float64{1: 1, 3: 1.0 / 3}[len(values)]
		if got := e.Value("linkage", 0).Number; want == 0 && !math.IsNaN(got) || want > 0 && !near(got, want) {
			t.Errorf("%v: found %v", values, got)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	was, now := golden.Masked(t, 5000)
	scenario := microdata.NewScenario()
	in := measure.Input{Original: measure.NewVersion(was, &scenario, nil),
		Current: measure.NewVersion(now, &scenario, nil)}
	if _, err := Spec().Compute(ctx, in, &Linkage{Variables: []string{"a", "b", "c"}}, nil); err == nil {
		t.Error("a cancelled linkage has no error")
	}
}

// Distance-based linkage of 100,000 records with 100,000 on three variables takes at most a second.
func BenchmarkLinkage(b *testing.B) {
	was, now := golden.Masked(b, 100_000)
	values := func(data *microdata.Dataset) [][]float64 {
		var all [][]float64
		for _, column := range data.Columns() {
			all = append(all, column.StoredAsNumbers().Values)
		}
		return stat.Standardised(all)
	}
	l := linker{masked: values(now), known: values(was), truth: make([]int, 100_000)}
	for i := range l.truth {
		l.truth[i] = i
	}
	b.Run("distance", func(b *testing.B) {
		for b.Loop() {
			if _, err := l.byDistance(b.Context(), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("probability", func(b *testing.B) {
		for b.Loop() {
			if _, err := l.byProbability(b.Context(), New(), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
