package linkage

import (
	"math"
	"slices"
)

// mostFree is the maximum number of records of each file whose pairs free uses, so there are at most a million
// pairs.
const mostFree = 1000

// rounds is the maximum number of EM iterations. changed is the change in the share of matches below which EM
// stops.
const (
	rounds  = 500
	changed = 1e-10
)

// pattern is a combination of levels of the variables, with the number of pairs that have it.
type pattern struct {
	levels []uint8
	pairs  float64
}

// free estimates m, u and the share of matches by EM without any true match, as an intruder could. The class that
// EM takes for the matches need not be the true one. It uses the pairs of up to mostFree equally spaced records of
// each file. [Winkler 1988, Proceedings of the Section on Survey Research Methods, ASA, 667-671]
func (l *linker) free() []evidence {
	patterns, pairs := l.patterns()
	p := len(l.masked)
	of := make([]evidence, p)
	for j := range p { // start values: matches are close, and non-matches are distributed as all pairs
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

// smooth adds half a pair to each level, so that levels that do not occur have a weight.
func (e *evidence) smooth(right, pairs float64) {
	for level := range levels {
		e.m[level] = (float64(e.m[level]*right) + 0.5) / (right + float64(levels)/2)
		e.u[level] = (float64(e.u[level]*(pairs-right)) + 0.5) / (pairs - right + float64(levels)/2)
	}
}

// patterns counts the pairs of the records that free uses by the levels of all variables, in order of occurrence.
func (l *linker) patterns() (patterns []pattern, pairs float64) {
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
