package linkage

import (
	"math"
	"math/rand/v2"
	"testing"
)

// noisy returns a file of p variables and n records, masked by noise.
func noisy(n, p int, noise float64) *linker {
	draw := rand.New(rand.NewPCG(3, uint64(n)))
	l := &linker{masked: make([][]float64, p), known: make([][]float64, p), truth: make([]int, n)}
	for i := range n {
		l.truth[i] = i
		for j := range p {
			x := draw.NormFloat64()
			l.known[j], l.masked[j] = append(l.known[j], x), append(l.masked[j], x+noise*draw.NormFloat64())
		}
	}
	return l
}

// EM over single pairs gives the same m and u as over the patterns of levels.
func TestFreeEMPairByPair(t *testing.T) {
	l := noisy(40, 2, 0.05)
	n, p := 40, 2
	var of [2]evidence
	share := 1 / float64(n)
	level := func(j, i, k int) int { return levelOf(math.Abs(l.masked[j][i] - l.known[j][k])) }
	for j := range p {
		for at := range levels {
			of[j].m[at] = math.Exp2(-float64(at)) / (2 - math.Exp2(1-float64(levels)))
		}
		for i := range n {
			for k := range n {
				of[j].u[level(j, i, k)] += 1 / float64(n*n)
			}
		}
	}
	for range rounds {
		var next [2]evidence
		right := 0.0
		for i := range n {
			for k := range n {
				a, b := share, 1-share
				for j := range p {
					a, b = a*of[j].m[level(j, i, k)], b*of[j].u[level(j, i, k)]
				}
				w := a / (a + b)
				right += w
				for j := range p {
					next[j].m[level(j, i, k)] += w
					next[j].u[level(j, i, k)] += 1 - w
				}
			}
		}
		for j := range p {
			for at := range levels {
				next[j].m[at] /= right
				next[j].u[at] /= float64(n*n) - right
			}
		}
		before := share
		of, share = next, right/float64(n*n)
		if math.Abs(share-before) < changed {
			break
		}
	}
	for j, got := range l.free() {
		of[j].smooth(share*float64(n*n), float64(n*n))
		for at := range levels {
			if math.Abs(got.m[at]-of[j].m[at]) > 1e-6 || math.Abs(got.u[at]-of[j].u[at]) > 1e-6 {
				t.Errorf("variable %d, step %d: m %v and %v, u %v and %v", j+1, at, got.m[at], of[j].m[at], got.u[at], of[j].u[at])
			}
		}
	}
}

// The result of EM does not depend on the true matches and, if masking changed values little, equals the result
// with them.
func TestFreeEMNeedsNoTruth(t *testing.T) {
	l := noisy(200, 3, 0.02)
	of := l.free()
	free, err := l.byEvidence(t.Context(), New(), of, nil)
	if err != nil {
		t.Fatal(err)
	}
	known, err := l.byProbability(t.Context(), New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := l.share(free.found), l.share(known.found); a < b-0.05 || b < 0.5 {
		t.Errorf("found by EM %v, with the truth %v", a, b)
	}
	for i := range l.truth {
		l.truth[i] = (i + 7) % len(l.truth)
	}
	for j, again := range l.free() {
		if again != of[j] {
			t.Error("the evidence depends on the truth")
		}
	}
}
