package check

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// leastSorted is the number of records that are not sorted by chance, and of values that an amount has more of: months
// have fewer.
const leastSorted = 20

// sorted says in what order the records stand, if that reveals something; else it returns "".
func (r *release) sorted() string {
	for _, column := range r.data.Columns() {
		name, o := column.Name(), orderOf(column.Categories())
		what := r.contents[name]
		switch {
		case r.Unknown && (what == identifier || what == household || what == group):
			if o.down == 0 && o.up > 1 && column.Categories().Ordered {
				return "The records are sorted by " + name + "."
			}
		case name == r.scenario.Weight || slices.Contains(r.replicated(), name):
		case r.revealsRanks(column, o):
			return "The records are sorted by " + name + "."
		case o.together() && o.between > 0 && o.distinct > 2 && column.Records() >= leastSorted && r.scenario.Has(name, microdata.RoleKey):
			return "The records are sorted by " + name + ", and " + wording.Counted(o.between, "missing cell") + " of it " +
				wording.Verb(o.between, "lie") + " between others."
		}
	}
	return ""
}

// revealsRanks reports whether records are sorted by an amount, or by a sensitive variable, and are not few.
func (r *release) revealsRanks(column *microdata.Column, o order) bool {
	name := column.Name()
	switch {
	case column.Records() < leastSorted:
		return false
	case r.scenario.Has(name, microdata.RoleSensitive) && o.distinct > 1 && o.together():
		return true
	}
	amounts := r.contents[name] == amount || r.scenario.Has(name, microdata.RoleNumericKey)
	return amounts && o.distinct > leastSorted && o.rises() && column.Categories().Ordered
}

// order tells how the values of a variable follow each other, missing ones left out.
type order struct {
	up, down int // values that are above, below the one before
	distinct int
	between  int // missing cells that stand between values
}

// rises reports whether the values only rise, or only fall.
func (o order) rises() bool { return o.up == 0 != (o.down == 0) }

// together reports whether equal values stand together.
func (o order) together() bool { return o.up+o.down == o.distinct-1 }

// orderOf goes through the cells of a variable in the order of the records.
func orderOf(c *microdata.Categories) order {
	o, last, missing := order{distinct: c.Occurring()}, uint32(0), 0
	for _, pairs := range microdata.Pairs(c.Codes, c.Codes) {
		for _, pair := range pairs {
			code := pair[0]
			if code == 0 {
				missing++
				continue
			}
			switch {
			case last == 0:
			case code > last:
				o.up++
			case code < last:
				o.down++
			}
			if last != 0 {
				o.between += missing
			}
			last, missing = code, 0
		}
	}
	return o
}
