package suggest

import (
	"cmp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Protection is a recode of one variable that would protect a record.
type Protection struct {
	Variable  string
	Recode    *recode.Group
	Frequency float64 // f of the record after the recode, under the rule of the assessment
	Lost      float64 // detail of the variable that is lost, in bits
}

// Protect returns recodes of one variable, each of which would end the violation
// of k by a record, the one that loses least detail first; none where the record
// does not violate k or no recode of one variable helps. Of an ordered variable
// the record's category is grouped with as many of those above it, or of those
// below it, as it takes; of any other variable it is merged with another one,
// and at most the given number of these is returned.
//
// The data, the scenario's key variables and the assessment must belong
// together. It takes time in the number of distinct keys.
func Protect(data *microdata.Dataset, scenario *microdata.Scenario, now *risk.Assessment, k, record,
	most int) []Protection {
	if !now.Violates(record, k) {
		return nil
	}
	p := newProtecting(now, now.Table().Key(record))
	var all []Protection
	for place, name := range scenario.Keys {
		column, ok := data.Column(name)
		if !ok || p.missing>>place&1 == 1 {
			continue
		}
		v := newVariable(column, place)
		var helping []Protection
		for _, way := range v.ways(now.Table().Codes(place)[p.key]) {
			if protection, ok := p.first(v, way, k); ok {
				helping = append(helping, protection)
			}
		}
		slices.SortStableFunc(helping, leastLost)
		all = append(all, helping[:min(most, len(helping))]...)
	}
	slices.SortStableFunc(all, leastLost)
	return all
}

func leastLost(a, b Protection) int { return cmp.Compare(a.Lost, b.Lost) }

// ways returns the codes that are to become one with a code, which comes first,
// one after the other until there are enough: upwards and downwards, or each other
// one alone.
func (v *variable) ways(own uint32) [][]uint32 {
	codes := v.occurring()
	at := slices.Index(codes, own)
	if v.column.InOrder() {
		below := slices.Clone(codes[:at+1])
		slices.Reverse(below)
		return [][]uint32{below, codes[at:]}
	}
	var ways [][]uint32
	for i := range codes {
		if i != at {
			ways = append(ways, []uint32{own, codes[i]})
		}
	}
	return ways
}

// protecting counts what would agree with a key.
type protecting struct {
	options risk.Options
	table   *keys.Table
	key     uint32
	missing uint64             // variables that the key misses
	near    [][]keys.Neighbour // per variable: what agrees on all others
	shares  [][]float64        // per variable and code, for the rule category-size
}

// newProtecting looks for the neighbours of a key, in one walk over the distinct keys.
func newProtecting(now *risk.Assessment, key uint32) *protecting {
	t := now.Table()
	p := &protecting{options: now.Options(), table: t, key: key, missing: t.MissingIn(key),
		near: make([][]keys.Neighbour, t.Variables())}
	for other := range t.Neighbours(key) {
		for v := range p.near {
			if other.Against < 0 || other.Against == v {
				p.near[v] = append(p.near[v], other)
			}
		}
	}
	for v := 0; v < t.Variables() && p.options.Rule == microdata.RuleCategorySize; v++ {
		p.shares = append(p.shares, t.Shares(v))
	}
	return p
}

// agreement counts what agrees with the key when codes of a variable, its own
// among them, have become one.
func (p *protecting) agreement(variable int, group []uint32) (a keys.Agreement) {
	codes := p.table.Codes(variable)
	for _, other := range p.near[variable] {
		count := int(p.table.Counts()[other.Key])
		switch code := codes[other.Key]; {
		case code != 0 && !slices.Contains(group, code):
		case other.Missing == p.missing:
			a.Identical += count
		case other.Missing == 0:
			a.Complete += count
		default:
			a.Incomplete += count
			a.Weighed += p.weighed(float64(count), other.Missing&^p.missing, variable, group)
		}
	}
	return a
}

// weighed returns what records that miss variables count under the rule
// category-size: each by the shares of the categories that the key has there.
func (p *protecting) weighed(count float64, missing uint64, variable int, group []uint32) float64 {
	for j, shares := range p.shares {
		switch {
		case missing>>j&1 == 0:
		case j == variable:
			joint := 0.0
			for _, code := range group {
				joint += shares[code]
			}
			count *= joint
		default:
			count *= shares[p.table.Codes(j)[p.key]]
		}
	}
	return count
}

// first returns the recode of as few codes, the first of those given, as protect
// the key; ok is false where all of them do not.
func (p *protecting) first(v *variable, codes []uint32, k int) (protection Protection, ok bool) {
	for size := 2; size <= len(codes); size++ {
		a := p.agreement(v.place, codes[:size])
		frequencies := keys.Frequencies{Rule: p.options.Rule,
			Sample:    []float64{a.Frequency(p.options.Rule, p.options.Alpha, p.missing == 0)},
			Identical: []int{a.Identical}}
		if frequencies.Violates(0, k) {
			continue
		}
		group := slices.Sorted(slices.Values(codes[:size]))
		recode, _ := groupOf(v.column, group)
		return Protection{v.column.Name(), recode, frequencies.Sample[0], v.lost(group)}, true
	}
	return protection, false
}
