package fileio

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
)

// Names of encodings in a Format.
const (
	UTF8        = "utf-8"
	UTF8BOM     = "utf-8-bom" // with a byte order mark
	UTF16LE     = "utf-16le"
	UTF16LEBOM  = "utf-16le-bom"
	UTF16BE     = "utf-16be"
	UTF16BEBOM  = "utf-16be-bom"
	Windows1252 = "windows-1252"
	Latin1      = "latin-1"
)

// Encodings returns the names of all encodings.
func Encodings() []string {
	return []string{UTF8, UTF8BOM, Windows1252, Latin1, UTF16LE, UTF16LEBOM, UTF16BE, UTF16BEBOM}
}

// Names of line endings in a Format.
const (
	LF   = "lf"
	CRLF = "crlf"
	CR   = "cr"
)

// NoQuote as the quote of a Format says that quotes are text like any other.
const NoQuote = "none"

// maxMissing is the number of missing codes a Format can have.
const maxMissing = 100

// Format says how a text file is read and written. Its JSON form is the "file"
// object of scripts. Where Delimiter, Decimal, Encoding or LineEnding are
// empty, reading guesses them; the report of reading has the complete Format.
type Format struct {
	Type      string `json:"type,omitempty"`  // kind of file; "": text. Fixed and Free need Fields
	Delimiter string `json:"delimiter"`       // one ASCII character: "," ";" "\t" "|"
	Decimal   string `json:"decimal"`         // "." or ","
	Quote     string `json:"quote,omitempty"` // one ASCII character or NoQuote; "": the double quote
	Encoding  string `json:"encoding"`        // one of Encodings
	Header    bool   `json:"header"`          // the first record has the names of the variables
	// missing codes; the empty field is always missing. The first one is written for cells that became missing
	Missing []string `json:"missing"`

	LineEnding     string `json:"line_ending,omitempty"`      // LF, CRLF or CR
	QuotedNames    bool   `json:"quoted_names,omitempty"`     // the names of the first record are in quotes
	NoFinalNewline bool   `json:"no_final_newline,omitempty"` // the last line ends with the file
	// names as spelled in the file, of variables that got another because theirs was empty or taken
	Renamed map[string]string `json:"renamed,omitempty"`

	Columns []string `json:"columns,omitempty"` // names of the variables that are read; none: all
	// name of the variable that says how many records a row stands for: the data are a frequency table; "": they are records
	Count string `json:"count,omitempty"`
	// file beside a text file that says what variables and codes mean
	Codebook string `json:"codebook,omitempty"`
	// of kinds of files that are no text: what can be chosen, by the names of their own
	Options map[string]string `json:"options,omitempty"`
	// what the file says of itself as a whole, which can name anybody: in no script or session file
	Metadata Metadata `json:"-"`
	// bytes of memory that reading may take; 0: what is free, and no more than records of a file of
	// that size have, see statfile.Usual. How a file is read does not depend on it
	MostMemory int64 `json:"-"`
	// of the columns that are read; nil: they are in memory
	Scratch *store.Store `json:"-"`
	// of files of type Fixed or Free: the variables, with missing codes of their own, in file order
	Fields []muargus.Variable `json:"fields,omitempty"`
}

// NewFormat returns the format of plain CSV: commas, decimal points, UTF-8, a
// header, the empty field missing.
func NewFormat() Format {
	return Format{Delimiter: ",", Decimal: ".", Quote: `"`, Encoding: UTF8, Header: true, Missing: []string{""},
		LineEnding: LF}
}

// Metadata is what a file says of itself as a whole.
type Metadata struct {
	Label string   // of the data set
	Notes []string // notes of Stata, documents of SPSS, a line each
}

// Texts returns the label and the notes that are not empty.
func (m Metadata) Texts() []string {
	return slices.DeleteFunc(append([]string{m.Label}, m.Notes...), func(text string) bool { return text == "" })
}

// UnmarshalJSON reads a format. A header and the empty field as the missing
// code are assumed where nothing is said; other fields left out are guessed
// when a file is read.
func (f *Format) UnmarshalJSON(text []byte) error {
	type plain Format
	read := plain{Header: true}
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	if read.Missing == nil {
		read.Missing = []string{""}
	}
	*f = Format(read)
	return nil
}

// Validate reports a format that no file can have; the error wraps ErrFormat
// and names the field.
func (f *Format) Validate() error {
	if err := f.validateFields(); err != nil {
		return err
	}
	if len(f.Delimiter) > 1 || f.Delimiter != "" && !usableMark(f.Delimiter[0]) {
		return failure(ErrFormat,
			"delimiter %s: it must be one ASCII character other than a letter, digit, line break, minus sign or quote",
			quotedName(f.Delimiter))
	}
	if f.Decimal != "" && f.Decimal != "." && f.Decimal != "," {
		return failure(ErrFormat, `decimal mark %s: it must be "." or ","`, quotedName(f.Decimal))
	}
	if f.Quote != "" && f.Quote != NoQuote && (len(f.Quote) > 1 || !usableQuote(f.Quote[0]) || f.Quote == f.Delimiter) {
		return failure(ErrFormat, "quote %s: it must be one ASCII character such as \" or ', or %q", quotedName(f.Quote),
			NoQuote)
	}
	if f.Encoding != "" && !slices.Contains(Encodings(), f.Encoding) {
		return failure(ErrFormat, "unknown encoding %s; known encodings are %s", quotedName(f.Encoding),
			strings.Join(Encodings(), ", "))
	}
	if !slices.Contains([]string{"", LF, CRLF, CR}, f.LineEnding) {
		return failure(ErrFormat, "line ending %s: it must be %q, %q or %q", quotedName(f.LineEnding), LF, CRLF, CR)
	}
	if declared := []string{"", declaredMissing, declaredCategory, declaredApart}; !slices.Contains(declared,
		f.Options[optionMissing]) {
		return failure(ErrFormat, "declared missing values %s: it must be %q, %q or %q",
			quotedName(f.Options[optionMissing]), declaredMissing, declaredCategory, declaredApart)
	}
	return f.validateMissing()
}

func (f *Format) validateMissing() error {
	if len(f.Missing) > maxMissing {
		return failure(ErrFormat, "%d missing-value codes; at most %d are allowed", len(f.Missing), maxMissing)
	}
	for i, code := range f.Missing {
		if strings.ContainsAny(code, "\r\n") || slices.Contains(f.Missing[:i], code) {
			return failure(ErrFormat, "missing-value code %d: it is given twice or contains a line break", i+1)
		}
	}
	return nil
}

// usableMark reports whether a byte can stand between fields without being
// mistaken for part of a number, a name or the end of a line.
func usableMark(b byte) bool {
	letter := b|0x20 >= 'a' && b|0x20 <= 'z'
	digit := b >= '0' && b <= '9'
	return b > 0 && b < 0x7f && !letter && !digit && !strings.ContainsRune("\r\n\"-", rune(b))
}

func usableQuote(b byte) bool {
	return b == '"' || b > ' ' && usableMark(b) && b != '.' && b != ','
}

// String returns the format in words: "comma, decimal point, utf-8, header".
func (f Format) String() string {
	switch f.Type {
	case "", delimitedText, Free:
	case Fixed:
		return strings.Join([]string{"fixed positions", wording.Counted(len(f.Fields), "described variable"), f.Encoding},
			", ")
	default:
		return f.Type
	}
	name, known := map[string]string{",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}[f.Delimiter]
	if !known {
		name = fmt.Sprintf("%q", f.Delimiter)
	}
	decimal, header := "decimal point", "header"
	if f.Decimal == "," {
		decimal = "decimal comma"
	}
	if !f.Header {
		header = "no header"
	}
	if f.Type == Free {
		header += ", " + wording.Counted(len(f.Fields), "described variable")
	}
	return strings.Join([]string{name, decimal, f.Encoding, header}, ", ")
}

// dialect is a complete format in the form that parsing and writing need.
type dialect struct {
	delimiter, newline, mark byte
	quote                    byte     // 0: none
	codes                    []string // missing codes, the empty one first
	layout                   *layout  // of described files; nil: delimiters and quotes tell the fields
}

func (f *Format) dialect() *dialect {
	d := &dialect{newline: '\n', mark: f.Decimal[0], codes: []string{""}, layout: f.layout()}
	if f.Delimiter != "" {
		d.delimiter = f.Delimiter[0]
	}
	if f.Quote == "" {
		d.quote = '"'
	} else if f.Quote != NoQuote {
		d.quote = f.Quote[0]
	}
	if f.LineEnding == CR {
		d.newline = '\r'
	}
	d.addCodes(f.Missing)
	return d
}

// addCodes adds missing codes; the empty one is there already.
func (d *dialect) addCodes(codes []string) {
	for _, code := range codes {
		if code != "" && !slices.Contains(d.codes, code) {
			d.codes = append(d.codes, code)
		}
	}
}

// blank returns the number of the missing code that a field is; 0 is the empty field.
func (d *dialect) blank(cell []byte) (number uint8, missing bool) {
	for i, code := range d.codes {
		if string(cell) == code {
			return uint8(i), true
		}
	}
	return 0, false
}

// needsQuotes reports whether a text must be written in quotes.
func (d *dialect) needsQuotes(text string) bool {
	for i := range len(text) { // one pass: cells are short
		switch b := text[i]; {
		case b == d.delimiter, b == '\n', b == '\r', b == d.quote && d.quote != 0:
			return true
		}
	}
	return false
}

// ReadsAsMissing returns a label of the column that stands in some record and
// that is a missing code of the format: written, it would be lost on reading.
// ok is false where there is none. Cells that are missing are none.
func (f Format) ReadsAsMissing(column *microdata.Column) (label string, ok bool) {
	missing := f.missingLabels(column)
	if missing == nil || column.StoredAsNumbers() != nil {
		return "", false
	}
	categories := column.Categories()
	for i, level := range categories.Levels {
		if categories.Counts()[i+1] > 0 && missing(level.Label) {
			return f.spelled(column, level.Label), true
		}
	}
	return "", false
}

// missingLabels returns the test whether a label stands for missing in a column of the
// format: as a code, or in a file of a statistics program as a number that is declared
// missing, however it is spelled, or an extended missing value; nil: none does. Where
// declared missing values are categories, none stands for missing; where they are one, its
// code is the only one that is a category.
func (f Format) missingLabels(column *microdata.Column) func(label string) bool {
	codes, said, become := f.missingCodes(column), column.Described(), cmp.Or(f.Options[optionMissing], declaredMissing)
	numbers, category := said.Numbers && !f.Text() && become != declaredApart, ""
	one := become == declaredCategory && !f.Text()
	if was := column.Source().Described(); one {
		category = missingCategory(&was)
	}
	if become != declaredMissing {
		for _, code := range said.Missing {
			codes[code] = one
		}
	}
	if len(codes) == 0 && !numbers {
		return nil
	}
	declared := said.MissingNumbers()
	return func(label string) bool {
		return label != category &&
			(codes[f.spelled(column, label)] ||
				numbers && (microdata.ExtendedMissing(label) || !declared.None() && declared.Has(microdata.LabelNumber(label))))
	}
}

// missingCodes returns the codes, other than none, that stand for missing.
func (f Format) missingCodes(column *microdata.Column) map[string]bool {
	codes := map[string]bool{}
	for _, code := range slices.Concat(f.missingOf(column), f.Missing) {
		if code != "" {
			codes[code] = true
		}
	}
	return codes
}

// spelled returns a label as it is written.
func (f Format) spelled(column *microdata.Column, label string) string {
	if f.Decimal == "," && spellsNumber(column, label) {
		return strings.Replace(label, ".", ",", 1)
	}
	return label
}
