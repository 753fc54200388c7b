package linkage

import (
	"math"
	"slices"
)

// mostFree is the number of records of either file whose pairs free EM looks at: a million.
const mostFree = 1000

// rounds is how often EM weighs the pairs anew at most; changed is the change of the share of
// right pairs below which it ends.
const (
	rounds  = 500
	changed = 1e-10
)

// pattern is the steps of the variables of a pair, and how many pairs have them.
type pattern struct {
	levels []uint8
	pairs  float64
}

// free is what EM finds of m, u and the share of right pairs without knowing any: what somebody
// can do who does not have the truth. The class that it takes for the right pairs need not be
// theirs. Pairs are those of up to mostFree records of each file, at even distances.
// [Winkler 1988, Proceedings of the Section on Survey Research Methods, ASA, 667-671]
func (l *linking) free() []evidence {
	patterns, pairs := l.patterns()
	p := len(l.masked)
	of := make([]evidence, p)
	for j := range p { // to begin with, right pairs are near to each other, and wrong ones as all are
		sum := 2 - math.Exp2(1-float64(levels))
		for level := range levels {
			of[j].m[level] = math.Exp2(-float64(level)) / sum
		}
		for _, at := range patterns {
			of[j].u[at.levels[j]] += at.pairs / pairs
		}
	}
	share := math.Sqrt(pairs) / pairs
	for range rounds {
		next, right := make([]evidence, p), 0.0
		for _, at := range patterns {
			ofRight, ofWrong := share, 1-share
			for j, level := range at.levels {
				ofRight *= of[j].m[level]
				ofWrong *= of[j].u[level]
			}
			probability := 0.0
			if ofRight > 0 {
				probability = ofRight / (ofRight + ofWrong)
			}
			right += float64(probability * at.pairs)
			for j, level := range at.levels {
				next[j].m[level] += float64(probability * at.pairs)
				next[j].u[level] += float64((1 - probability) * at.pairs)
			}
		}
		if right <= 0 || right >= pairs {
			break
		}
		for j := range next {
			for level := range levels {
				next[j].m[level] /= right
				next[j].u[level] /= pairs - right
			}
		}
		before := share
		of, share = next, right/pairs
		if math.Abs(share-before) < changed {
			break
		}
	}
	for j := range of {
		of[j].smooth(share*pairs, pairs)
		of[j].pool()
	}
	return of
}

// smooth adds half a pair to each step, so that one that did not occur has a weight.
func (e *evidence) smooth(right, pairs float64) {
	for level := range levels {
		e.m[level] = (float64(e.m[level]*right) + 0.5) / (right + float64(levels)/2)
		e.u[level] = (float64(e.u[level]*(pairs-right)) + 0.5) / (pairs - right + float64(levels)/2)
	}
}

// patterns counts the pairs of the records that free EM looks at, by the steps of all variables, in
// the order in which they occur.
func (l *linking) patterns() (patterns []pattern, pairs float64) {
	some := func(n int) (records []int) {
		for k := range min(n, mostFree) {
			records = append(records, k*n/min(n, mostFree))
		}
		return records
	}
	places, steps := map[string]int{}, make([]uint8, len(l.masked))
	known := some(len(l.known[0]))
	for _, i := range some(len(l.truth)) {
		for _, k := range known {
			for j := range steps {
				steps[j] = uint8(levelOf(math.Abs(l.masked[j][i] - l.known[j][k])))
			}
			at, ok := places[string(steps)]
			if !ok {
				at = len(patterns)
				places[string(steps)] = at
				patterns = append(patterns, pattern{levels: slices.Clone(steps)})
			}
			patterns[at].pairs++
			pairs++
		}
	}
	return patterns, pairs
}
