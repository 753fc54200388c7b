package microdata

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// NewGrouped returns a dataset in which row i stands for multiplicity[i] equal records, like the rows of a GROUP
// BY:
//
//	SELECT region, sex, COUNT(*), SUM(w) FROM survey GROUP BY region, sex
//
// Rows are counted by Len, records by Records, and every count, share and denominator refers to records. The
// weight variable of a row is the sum of its records' weights, SUM(w); any other variable has a value that all of
// them share. A row without records is an error that wraps ErrMultiplicity.
func NewGrouped(columns []*Column, multiplicity []int) (*Dataset, error) {
	d, err := NewDataset(columns)
	if err != nil {
		return nil, err
	}
	if len(multiplicity) != d.rows {
		return nil, fmt.Errorf("%w: %d rows, but numbers of records for %d", ErrLengths, d.rows, len(multiplicity))
	}
	for row, records := range multiplicity {
		if records < 1 {
			return nil, fmt.Errorf("%w: row %d represents none", ErrMultiplicity, row+1)
		}
	}
	out := *d
	out.columns, out.multiplicity = make([]*Column, len(columns)), multiplicity
	for i, column := range columns {
		out.columns[i] = column.standingFor(multiplicity)
	}
	return &out, nil
}

// Grouped reports whether rows may stand for several records.
func (d *Dataset) Grouped() bool { return d.multiplicity != nil }

// Records returns the number of records that the rows stand for.
func (d *Dataset) Records() int { return recordsOf(d.multiplicity, d.rows) }

// Multiplicity returns the number of records that each row stands for, or nil if one each. It must not be
// modified.
func (d *Dataset) Multiplicity() []int { return d.multiplicity }

// Split returns the dataset in which row i stands for multiplicity[i] of the records of rows[i]; the parts of a
// row are adjacent. Variables in sums, such as the weight, are divided in proportion to the records, because the
// values of single records are not known.
func (d *Dataset) Split(rows []uint32, multiplicity []int, sums ...string) *Dataset {
	out := d.taken(rows, multiplicity)
	for _, name := range sums {
		column, ok := d.Column(name)
		if !ok || !column.Numeric() {
			continue
		}
		parts := column.Source().copy()
		values := d.shared(column.Source(), rows, multiplicity)
		parts.numbers = &Numbers{Values: values, Decimals: sharedPlaces}
		if column.numbers != nil && column.numbers.Decimals == Shortest {
			parts.numbers.Decimals = Shortest
		}
		parts.source, parts.ground, parts.multiplicity = nil, nil, multiplicity
		parts.level()
		if slices.ContainsFunc(values, func(x float64) bool { return x != math.Trunc(x) }) {
			parts.kind = Number
		}
		out.columns[out.index[name]] = parts.finish()
	}
	return out
}

// sharedPlaces is the number of decimals of a part of a sum.
const sharedPlaces = 9

// shared divides the sums in a column among the parts of their rows; the parts of a row add up to its sum.
func (d *Dataset) shared(column *Column, rows []uint32, multiplicity []int) []float64 {
	scale := math.Pow10(sharedPlaces)
	values := make([]float64, len(rows))
	given := 0 // records in the parts of the row so far
	for i, row := range rows {
		if i > 0 && rows[i-1] != row {
			given = 0
		}
		sum, all := column.Float(int(row)), float64(d.multiplicity[row])
		before := math.RoundToEven(float64(sum*float64(given)/all) * scale)
		given += multiplicity[i]
		after := math.RoundToEven(float64(sum*float64(given)/all) * scale)
		if values[i] = (after - before) / scale; multiplicity[i] == d.multiplicity[row] {
			values[i] = sum
		}
	}
	return values
}

// Multiplicity returns the number of records that each row stands for, or nil if one each. It must not be
// modified.
func (c *Column) Multiplicity() []int { return c.multiplicity }

// Records returns the number of records that the rows stand for.
func (c *Column) Records() int { return recordsOf(c.multiplicity, c.Len()) }

// RecordsAt returns the number of records that a row stands for.
func (c *Column) RecordsAt(row int) int {
	if c.multiplicity == nil {
		return 1
	}
	return c.multiplicity[row]
}

// SuppressedCount returns the number of records with a suppressed cell.
func (c *Column) SuppressedCount() int {
	if c.multiplicity == nil {
		return c.suppressed.Count()
	}
	count := 0
	c.suppressed.Each(func(row int) { count += c.multiplicity[row] })
	return count
}

// SuppressedOf returns, by code that the cells had before, the number of records with a suppressed cell.
func (c *Column) SuppressedOf(before *Categories) []int {
	counts := make([]int, len(before.Levels)+1)
	c.suppressed.Each(func(row int) { counts[before.Codes.At(row)] += c.RecordsAt(row) })
	return counts
}

func recordsOf(multiplicity []int, rows int) int {
	if multiplicity == nil {
		return rows
	}
	records := 0
	for _, count := range multiplicity {
		records += count
	}
	return records
}

// standingFor returns the column with the given multiplicity, or the column itself if it has one already.
func (c *Column) standingFor(multiplicity []int) *Column {
	if len(multiplicity) == 0 || len(c.multiplicity) > 0 && &c.multiplicity[0] == &multiplicity[0] {
		return c
	}
	return c.selected(stat.InOrder(len(multiplicity)), multiplicity)
}

// weigh makes the dictionary count records if rows stand for several.
func (c *Column) weigh() {
	multiplicity, dictionary := c.multiplicity, c.dictionary
	if multiplicity == nil {
		return
	}
	c.dictionary = sync.OnceValue(func() *Categories {
		was := dictionary()
		if was.multiplicity != nil {
			return was
		}
		out := was.with(was.Codes)
		out.multiplicity = multiplicity
		return out
	})
}

// OnGroups returns the reason why a variable cannot have the role in a grouped dataset, or "" if it can.
func (r Role) OnGroups() string {
	switch r {
	case RoleNumericKey:
		return "a frequency table does not show how close values of single records are"
	case RoleHousehold, RoleSame:
		return "a frequency table does not show which records form a household"
	case RoleKey, RoleWeight, RoleStrata, RolePRAM, RoleSensitive, RoleLinked, RoleRemoved:
	}
	return ""
}
