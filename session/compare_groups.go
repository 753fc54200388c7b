package session

import (
	"maps"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// partsOf returns by group, as it was counted, the rows that its records stand in.
func partsOf(data *microdata.Dataset) map[int][]uint32 {
	parts := make(map[int][]uint32, data.Len())
	for row := range data.Len() {
		group := data.SourceRecord(row)
		parts[group] = append(parts[group], uint32(row))
	}
	return parts
}

// cutAlike reports whether it is known which records of data of one source stand in which rows of both, where rows
// stand for several records: of each group all stand in one row of at least one of them. Where both were cut, and not
// by the same step, the records alone tell.
func cutAlike(one, other *microdata.Dataset) bool {
	if sameRows(one, other) {
		return true
	}
	parts, others := partsOf(one), partsOf(other)
	for group, rows := range parts {
		if len(rows) > 1 && len(others[group]) > 1 || recordsIn(one, rows) != recordsIn(other, others[group]) {
			return false
		}
	}
	return len(parts) == len(others)
}

// valued counts the cells that differ of a variable whose values rows do not have, or add up, by what became of each
// value: in which records is not known. It reports whether it is one.
func (v *VariableOfTwo) valued(a, b *microdata.Column) bool {
	apart := a.Uncounted() || a.Sums() || b.Uncounted()
	if !apart || a == b {
		return apart
	}
	x, y := a.Alone(), b.Alone()
	_, by := b.Unmasked()
	switch {
	case x.Hash() == y.Hash():
	case len(by) > 0 || a.ManyValued() || b.ManyValued() || !slices.Equal(x.Multiplicity(), y.Multiplicity()):
		v.Untold = true
	default:
		for row := range x.Len() {
			if x.Differs(y, row) {
				v.add(x, y, row)
			}
		}
	}
	return true
}

// sameRows reports whether no step has cut rows or taken some out that lies between data.
func sameRows(one, other *microdata.Dataset) bool {
	a, b := one.Multiplicity(), other.Multiplicity()
	return len(a) == len(b) && len(a) > 0 && &a[0] == &b[0]
}

func recordsIn(data *microdata.Dataset, rows []uint32) (records int) {
	for _, row := range rows {
		records += data.Multiplicity()[row]
	}
	return records
}

// sharedParts is shared for data that are cut alike: their rows are those of which more were cut.
func sharedParts(one, other *microdata.Dataset) (sameOne, sameOther *microdata.Dataset) {
	if sameRows(one, other) {
		return one, other
	}
	others := partsOf(other)
	var left, right []uint32
	var records []int
	for row := range one.Len() {
		for _, match := range others[one.SourceRecord(row)] {
			left, right = append(left, uint32(row)), append(right, match)
			records = append(records, min(one.Multiplicity()[row], other.Multiplicity()[match]))
		}
	}
	return one.Split(left, records), other.Split(right, records)
}

// values lists the variables of which not as many records have each value.
func (c *Comparison) values(one, other *microdata.Dataset) {
	c.OnlyA, c.OnlyB = max(0, one.Records()-other.Records()), max(0, other.Records()-one.Records())
	for _, column := range one.Columns() {
		if match, found := other.Column(column.Name()); !found || !sameCounts(column, match) {
			c.list(VariableOfTwo{Untold: true}, column, match)
		}
	}
	c.onlyIn(one, other)
}

// sameCounts reports whether as many records have each value in two columns.
func sameCounts(a, b *microdata.Column) bool {
	if a == b || a.Sums() {
		return true
	}
	if a.ManyValued() || b.ManyValued() {
		return a.Alone().Hash() == b.Alone().Hash()
	}
	counts := func(column *microdata.Column) map[string]int {
		of, all := column.Categories(), map[string]int{}
		for i, count := range of.Counts()[1:] {
			if count > 0 {
				all[of.Levels[i].Label] += count
			}
		}
		return all
	}
	return a.MissingCount() == b.MissingCount() && maps.Equal(counts(a), counts(b))
}
