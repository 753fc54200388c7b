package microdata

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// NewGrouped returns the dataset of columns of which row i stands for
// multiplicity[i] equal records, as the rows of a GROUP BY do:
//
//	SELECT region, sex, COUNT(*), SUM(w) FROM survey GROUP BY region, sex
//
// Rows are counted by Len, records by Records, and every count, share and
// denominator goes by records. The weight variable of a row is the sum of its
// records' weights, SUM(w); any other variable has one value that all of them
// share. A row of no record is an error that wraps ErrMultiplicity.
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

// Grouped reports whether rows stand for numbers of records.
func (d *Dataset) Grouped() bool { return d.multiplicity != nil }

// Records returns the number of records that the rows stand for.
func (d *Dataset) Records() int { return recordsOf(d.multiplicity, d.rows) }

// Multiplicity returns how many records each row stands for; nil: one each. Not
// to be modified.
func (d *Dataset) Multiplicity() []int { return d.multiplicity }

// Split returns the dataset in which row i stands for multiplicity[i] of the
// records that rows[i] stood for; the parts of a row stand together. The sums,
// which are numeric variables such as the weight, are shared out by the
// numbers of records: what single records had is not known.
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
		parts.source, parts.ground, parts.multiplicity, parts.dictionary = nil, nil, multiplicity, parts.leveled()
		if slices.ContainsFunc(values, func(x float64) bool { return x != math.Trunc(x) }) {
			parts.kind = Number
		}
		out.columns[out.index[name]] = parts.finish()
	}
	return out
}

// sharedPlaces are the decimals of a part of a sum.
const sharedPlaces = 9

// shared returns the parts of a sum that parts of rows have; those of a row add
// up to what it had.
func (d *Dataset) shared(column *Column, rows []uint32, multiplicity []int) []float64 {
	scale := math.Pow10(sharedPlaces)
	values := make([]float64, len(rows))
	given := 0 // records of the row in the parts so far
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

// Multiplicity returns how many records each row stands for; nil: one each. Not
// to be modified.
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

// SuppressedCount returns the number of records whose cell was suppressed.
func (c *Column) SuppressedCount() int {
	if c.multiplicity == nil {
		return c.suppressed.Count()
	}
	count := 0
	c.suppressed.Each(func(row int) { count += c.multiplicity[row] })
	return count
}

// SuppressedOf returns by code of the categories that the cells had before how many
// records' cells were suppressed.
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

// standingFor returns the column of a dataset whose rows stand for so many
// records; the column itself where it does so already.
func (c *Column) standingFor(multiplicity []int) *Column {
	if len(multiplicity) == 0 || len(c.multiplicity) > 0 && &c.multiplicity[0] == &multiplicity[0] {
		return c
	}
	return c.selected(stat.InOrder(len(multiplicity)), multiplicity)
}

// weigh makes the dictionary count records where rows stand for several.
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

// OnGroups says why a variable cannot have the role in data whose rows stand for several records each,
// or "" where it can.
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
