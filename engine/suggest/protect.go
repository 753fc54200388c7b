package suggest

import (
	"cmp"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recode"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Protection is a recode of one variable that would protect a record.
type Protection struct {
	Variable  string
	Recode    *recode.Group
	Label     string  // of the group that the recode makes
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
func Protect(data *microdata.Dataset, scenario *microdata.Scenario, now *risk.Assessment, k, record, most int) []Protection {
	if !now.Violates(record, k) {
		return nil
	}
	table := now.Table()
	key := table.Key(record)
	near := neighbourhoods(now, key)
	var all []Protection
	for place, name := range scenario.Keys {
		column, ok := data.Column(name)
		own := table.Codes(place)[key]
		if !ok || own == 0 {
			continue
		}
		v := newVariable(column, place)
		var helping []Protection
		for _, way := range v.ways(own) {
			if group := near[place].first(own, way, k); group != nil {
				helping = append(helping, near[place].protection(v, group))
			}
		}
		slices.SortStableFunc(helping, leastLost)
		all = append(all, helping[:min(most, len(helping))]...)
	}
	slices.SortStableFunc(all, leastLost)
	return all
}

func leastLost(a, b Protection) int { return cmp.Compare(a.Lost, b.Lost) }

// ways returns the codes that are to join a code, one after the other until
// there are enough: upwards and downwards, or each other one alone.
func (v *variable) ways(own uint32) [][]uint32 {
	codes := v.occurring()
	at := slices.Index(codes, own)
	if v.column.Categories().Ordered {
		below := slices.Clone(codes[:at])
		slices.Reverse(below)
		return [][]uint32{below, codes[at+1:]}
	}
	var ways [][]uint32
	for i := range codes {
		if i != at {
			ways = append(ways, codes[i:i+1])
		}
	}
	return ways
}

// first returns the codes that protect the key when as few as are needed have
// joined its own, in the order of a way; nil where all of them do not.
func (n *neighbourhood) first(own uint32, way []uint32, k int) []uint32 {
	n.clear()
	n.add(own)
	for i, code := range way {
		n.add(code)
		if !n.violates(k) {
			group := append([]uint32{own}, way[:i+1]...)
			slices.Sort(group)
			return group
		}
	}
	return nil
}

// protection returns the recode of the codes that were added last.
func (n *neighbourhood) protection(v *variable, group []uint32) Protection {
	recode, label := groupOf(v.column, group)
	return Protection{Variable: v.column.Name(), Recode: recode, Label: label, Frequency: n.frequency(), Lost: v.lost(group)}
}
