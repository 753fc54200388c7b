package check

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// leastSorted is the minimum number of records that are unlikely to be sorted by chance, and of distinct values of
// an amount: months have fewer.
const leastSorted = 20

// sorted describes the order of the records if it reveals something; otherwise it returns "".
func (r *release) sorted() string {
	for _, v := range r.variables {
		o := v.order()
		switch by := "The records are sorted by " + v.Name(); {
		case r.Unknown && (v.content == identifier || v.content == household || v.content == group):
			if o.down == 0 && o.up > 1 && v.levels.Ordered {
				return by + "."
			}
		case v.Records() < leastSorted || v.Name() == r.scenario.Weight || slices.Contains(r.replicated(), v.Name()):
		case r.revealsRanks(v, o):
			return by + "."
		case o.together && o.between > 0 && v.distinct > 2 && r.has(v, microdata.RoleKey):
			return by + ", and " + wording.Counted(o.between, "missing cell") + " of it " +
				wording.Verb(o.between, "lie") + " between equal values."
		}
	}
	return ""
}

// revealsRanks reports whether records are sorted by an amount or a sensitive variable.
func (r *release) revealsRanks(v *variable, o order) bool {
	if r.has(v, microdata.RoleSensitive) && v.distinct > 1 && o.together {
		return true
	}
	return (v.content == amount || r.has(v, microdata.RoleNumericKey)) && v.distinct > leastSorted &&
		o.up == 0 != (o.down == 0) && v.levels.Ordered
}

// order describes the sequence of a variable's values, ignoring missing ones.
type order struct {
	up, down int  // values above, below the previous one
	between  int  // missing cells between values
	together bool // whether equal values are adjacent
}

// order examines the cells in record order.
func (v *variable) order() (o order) {
	last, missing := uint32(0), 0
	for _, codes := range v.levels.Codes.Blocks() {
		for _, code := range codes {
			if code == 0 {
				missing++
				continue
			}
			if last != 0 {
				o.between += missing
				if code > last {
					o.up++
				} else if code < last {
					o.down++
				}
			}
			last, missing = code, 0
		}
	}
	o.together = o.up+o.down == v.distinct-1
	return o
}
