package microdata

// Spelling describes how a text file spells the values of a variable and which missing code each missing cell has.
// It belongs to a dataset, see Dataset.WithSpellings, and is indexed by record of the source. In the zero value,
// nothing is quoted and missing cells are empty fields. It is shared and must not be modified.
type Spelling struct {
	Missing []MissingSpelling // spellings of missing cells; if none, the empty field
	Of      Codes             // index into Missing by record; if empty, 0 for all
	Quoted  bool              // all values are quoted
}

// MissingSpelling is the spelling of a missing cell in a text file.
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

// WithSpellings returns the dataset with the spellings of its variables in the source, by name. Datasets derived
// from it share them. The map must not be modified afterwards.
func (d *Dataset) WithSpellings(spellings map[string]*Spelling) *Dataset {
	out := *d
	out.spellings = spellings
	return &out
}

// Spelling returns the spelling of a variable in the source; it is never nil.
func (d *Dataset) Spelling(name string) *Spelling {
	if spelling := d.spellings[name]; spelling != nil {
		return spelling
	}
	return &Spelling{}
}

// Respelled returns the missing code to write for a cell that was missing in the source: the i-th missing code
// declared by the source becomes the i-th of the column, or the last if the column has fewer.
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
