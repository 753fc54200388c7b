package recount

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"strings"
)

// cells are the values of one variable.
type cells interface {
	Missing(record int) bool
	AppendText(to []byte, record int) []byte
}

// group is all records with one key.
type group struct {
	key     string // four bytes for each variable: a number for each value, 0 where it is missing
	records int

	complete, incomplete int // records of other groups with compatible keys
}

// groups are the groups of a file by the pattern of what is missing in their keys: a
// letter for each variable, v where there is a value and m where it is missing.
type groups map[string][]group

// checkEvery is the number of records after which the context is looked at.
const checkEvery = 1 << 14

// grouped puts records with the same key into one group.
func grouped(ctx context.Context, variables []cells, records int) (groups, error) {
	numbers := make([]map[string]uint32, len(variables)) // of the values of each variable
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

// violators counts the records of all groups that violate, in a file of some records.
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

// ifBelow returns the records of the group if a frequency is below another.
func (g group) ifBelow(frequency, limit float64) int {
	if frequency < limit {
		return g.records
	}
	return 0
}

// compare counts for each group the records of others whose keys are compatible with its
// own. Two groups of one pattern never are.
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

// match adds to the groups of two patterns what the other has with the same values on the
// variables of which both have some.
func (g groups) match(few, many, both string) {
	type met struct{ few, many int } // records with the same values
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

// add counts compatible records, whose keys are of a pattern.
func (g *group) add(records int, pattern string) {
	if strings.Contains(pattern, "m") {
		g.incomplete += records
	} else {
		g.complete += records
	}
}

// common returns the pattern of the variables that have values in both patterns.
func common(one, other string) string {
	both := []byte(one)
	for i := range both {
		if other[i] == 'm' {
			both[i] = 'm'
		}
	}
	return string(both)
}

// values appends the part of the key that a pattern has values for.
func (g *group) values(to []byte, pattern string) []byte {
	for i := range len(pattern) {
		if pattern[i] == 'v' {
			to = append(to, g.key[4*i:4*i+4]...)
		}
	}
	return to
}
