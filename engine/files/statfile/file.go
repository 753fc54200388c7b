package statfile

import (
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// File is what a file holds. Once it was read, only who takes over its columns changes them.
type File struct {
	Label     string
	Notes     []string // documents and notes, one per line
	Variables []Variable
	Rows      int
	// rows that the file says it has; less than 0: it does not say. More than Rows where fewer were asked for
	Total     int
	Weight    string   // name of the variable that weights records; "" where the file says none
	Encoding  string   // that text was decoded from, as Charset names it
	Truncated string   // in a sentence, what is missing at the end; "": the file is whole
	Warnings  []string // what is irregular, in sentences without values
	Settings  Settings // what the file's own format needs in order to be written as it was: version, compression
}

// Kind says what the values of a variable are.
type Kind uint8

// The kinds of variables and what their columns hold.
const (
	Number   Kind = iota
	Text          // a dictionary
	Date          // days since 1970-01-01
	DateTime      // seconds since 1970-01-01, without a time zone
	Time          // seconds since midnight, or a duration
	Boolean       // 1 or 0
)

// Variable is one column of a file with what the file says about it.
type Variable struct {
	Name         string
	Label        string
	Kind         Kind
	Format       string // how the program shows values, in its own words: "F8.2", "%td"
	Layout       string // how wide the program shows the column, and on which side, in its own words: "8 right"
	Width        int    // bytes that a text may have; characters in which a number is shown; 0: not said
	Level        microdata.MeasurementLevel
	Labels       []ValueLabel     // in the order of the file
	Missing      []Value          // declared missing values; they stay values in the column
	MissingRange *Range           // declared missing: all numbers within; nil: none
	Storage      string           // how values are stored, in the format's words: "byte", "str12"; "": not said
	Listed       []string         // all texts that the variable can have, in their order; nil: the file does not list them
	Roles        []microdata.Role // that the file gives the variable
	Related      []string         // names of variables that are suppressed with this one
	Column       Column
	Was          *Variable // what it was before another program changed it, which the file holds too; nil: nothing is known
}

// Value is a number, an extended missing value (see Extended), or a text.
type Value struct {
	Number float64
	Text   string
	IsText bool
}

// ValueLabel is what a value means.
type ValueLabel struct {
	Value Value
	Label string
}

// Range has both its ends; they may be infinite.
type Range struct{ From, To float64 }

// Column is the data of a variable, one of the three.
type Column struct {
	Numbers []float64 // of all kinds but Text; missing values are NaN, see Tag
	Few     *Few      // numbers with few distinct values; see ReadOptions.Compact
	Texts   *Texts
}

// Texts is a dictionary: distinct values, in any order, and a code per row.
// Code c stands for Values[c-1]; code 0 is missing, which an empty text is not.
type Texts struct {
	Values []string
	Codes  microdata.Codes

	tooLong int // row, from 1, of the first text that a Dictionary did not take; 0: none
}

// Few is a dictionary of numbers, missing ones included, each by its bits: code c
// stands for Values[c-1].
type Few struct {
	Values []float64
	Codes  microdata.Codes
}

// Expanded returns the column with all its numbers, however few differ.
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

// Like reports whether a file has the variables of another one, of the same kinds.
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
