package recount

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
)

// cells has the values of one variable.
type cells interface {
	Missing(record int) bool
	AppendText(to []byte, record int) []byte
}

// group has all records with one key pattern.
type group struct {
	key     string // four bytes per variable: a number for each value, 0 for missing
	records int

	complete, incomplete int // records of other groups with compatible key patterns
}

// groups has the groups of a file by which variables are missing in their key pattern: a letter for each variable,
// v for a value and m for missing.
type groups map[string][]group

// checkEvery is the number of records between two checks of the context.
const checkEvery = 1 << 14

// grouped groups the records by key pattern.
func grouped(ctx context.Context, variables []cells, records int) (groups, error) {
	numbers := make([]map[string]uint32, len(variables)) // by value, for each variable
	for i := range numbers {
		numbers[i] = map[string]uint32{}
	}
	sizes := map[string]int{}
	var key, text []byte
	for record := range records {
		if record%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		key = key[:0]
		for i, variable := range variables {
			number := uint32(0)
			if !variable.Missing(record) {
				text = variable.AppendText(text[:0], record)
				if number = numbers[i][string(text)]; number == 0 {
					number = uint32(len(numbers[i]) + 1)
					numbers[i][string(text)] = number
				}
			}
			key = binary.BigEndian.AppendUint32(key, number)
		}
		sizes[string(key)]++
	}
	g := groups{}
	for key, records := range sizes {
		pattern := patternOf(key)
		g[pattern] = append(g[pattern], group{key: key, records: records})
	}
	return g, nil
}

func patternOf(key string) string {
	var pattern strings.Builder
	for ; key != ""; key = key[4:] {
		if key[:4] == "\x00\x00\x00\x00" {
			pattern.WriteByte('m')
		} else {
			pattern.WriteByte('v')
		}
	}
	return pattern.String()
}

// violators counts the violating records of all groups, in a file with the given number of records.
func (g groups) violators(ctx context.Context, q Question, records int) ([]Violators, error) {
	if err := g.compare(ctx); err != nil {
		return nil, err
	}
	counted := make([]Violators, len(q.K))
	for i, k := range q.K {
		counted[i].K = k
		below := float64(k) - 1e-9
		for pattern, members := range g {
			for _, one := range members {
				certain := float64(one.records + one.complete)
				byDefault := certain + float64(q.Alpha*float64(one.incomplete))
				if !strings.Contains(pattern, "v") {
					certain, byDefault = float64(records), float64(records)
				}
				counted[i].Default += one.ifBelow(byDefault, below)
				counted[i].Conservative += one.ifBelow(certain, below)
				counted[i].OwnCategory += one.ifBelow(float64(one.records), below)
			}
		}
	}
	return counted, nil
}

// ifBelow returns the number of records of the group if frequency is below limit, otherwise 0.
func (g group) ifBelow(frequency, limit float64) int {
	if frequency < limit {
		return g.records
	}
	return 0
}

// compare counts, for each group, the records of others with compatible key patterns. Two groups with the same
// variables missing are never compatible.
func (g groups) compare(ctx context.Context) error {
	patterns := slices.Sorted(maps.Keys(g))
	for i, one := range patterns {
		for _, other := range patterns[:i] {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			few, many := one, other
			if len(g[few]) > len(g[many]) {
				few, many = many, few
			}
			g.match(few, many, common(few, many))
		}
	}
	return nil
}

// match adds the compatible records between the groups of two patterns: those with equal values on the variables
// that are present in both.
func (g groups) match(few, many, both string) {
	type met struct{ few, many int } // records with equal values
	all := map[string]*met{}
	var values []byte
	for _, one := range g[few] {
		values = one.values(values[:0], both)
		if all[string(values)] == nil {
			all[string(values)] = &met{}
		}
		all[string(values)].few += one.records
	}
	for i := range g[many] {
		one := &g[many][i]
		values = one.values(values[:0], both)
		if here := all[string(values)]; here != nil {
			here.many += one.records
			one.add(here.few, few)
		}
	}
	for i := range g[few] {
		one := &g[few][i]
		values = one.values(values[:0], both)
		one.add(all[string(values)].many, many)
	}
}

// add counts compatible records of a pattern.
func (g *group) add(records int, pattern string) {
	if strings.Contains(pattern, "m") {
		g.incomplete += records
	} else {
		g.complete += records
	}
}

// common returns the pattern of the variables present in both patterns.
func common(one, other string) string {
	both := []byte(one)
	for i := range both {
		if other[i] == 'm' {
			both[i] = 'm'
		}
	}
	return string(both)
}

// values appends the part of the key for the variables present in a pattern.
func (g *group) values(to []byte, pattern string) []byte {
	for i := range len(pattern) {
		if pattern[i] == 'v' {
			to = append(to, g.key[4*i:4*i+4]...)
		}
	}
	return to
}
