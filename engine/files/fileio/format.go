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

// NoQuote as Format.Quote means that quotes are ordinary characters.
const NoQuote = "none"

// maxMissing is the maximum number of missing codes of a Format.
const maxMissing = 100

// Format specifies how a text file is read and written. Its JSON form is the "file" object of scripts. If
// Delimiter, Decimal, Encoding or LineEnding is empty, reading guesses it; the report of reading contains the
// complete Format.
type Format struct {
	Type      string `json:"type,omitempty"`  // type of file, "" for text; Fixed and Free require Fields
	Delimiter string `json:"delimiter"`       // one ASCII character: "," ";" "\t" "|"
	Decimal   string `json:"decimal"`         // "." or ","
	Quote     string `json:"quote,omitempty"` // one ASCII character or NoQuote; "" for the double quote
	Encoding  string `json:"encoding"`        // one of Encodings
	Header    bool   `json:"header"`          // the first record contains the names of the variables
	// missing codes besides the empty field; the first is written for newly missing cells
	Missing []string `json:"missing"`

	LineEnding     string `json:"line_ending,omitempty"`      // LF, CRLF or CR
	QuotedNames    bool   `json:"quoted_names,omitempty"`     // the names in the header are quoted
	NoFinalNewline bool   `json:"no_final_newline,omitempty"` // the last line has no line end
	// names in the file of variables that were renamed because theirs was empty or a duplicate
	Renamed map[string]string `json:"renamed,omitempty"`

	Columns []string `json:"columns,omitempty"` // names of the variables to read; nil for all
	// name of the variable with the number of records of each row of a frequency table; "" for records
	Count string `json:"count,omitempty"`
	// path of a file with the labels of variables and codes
	Codebook string `json:"codebook,omitempty"`
	// options of other file types, by name
	Options map[string]string `json:"options,omitempty"`
	// metadata of the file, which may contain names of persons: never in scripts or session files
	Metadata Metadata `json:"-"`
	// maximum bytes of memory for reading; 0 for the free memory, limited to what a file of this size can need,
	// see statfile.Usual. The result of reading does not depend on it
	MostMemory int64 `json:"-"`
	// memory of the columns; nil for the heap
	Scratch *store.Store `json:"-"`
	// for type Fixed or Free: the variables in file order, with their own missing codes
	Fields []muargus.Variable `json:"fields,omitempty"`
}

// NewFormat returns the format of plain CSV: commas, decimal points, UTF-8 and a header; empty fields are missing.
func NewFormat() Format {
	return Format{Delimiter: ",", Decimal: ".", Quote: `"`, Encoding: UTF8, Header: true, Missing: []string{""},
		LineEnding: LF}
}

// Metadata is the metadata of a file as a whole.
type Metadata struct {
	Label string   // dataset label
	Notes []string // notes of Stata or documents of SPSS, one per line
}

// Texts returns the label and the notes, without empty ones.
func (m Metadata) Texts() []string {
	return slices.DeleteFunc(append([]string{m.Label}, m.Notes...), func(text string) bool { return text == "" })
}

// UnmarshalJSON reads a format. The defaults are a header and the empty field as missing code; other omitted
// fields are guessed when a file is read.
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

// Validate returns an error that wraps ErrFormat and names the field if the format is invalid.
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

// usableMark reports whether a byte can be a delimiter, because it is not part of a number, a name or a line end.
func usableMark(b byte) bool {
	letter := b|0x20 >= 'a' && b|0x20 <= 'z'
	digit := b >= '0' && b <= '9'
	return b > 0 && b < 0x7f && !letter && !digit && !strings.ContainsRune("\r\n\"-", rune(b))
}

func usableQuote(b byte) bool {
	return b == '"' || b > ' ' && usableMark(b) && b != '.' && b != ','
}

// String describes the format in words: "delimiter comma, decimal mark point, encoding utf-8, header".
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
	decimal, header := "point", "header"
	if f.Decimal == "," {
		decimal = "comma"
	}
	if !f.Header {
		header = "no header"
	}
	if f.Type == Free {
		header += ", " + wording.Counted(len(f.Fields), "described variable")
	}
	return fmt.Sprintf("delimiter %s, decimal mark %s, encoding %s, %s", name, decimal, f.Encoding, header)
}

// dialect is a complete format in the form that parsing and writing use.
type dialect struct {
	delimiter, newline, mark byte
	quote                    byte     // 0 if none
	codes                    []string // missing codes, the empty one first
	layout                   *layout  // layout of described files; nil for delimited files
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

// addCodes adds missing codes to the empty one.
func (d *dialect) addCodes(codes []string) {
	for _, code := range codes {
		if code != "" && !slices.Contains(d.codes, code) {
			d.codes = append(d.codes, code)
		}
	}
}

// blank returns the index of the missing code that a field equals; 0 is the empty field.
func (d *dialect) blank(cell []byte) (number uint8, missing bool) {
	for i, code := range d.codes {
		if string(cell) == code {
			return uint8(i), true
		}
	}
	return 0, false
}

// needsQuotes reports whether a text must be quoted.
func (d *dialect) needsQuotes(text string) bool {
	for i := range len(text) { // one pass, because cells are short
		switch b := text[i]; {
		case b == d.delimiter, b == '\n', b == '\r', b == d.quote && d.quote != 0:
			return true
		}
	}
	return false
}

// ReadsAsMissing returns a label that occurs in the column and is a missing code of the format, so that it would
// be read as missing; ok is false if there is none. Missing cells do not count.
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

// missingLabels returns a function that reports whether a label means missing in a column of the format: as a code
// or, in a statistical file, as an extended missing value or a number declared missing, however it is spelled. It
// returns nil if no label does. If declared missing values are categories, no label means missing; if they are one
// category, its code is the only one that does not.
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

// missingCodes returns the missing codes of the column, without the empty one.
func (f Format) missingCodes(column *microdata.Column) map[string]bool {
	codes := map[string]bool{}
	for _, code := range slices.Concat(f.missingOf(column), f.Missing) {
		if code != "" {
			codes[code] = true
		}
	}
	return codes
}

// spelled returns a label in the spelling of the file.
func (f Format) spelled(column *microdata.Column, label string) string {
	if f.Decimal == "," && spellsNumber(column, label) {
		return strings.Replace(label, ".", ",", 1)
	}
	return label
}
