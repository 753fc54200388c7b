package statfile

// Dictionary gathers the texts of rows. The zero value is ready; it is for one
// goroutine.
type Dictionary struct {
	index  map[string]uint32
	values []string
	codes  []uint32
	last   uint32 // code of the row before
}

// NewDictionary returns a dictionary with room for rows.
func NewDictionary(rows int) *Dictionary { return &Dictionary{codes: make([]uint32, 0, rows)} }

// Add adds a row with a text; the bytes may change afterwards.
func (d *Dictionary) Add(text []byte) {
	if d.last != 0 && d.values[d.last-1] == string(text) {
		d.codes = append(d.codes, d.last)
		return
	}
	code, known := d.index[string(text)]
	if !known {
		code = d.enter(string(text))
	}
	d.last = code
	d.codes = append(d.codes, code)
}

// AddMissing adds a row without a value.
func (d *Dictionary) AddMissing() { d.codes = append(d.codes, 0) }

// Code returns the code of a text, which no row need have.
func (d *Dictionary) Code(text string) uint32 {
	if code, known := d.index[text]; known {
		return code
	}
	return d.enter(text)
}

// AddCode adds a row with a code of Code, 0: missing.
func (d *Dictionary) AddCode(code uint32) { d.codes = append(d.codes, code) }

func (d *Dictionary) enter(text string) uint32 {
	if d.index == nil {
		d.index = map[string]uint32{}
	}
	d.values = append(d.values, text)
	code := uint32(len(d.values))
	d.index[text] = code
	return code
}

// Texts returns what was gathered; the dictionary must not be used any more.
func (d *Dictionary) Texts() *Texts { return &Texts{Values: d.values, Codes: d.codes} }
