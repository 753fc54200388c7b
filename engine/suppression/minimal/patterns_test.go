package minimal

import (
	"strconv"
	"strings"
)

// patternCount counts violators in files that are too large for naiveFile, by patterns of missing variables and
// projections on the variables that two patterns have in common, using maps.
type patternCount struct {
	p        *Problem
	patterns map[uint64]map[string]patternKey // by set of missing variables
}

// patternKey is a key pattern after suppression.
type patternKey struct {
	codes []uint32
	count int64
}

// countPatterns counts the patterns of p after s.
func countPatterns(p *Problem, s *Solution) *patternCount {
	c := &patternCount{p: p, patterns: map[uint64]map[string]patternKey{}}
	missing := p.missing()
	left := make([]int64, p.keys())
	for key, n := range p.Count {
		left[key] = int64(n)
	}
	for _, part := range s.Parts {
		c.add(part.Key, missing[part.Key]|part.Set, int64(part.Count))
		left[part.Key] -= int64(part.Count)
	}
	for key, n := range left {
		if n > 0 {
			c.add(uint32(key), missing[key], n)
		}
	}
	return c
}

// add adds records of a key with the variables of set missing.
func (c *patternCount) add(key uint32, set uint64, count int64) {
	it := patternKey{codes: make([]uint32, c.p.variables())}
	for v := range it.codes {
		if set>>v&1 == 0 {
			it.codes[v] = c.p.Codes[v][key]
		}
	}
	if c.patterns[set] == nil {
		c.patterns[set] = map[string]patternKey{}
	}
	text := textOf(it.codes, 0)
	it.count = c.patterns[set][text].count + count
	c.patterns[set][text] = it
}

// textOf returns the codes outside set as text.
func textOf(codes []uint32, set uint64) string {
	var text strings.Builder
	for v, code := range codes {
		if set>>v&1 == 0 {
			text.WriteString(strconv.Itoa(int(code)))
		}
		text.WriteByte(' ')
	}
	return text.String()
}

// projected counts the keys with a pattern of missing variables by their codes outside set.
func (c *patternCount) projected(pattern, set uint64) map[string]int64 {
	counts := map[string]int64{}
	for _, it := range c.patterns[pattern] {
		counts[textOf(it.codes, set)] += it.count
	}
	return counts
}

// violators returns the number of records that violate k-anonymity under the default rule with alpha 1, the
// conservative rule and the own-category rule.
func (c *patternCount) violators() (byDefault, conservative, own int64) {
	for set, keys := range c.patterns {
		every, complete := map[string]int64{}, map[string]int64{}
		for other := range c.patterns {
			counts := c.projected(other, set|other)
			for text, it := range keys {
				n := counts[textOf(it.codes, set|other)]
				every[text] += n
				if other == 0 && set != 0 {
					complete[text] += n
				}
			}
		}
		k := int64(c.p.K)
		for text, it := range keys {
			byDefault += it.count * less(every[text], k)
			if set != c.p.full() { // missing everywhere counts all
				conservative += it.count * less(it.count+complete[text], k)
			}
			own += it.count * less(it.count, k)
		}
	}
	return byDefault, conservative, own
}

// less is 1 if a < b, else 0.
func less(a, b int64) int64 {
	if a < b {
		return 1
	}
	return 0
}
