package statfile

import (
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// File is the content of a file. After reading, it is modified only by code that takes ownership of its columns.
type File struct {
	Label     string
	Notes     []string // documents and notes, one per line
	Variables []Variable
	Rows      int
	// number of rows in the file, more than Rows if fewer were requested; negative if unknown
	Total     int
	Weight    string   // name of the weight variable, or ""
	Encoding  string   // encoding of its texts, as Charset names it
	Truncated string   // sentence on what is missing at the end; "" if the file is complete
	Warnings  []string // sentences about irregularities, without values
	Settings  Settings // settings for writing the file in the same way: version, compression
}

// Kind is the type of the values of a variable.
type Kind uint8

// The kinds of variables and the contents of their columns.
const (
	Number   Kind = iota
	Text          // a dictionary
	Date          // days since 1970-01-01
	DateTime      // seconds since 1970-01-01, without a time zone
	Time          // seconds since midnight, or duration in seconds
	Boolean       // 1 or 0
)

// Variable is a column of a file with its metadata.
type Variable struct {
	Name         string
	Label        string
	Kind         Kind
	Format       string // display format in the notation of the program: "F8.2", "%td"
	Layout       string // display width and alignment in the notation of the program: "8 right"
	Width        int    // maximum bytes of a text, or display width of a number; 0 if unknown
	Level        microdata.MeasurementLevel
	Labels       []ValueLabel     // in file order
	Missing      []Value          // declared missing values, which remain values in the column
	MissingRange *Range           // closed range of declared missing values; nil if none
	Storage      string           // storage type in the notation of the format: "byte", "str12"; "" if unknown
	Listed       []string         // all possible texts in order; nil if the file does not list them
	Roles        []microdata.Role // declared by the file
	Related      []string         // names of variables suppressed together with this one
	Column       Column
	Was          *Variable // the variable before another program changed it, if the file contains it; nil otherwise
}

// Value is a number, an extended missing value (see Extended), or a text.
type Value struct {
	Number float64
	Text   string
	IsText bool
}

// ValueLabel is the label of a value.
type ValueLabel struct {
	Value Value
	Label string
}

// Range is a closed interval; its ends may be infinite.
type Range struct{ From, To float64 }

// Column is the data of a variable, in one of three forms.
type Column struct {
	Numbers []float64         // for all kinds except Text; missing values are NaN, see Tag
	Few     *NumberDictionary // numbers with few distinct values; see ReadOptions.Compact
	Texts   *Texts
}

// Texts is a dictionary: distinct values, in any order, and a code per row. Code c is Values[c-1]; code 0 is
// missing, unlike an empty text.
type Texts struct {
	Values []string
	Codes  microdata.Codes

	tooLong int // row, from 1, of the first text that was too long for a Dictionary; 0 if none
}

// NumberDictionary is a dictionary of numbers, including missing ones, distinct by their bits: code c is Values[c-1].
type NumberDictionary struct {
	Values []float64
	Codes  microdata.Codes
}

// Expanded returns the column with a NumberDictionary converted to Numbers.
func (c Column) Expanded() Column {
	if c.Few == nil {
		return c
	}
	numbers := make([]float64, c.Few.Codes.Len())
	for row := range numbers {
		numbers[row] = math.NaN()
		if code := c.Few.Codes.At(row); code > 0 {
			numbers[row] = c.Few.Values[code-1]
		}
	}
	return Column{Numbers: numbers}
}

// Like reports whether two files have the same variables, of the same kinds.
func (f *File) Like(other *File) bool {
	return slices.EqualFunc(f.Variables, other.Variables, func(a, b Variable) bool { return a.Name == b.Name && a.Kind == b.Kind })
}

// Len returns the number of rows.
func (c *Column) Len() int {
	switch {
	case c.Texts != nil:
		return c.Texts.Codes.Len()
	case c.Few != nil:
		return c.Few.Codes.Len()
	}
	return len(c.Numbers)
}
