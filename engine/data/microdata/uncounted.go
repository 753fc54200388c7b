package microdata

import (
	"math"
	"slices"
)

// NewUncounted returns the column of a variable that the groups of a grouped dataset are not
// counted by: how often it has which value is known, as the levels and counts say, but not in
// which row. counts has that of missing cells first. Figures of single variables are right; its
// cells read as missing. Steps are made on it by itself: see Alone and Valued.
func NewUncounted(name string, kind Kind, said *Description, levels []Level, counts []int, rows int) *Column {
	codes, records := withRecords(counts)
	alone := NewCategorical(name, kind, &Categories{Levels: levels, Codes: CodesOf(codes), Ordered: kind != Category})
	c := &Column{name: name, alone: alone.WithDescription(said).standingFor(records)}
	return c.uncounted(rows).finish()
}

// withRecords returns the places of the counts above 0, and these.
func withRecords(counts []int) (places []uint32, some []int) {
	for place, count := range counts {
		if count > 0 {
			places, some = append(places, uint32(place)), append(some, count)
		}
	}
	return places, some
}

// uncounted takes over what is known of the values by themselves. The caller calls finish.
func (c *Column) uncounted(rows int) *Column {
	known := c.alone.Categories()
	categories := known.with(NewCodes(rows, 0))
	categories.known = known.Counts()
	c.kind, c.description, c.origin = c.alone.kind, c.alone.description, c.alone.origin
	c.dictionary = func() *Categories { return categories }
	return c
}

// Uncounted reports whether the rows are not counted by the variable, see NewUncounted.
func (c *Column) Uncounted() bool { return c.alone != nil }

// Valued returns an uncounted column whose values became others, all records of a value alike: alone is what was
// made of Alone.
func (c *Column) Valued(alone *Column) *Column {
	out := c.copy()
	out.alone, out.source = alone, c.Source()
	return out.uncounted(c.Len()).finish()
}

// Recounted returns a column that is not counted, or is added up, of which other numbers of records have each value, by
// row of Alone of the source: those that a sample keeps.
func (c *Column) Recounted(records []int) *Column {
	out := c.copy()
	if c.source != nil {
		out.source = c.source.Recounted(records)
	}
	if c.each != nil {
		out.each = c.each.Recounted(records)
		return out.finish()
	}
	out.alone = c.alone.selected(withRecords(records))
	return out.uncounted(c.Len()).finish()
}

// Times returns a numeric column with its numbers times a factor, as sampling does with weights; missing cells stay missing.
func (c *Column) Times(factor float64) (*Column, error) {
	numbers := &Numbers{Values: make([]float64, c.Len()), Uniform: OddSpelling}
	for row := range numbers.Values {
		numbers.Values[row] = c.Float(row) * factor
	}
	out, err := c.WithNumbers(Number, numbers)
	if err != nil {
		return nil, err
	}
	out.factors = append(slices.Clip(c.factors), factor)
	if c.each == nil {
		return out.finish(), nil
	}
	alone, err := c.each.alone.Times(factor)
	if err != nil {
		return nil, err
	}
	out.each = c.each.Valued(alone)
	return out.finish(), nil
}

// Factors are what Times multiplied the numbers by since they were read, in turn.
func (c *Column) Factors() []float64 { return c.factors }

// ManyValued reports whether the variable is not counted, and has so many values that nobody knows them.
func (c *Column) ManyValued() bool {
	if c.each != nil {
		c = c.each
	}
	return c.Uncounted() && len(c.Categories().Levels) == 0 && c.MissingCount() < c.Records()
}

// Summing returns the column of numbers that are added up over the records of every row, as weights
// are. each says how often single records have which value, see NewUncounted.
func (c *Column) Summing(each *Column) *Column {
	out := c.copy()
	out.each = each
	return out.finish()
}

// Sums reports whether the numbers are added up over the records of every row.
func (c *Column) Sums() bool { return c.each != nil }

// Alone returns the column by itself: where its values are not those of all records of a row, each value
// has a row that stands for the records with it. Rows are then none of the dataset. Values of a
// ManyValued variable are not known.
func (c *Column) Alone() *Column {
	of := c
	if c.each != nil {
		of = c.each
	}
	if of.alone == nil {
		return c
	}
	return of.alone
}

// Sampled returns at most so many records of the column by itself, evenly over its values, as a dataset whose rows they
// are. The values must be known, see ManyValued.
func (c *Column) Sampled(most int) *Dataset {
	alone := c.Alone()
	of := alone.Records()
	rows := make([]uint32, min(most, of))
	row, below := -1, 0
	for i := range rows {
		for i*of/len(rows) >= below {
			row++
			below += alone.RecordsAt(row)
		}
		rows[i] = uint32(row)
	}
	return (&Dataset{columns: []*Column{alone}, index: map[string]int{c.name: 0}, rows: alone.Len()}).taken(rows, nil)
}

// Valued returns the dataset with values, of variables that rows are not counted by, in the rows: as many as there is
// room for, a missing cell first, or 0 where none is known. No record has them together.
func (d *Dataset) Valued() *Dataset {
	for _, column := range d.columns {
		alone := column.Alone()
		if alone == column {
			continue
		}
		if alone.Len() == 0 {
			alone = NewUncounted(column.name, column.kind, column.description, []Level{{Label: "0"}}, []int{0, 1}, 1).alone
		}
		rows := make([]uint32, d.rows)
		for row := range rows {
			rows[row] = uint32(min(row, alone.Len()-1))
		}
		d = d.With(alone.selected(rows, d.multiplicity))
	}
	return d
}

// RowsAlone returns the row of Alone for each record of a column that has the values of the source of one that is not
// counted, or added up; ok is false where some value is none of these, of which the row is math.MaxUint32.
func (c *Column) RowsAlone(records *Column) (rows []uint32, ok bool) {
	if c.each != nil {
		c = c.each
	}
	of := c.Source().alone.Categories()
	places, missing := make(map[Level]uint32, len(of.Levels)), -1
	for row := range of.Codes.Len() {
		if code := of.Codes.At(row); code == 0 {
			missing = row
		} else {
			places[valueOf(of.Levels[code-1])] = uint32(row)
		}
	}
	rows, ok = make([]uint32, records.Len()), true
	numbers := records.numbers
	var byCode []int
	if numbers == nil {
		byCode = records.rowsByCode(places, missing)
	}
	for record := range rows {
		row := missing
		if numbers == nil {
			row = byCode[records.dictionary().Codes.At(record)]
		} else if x := numbers.Values[record]; x == x {
			row = placeOf(places, Level{Value: x})
		}
		if rows[record] = uint32(row); row < 0 {
			rows[record], ok = math.MaxUint32, false
		}
	}
	return rows, ok
}

// rowsByCode returns the row for each code of a column, -1 where there is none.
func (c *Column) rowsByCode(places map[Level]uint32, missing int) []int {
	rows := []int{missing}
	for _, level := range c.dictionary().Levels {
		rows = append(rows, placeOf(places, valueOf(level)))
	}
	return rows
}

func placeOf(places map[Level]uint32, value Level) int {
	if row, known := places[value]; known {
		return int(row)
	}
	return -1
}

// valueOf returns what tells a level from others: its number, else its label.
func valueOf(level Level) Level {
	if level.NumberLevel() {
		return Level{Value: level.Value}
	}
	return Level{Label: level.Label}
}

// positive reports whether all records of an uncounted column have a positive number, as far as that is known.
func (c *Column) positive() bool {
	counts := c.Categories().Counts()
	for i, level := range c.Categories().Levels {
		if counts[i+1] > 0 && (!(level.Value > 0) || math.IsInf(level.Value, 0)) {
			return false
		}
	}
	return c.Numeric() && counts[0] == 0
}

// OnGroups says why a variable cannot have the role in data whose rows stand for several records each,
// or "" where it can.
func (r Role) OnGroups() string {
	switch r {
	case RoleNumericKey:
		return "groups of records do not tell how near numbers of single records are to each other"
	case RoleKey, RoleSame, RoleWeight, RoleHousehold, RoleStrata, RolePRAM, RoleSensitive, RoleLinked, RoleRemoved:
	}
	return ""
}
