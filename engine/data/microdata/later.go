package microdata

// Later returns the column c with the changes that another program made to obtain now, of the same length; c
// becomes its source. Cells that became missing are suppressed. If each category became one category the column is
// recoded, unless exact declares its values figures. Any other change sets the values and adds the mark.
func (c *Column) Later(now *Column, exact bool, mark Origin) *Column {
	before, after := c.Categories(), now.Categories()
	lost, gained := NewBits(c.Len()), false
	for first, pairs := range Pairs(before.Codes, after.Codes) {
		for i, pair := range pairs {
			if gained = gained || pair[0] == 0 && pair[1] != 0; pair[0] != 0 && pair[1] == 0 {
				lost.Set(first + i)
			}
		}
	}
	out := c
	if lost.Count() > 0 {
		out = c.Suppress(lost)
	}
	became := followed(before.Codes, after.Codes, len(before.Levels))
	same := became != nil
	for from, to := range became {
		same = same && (to == 0 || after.Levels[to-1].Label == before.Levels[from-1].Label)
	}
	switch {
	case same && !gained:
		return out
	case became != nil && !gained && !exact:
		return out.Regroup(out, after.Levels, became, after.Ordered)
	case now.numbers == nil:
		return out.WithCategories(now.kind, after).WithOrigin(mark)
	}
	perturbed := out.WithNumbers(now.kind, now.numbers)
	return perturbed.WithOrigin(mark)
}

// followed returns, by code before, the code that all its nonmissing records have after, 0 if it has none; nil if
// records of one category have several.
func followed(before, after Codes, levels int) []uint32 {
	became := make([]uint32, levels+1)
	for _, pairs := range Pairs(before, after) {
		for _, pair := range pairs {
			switch from, to := pair[0], pair[1]; {
			case from == 0 || to == 0 || became[from] == to:
			case became[from] == 0:
				became[from] = to
			default:
				return nil
			}
		}
	}
	return became
}
