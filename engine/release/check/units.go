package check

import (
	"cmp"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// units has the records and, if known, the households they belong to.
type units struct {
	records    int
	households *microdata.Categories // household of each released record; nil: unknown
	count      int                   // number of households; 0: unknown
	at         func(row int) int     // index of a released record in the source
	rows       int                   // number of records of the source
}

// unitsOf finds the household ID: that of the released file, even if replaced by random numbers, or else that of
// the original, which may have been removed.
func (r *release) unitsOf() units {
	u := units{records: r.data.Records(), at: r.data.SourceRecord}
	if r.data.Grouped() {
		return u
	}
	u.rows = r.data.Len()
	for row := 0; r.data.Moved() && row < r.data.Len(); row++ {
		u.rows = max(u.rows, r.data.SourceRecord(row)+1)
	}
	column, ok := r.data.Column(r.scenario.Household)
	if !ok && r.Original != nil {
		column, ok = r.Original.Data().Column(householdOf(r.Original.Data(), r.Original.Scenario))
	}
	if !ok {
		column, ok = r.data.Column(householdOf(r.data, r.scenario))
	}
	if ok && column.Len() == r.data.Len() {
		u.households = column.Unlabelled()
		u.count = u.households.Occurring()
	}
	return u
}

// householdOf returns the household ID of a scenario, or the variable with the name of one. It does not use
// similar neighbouring records, because records may have been reordered.
func householdOf(data *microdata.Dataset, scenario *microdata.Scenario) string {
	if scenario.Household != "" {
		return scenario.Household
	}
	for _, column := range data.Columns() {
		if namedHousehold(column) {
			return column.Name()
		}
	}
	return ""
}

// namedHousehold reports whether a variable has the name of a household ID and more than ten values.
func namedHousehold(c *microdata.Column) bool {
	return c.Kind() != microdata.Number && identify.NamedLike(c.Name(), householdNames) && c.Unlabelled().Occurring() > rareLevels
}

// fewest returns the number of households, or of records if households are unknown.
func (u *units) fewest() int {
	if u.count > 0 {
		return u.count
	}
	return u.records
}

// spread reports whether there are more than ten distinct values per 100 households or records.
func (u *units) spread(distinct int) bool { return distinct > 2 && rareLevels*distinct > u.fewest() }

// constant reports whether the members of nearly every household share a code, ignoring 0.
func (u *units) constant(codes microdata.Codes, mapped []uint32) bool {
	if u.households == nil || codes.Len() != u.households.Codes.Len() {
		return false
	}
	first := make([]uint32, len(u.households.Levels)+1)
	differ, several := 0, 0
	for _, pairs := range microdata.Pairs(u.households.Codes, codes) {
		for _, pair := range pairs {
			code := pair[1]
			if mapped != nil {
				code = mapped[code]
			}
			switch {
			case code == 0 || pair[0] == 0:
			case first[pair[0]] == 0:
				first[pair[0]] = code
			case first[pair[0]] != code:
				several, differ = several+1, differ+1
			default:
				several++
			}
		}
	}
	return several > 0 && 50*differ <= several
}

// ordered reports whether ranks, ignoring 0, ascend or descend in the order of the source, and nearly all records
// or households have different ones.
func (u *units) ordered(codes microdata.Codes, ranks []uint32, distinct int) bool {
	if distinct < 3*rareLevels || codes.Len() < distinct || u.rows > 4*codes.Len() || 10*distinct < 9*u.fewest() {
		return false
	}
	sequence := make([]uint32, u.rows)
	row := 0
	for _, block := range codes.Blocks() {
		for _, code := range block {
			sequence[u.at(row)] = ranks[code]
			row++
		}
	}
	up, down, last := 0, 0, uint32(0)
	for _, rank := range sequence {
		switch {
		case rank == 0:
			continue
		case last == 0:
		case rank > last:
			up++
		case rank < last:
			down++
		}
		last = rank
	}
	return 100*min(up, down) <= max(up, down) && up+down+1 >= distinct*9/10
}

// ranksOf returns the rank of each code by its number, or by its label, with 0 for missing.
func ranksOf(levels []microdata.Level, numeric bool) []uint32 {
	order := make([]int, len(levels))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if numeric {
			return cmp.Compare(levels[a].Value, levels[b].Value)
		}
		return cmp.Compare(levels[a].Label, levels[b].Label)
	})
	ranks := make([]uint32, len(levels)+1)
	for rank, code := range order {
		ranks[code+1] = uint32(rank + 1)
	}
	return ranks
}

const (
	leastDecimals = 3 // minimum to hide an ID: amounts of money have two
	mostHidden    = 9
)

// fractions returns the decimals of each code as an integer plus one, and the number of distinct ones. ok is false
// if there are few.
func (v *variable) fractions(least int) (fractions []uint32, distinct int, ok bool) {
	decimals := 0
	for _, level := range v.sampled {
		decimals = max(decimals, decimalsOf(spelled(level.Value)))
	}
	if decimals < leastDecimals || decimals > mostHidden || least < 3*rareLevels {
		return nil, 0, false
	}
	scale := math.Pow10(decimals)
	fractions = make([]uint32, len(v.counts)+1)
	seen := map[uint32]bool{}
	for i, count := range v.counts {
		if _, fraction := math.Modf(math.Abs(v.levels.Levels[i].Value)); count > 0 {
			fractions[i+1] = uint32(math.Round(fraction*scale)) + 1
			seen[fractions[i+1]] = true
		}
	}
	return fractions, len(seen), 10*len(seen) >= 9*least
}
