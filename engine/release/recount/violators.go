package recount

import (
	"context"
	"encoding/binary"
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
		g[pattern] = append(g[pattern], group{key, records})
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
	counted := make([]Violators, len(q.K))
	for i, k := range q.K {
		counted[i].K = k
	}
	for pattern, members := range g {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		complete, incomplete := g.compatible(pattern)
		for i, one := range members {
			certain := float64(one.records + complete[i])
			byDefault := certain + float64(q.Alpha*float64(incomplete[i]))
			if !strings.Contains(pattern, "v") {
				certain, byDefault = float64(records), float64(records)
			}
			for i, k := range q.K {
				below := float64(k) - 1e-9
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

// compatible counts for each group of a pattern the records of other groups whose keys
// are compatible with its own: the complete ones and the others. Two groups of one
// pattern never are.
func (g groups) compatible(pattern string) (complete, incomplete []int) {
	complete, incomplete = make([]int, len(g[pattern])), make([]int, len(g[pattern]))
	for other, theirs := range g {
		if other == pattern {
			continue
		}
		both, counts := common(pattern, other), complete
		if strings.Contains(other, "m") {
			counts = incomplete
		}
		records := map[string]int{} // of the other pattern, by their values on what both have
		for _, one := range theirs {
			records[string(one.values(both))] += one.records
		}
		for i, one := range g[pattern] {
			counts[i] += records[string(one.values(both))]
		}
	}
	return complete, incomplete
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

// values returns the part of a key that a pattern has values for.
func (g group) values(pattern string) []byte {
	part := make([]byte, 0, 64)
	for i := range pattern {
		if pattern[i] == 'v' {
			part = append(part, g.key[4*i:4*i+4]...)
		}
	}
	return part
}
