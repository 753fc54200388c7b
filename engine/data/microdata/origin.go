package microdata

// Origin says where the values of a column come from, other than from the file:
// a set of marks that methods leave. Recodes and suppressions keep the marks;
// what they did is told by Column.Recoded and Column.Suppressed. Which figures
// mean something depends on it, not on the steps that were made.
type Origin uint8

// The marks.
const (
	// values were changed by random amounts, averaged or swapped, as by noise, microaggregation or record swapping
	Perturbed Origin = 1 << iota
	Drawn            // values were drawn anew, as by PRAM
	Synthetic        // values were made by a model of the data
)

// Origins are the marks of the variables that have some, by name.
type Origins map[string]Origin

// Origins returns the marks of the columns; nil where no column has one.
func (d *Dataset) Origins() Origins {
	var origins Origins
	for _, column := range d.columns {
		if column.origin != 0 {
			if origins == nil {
				origins = Origins{}
			}
			origins[column.name] = column.origin
		}
	}
	return origins
}

// Having returns those of the variables that have one of the marks, in their order.
func (o Origins) Having(marks Origin, variables []string) []string {
	var having []string
	for _, name := range variables {
		if o[name]&marks != 0 {
			having = append(having, name)
		}
	}
	return having
}

// Origin returns the marks of the column; 0 where its values are those of the file.
func (c *Column) Origin() Origin { return c.origin }

// WithOrigin returns the column with more marks: for methods that change values.
// Source stays without them, so that a
// reset takes them away.
func (c *Column) WithOrigin(marks Origin) *Column {
	out := c.copy()
	out.origin |= marks
	switch {
	case c.ground != nil:
		ground := c.ground.copy()
		ground.origin |= marks
		ground.ground = ground
		out.ground = ground.finish()
	case c.source == nil:
		return out.grounded(c)
	}
	return out.finish()
}

// DrawnWith returns the column as one whose values were drawn anew with a seed.
func (c *Column) DrawnWith(seed uint64) *Column { return c.seeded(Drawn, seed) }

// PerturbedWith returns the column as one whose values were changed by random
// amounts that were drawn with a seed.
func (c *Column) PerturbedWith(seed uint64) *Column { return c.seeded(Perturbed, seed) }

// SyntheticWith returns the column as one whose values a model of the data made, by
// what was drawn with a seed.
func (c *Column) SyntheticWith(seed uint64) *Column { return c.seeded(Synthetic, seed) }

func (c *Column) seeded(marks Origin, seed uint64) *Column {
	out := c.WithOrigin(marks)
	out.draws = append(out.draws[:len(out.draws):len(out.draws)], seed)
	return out
}

// Draws returns how often values of the column were drawn anew with a seed.
func (c *Column) Draws(seed uint64) int {
	count := 0
	for _, drawn := range c.draws {
		if drawn == seed {
			count++
		}
	}
	return count
}

// MadeOf returns a column that was not part of a dataset yet with the marks of
// those that its values were made of. They are its own for good: a reset does not
// take them away.
func (c *Column) MadeOf(columns ...*Column) *Column {
	out := c.copy()
	for _, column := range columns {
		out.origin |= column.origin
	}
	return out.finish()
}
