package session

import (
	"crypto/rand"
	random "math/rand/v2"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// secureRandom returns a generator with a seed of the system's secure source
// that nobody keeps.
func secureRandom() *random.Rand {
	var seed [32]byte
	_, _ = rand.Read(seed[:]) // never fails
	return random.New(random.NewChaCha8(seed))
}

// randomOrder returns a random order of n records in which the members of each
// household stay together, in random order too. household may be nil; a record
// without a household is one of its own.
func randomOrder(n int, household *microdata.Column) []uint32 {
	r := secureRandom()
	records := make([]uint32, n)
	for i := range records {
		records[i] = uint32(i)
	}
	r.Shuffle(n, func(i, j int) { records[i], records[j] = records[j], records[i] })
	if household == nil {
		return records
	}
	// Households in the order of the first of their shuffled records would put
	// large ones to the front: each gets a place of its own, drawn once.
	codes := household.Categories().Codes
	members := map[uint32][]uint32{}
	var groups [][]uint32
	var order []uint32
	for _, record := range records {
		code := codes.At(int(record))
		if code == 0 {
			groups = append(groups, []uint32{record})
			continue
		}
		if _, known := members[code]; !known {
			order = append(order, code)
		}
		members[code] = append(members[code], record)
	}
	for _, code := range order {
		groups = append(groups, members[code])
	}
	r.Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	out := records[:0:0]
	for _, group := range groups {
		out = append(out, group...)
	}
	return out
}

// newIdentifiers returns the column with its values replaced by the numbers 1,
// 2, ... in random order, equal values by the same number; missing stays
// missing.
func newIdentifiers(column *microdata.Column) *microdata.Column {
	levels := len(column.Categories().Levels)
	order := secureRandom().Perm(levels)
	numbers := make([]microdata.Level, levels)
	mapping := make([]uint32, levels+1)
	for i, place := range order {
		numbers[i] = microdata.Level{Label: strconv.Itoa(i + 1), Value: float64(i + 1)}
		mapping[i+1] = uint32(place + 1)
	}
	return column.Regroup(column, numbers, mapping, true)
}

// directIdentifiers returns the variables that look as if they identified
// people.
func directIdentifiers(data *microdata.Dataset) []string {
	var names []string
	for _, suggestion := range microdata.Suggest(data) {
		if suggestion.Role == microdata.RoleRemoved {
			names = append(names, suggestion.Variable)
		}
	}
	return names
}
