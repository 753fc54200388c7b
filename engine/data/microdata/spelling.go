package microdata

// Spelling says how a file spells the values of one variable, and which missing code each
// missing cell has. It lives beside the columns, see Dataset.WithSpellings, and
// goes by the numbers of the records in the source. The zero value: nothing is
// in quotes, and missing cells are empty fields. It is shared and must not be
// changed.
type Spelling struct {
	Missing []MissingSpelling // those of missing cells; none: the empty field
	Of      Codes             // which of Missing, per record, from 0; empty: the first for all
	Quoted  bool              // all values are in quotes
}

// MissingSpelling is how a missing cell stands in a text file.
type MissingSpelling struct {
	Text   string
	Quoted bool
}

// OfMissing returns the spelling of the missing cell of a record of the source.
func (s *Spelling) OfMissing(record int) MissingSpelling {
	switch {
	case len(s.Missing) == 0:
		return MissingSpelling{}
	case s.Of.Len() == 0:
		return s.Missing[0]
	default:
		return s.Missing[s.Of.At(record)]
	}
}

// WithSpellings returns the dataset with the spellings of its variables in the
// source, by name. All datasets that are made of it have them too. The map is
// kept and must not be changed.
func (d *Dataset) WithSpellings(spellings map[string]*Spelling) *Dataset {
	out := *d
	out.spellings = spellings
	return &out
}

// Spelling returns how the source spelled the cells of a variable; never nil.
func (d *Dataset) Spelling(name string) *Spelling {
	if spelling := d.spellings[name]; spelling != nil {
		return spelling
	}
	return &Spelling{}
}

// Respelled returns how a missing cell that the source spelled so is written
// now: the first missing code that the source declares has become the first of
// the column, and so on; of a column with fewer codes the last.
func (c *Column) Respelled(spelling string) string {
	then := c.Source().description
	if c.description == then || c.description == nil || then == nil || len(c.description.Missing) == 0 {
		return spelling
	}
	for place, code := range then.Missing {
		if code == spelling {
			return c.description.Missing[min(place, len(c.description.Missing)-1)]
		}
	}
	return spelling
}
