package database

// values are what the rows after the steps have in the columns that were changed.
type values struct {
	columns []released // that were changed
	texts   [][]*string
	known   []map[string]*string // texts: few are those of many rows
	blank   [][]int64            // a digit of two for each of blanksTogether columns: 1 where the cell became missing
}

// blanksTogether is for how many columns one number tells which cells became missing.
const blanksTogether = 62

// add adds a row; of -1 all cells are missing.
func (v *values) add(row int) {
	for i := range v.blank {
		v.blank[i] = append(v.blank[i], 0)
	}
	for i, c := range v.columns {
		var text *string
		if row >= 0 && !c.blanked && !c.column.Missing(row) {
			label := c.column.Text(row)
			if text = v.known[i][label]; text == nil {
				text, v.known[i][label] = &label, &label
			}
		}
		v.texts[i] = append(v.texts[i], text)
		if c.emptied(row) {
			numbers := v.blank[i/blanksTogether]
			numbers[len(numbers)-1] |= 1 << (i % blanksTogether)
		}
	}
}

// leaveOut adds a row that is left out: no digits are negative.
func (v *values) leaveOut() {
	for i := range v.blank {
		v.blank[i] = append(v.blank[i], -1)
	}
}

// ofBlanks returns which cells became missing as columns of a relation.
func (v *values) ofBlanks() (out []uploaded) {
	for i, numbers := range v.blank {
		out = append(out, uploaded{name: v.columns[i*blanksTogether].blanks(), numbers: numbers})
	}
	return out
}

// uploaded returns the values as columns of a relation.
func (v *values) uploaded() []uploaded {
	out := v.ofBlanks()
	for i, c := range v.columns {
		if !c.blanked {
			out = append(out, uploaded{name: c.value(), texts: v.texts[i]})
		}
	}
	return out
}

// newValues returns the values of those of some columns that are in a set.
func newValues(columns []released, set string) *values {
	v := &values{}
	for _, c := range columns {
		if c.changed && c.set == set {
			v.columns = append(v.columns, c)
		}
	}
	v.texts, v.blank = make([][]*string, len(v.columns)), make([][]int64, (len(v.columns)+blanksTogether-1)/blanksTogether)
	v.known = make([]map[string]*string, len(v.columns))
	for i := range v.texts {
		v.texts[i], v.known[i] = []*string{}, map[string]*string{}
	}
	for i := range v.blank {
		v.blank[i] = []int64{}
	}
	return v
}
