package microdata

// Later returns the column as one that had these values until another program gave it those of
// now, which is as long: the column is its source. Cells that became missing are suppressed;
// where each category became one category it is recoded, unless exact says that its values are
// figures; other values have the mark.
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

// followed returns by code before the one that all records with it have now, 0 if none has
// one; nil if records of one category have several.
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
