package fileio

import (
	"cmp"
	"encoding/csv"
	"encoding/xml"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Column names of a CSV codebook.
const (
	bookVariable   = "variable"
	bookLabel      = "label"
	bookValue      = "value"
	bookValueLabel = "value_label"
	bookMissing    = "missing"
)

// bookEntry is a variable in a codebook, as spelled in the file.
type bookEntry struct {
	name, label string
	values      []bookValueOf
}

// bookValueOf is a value in a codebook.
type bookValueOf struct {
	code, label string
	missing     bool
}

// codebookText returns a codebook for a text file, in the form that readCodebook parses: DDI-Codebook if the path
// ends in .xml, else CSV, in UTF-8. It contains all variables that are written; a range of missing values becomes
// its codes that occur. The error wraps ErrFormat if the file contains the labels itself, or ErrNoLabels if there
// are none.
func codebookText(path, of string, d *microdata.Dataset, f Format, o WriteOptions) (string, error) {
	if !takesCodebook(f) {
		return "", failure(ErrFormat, "a codebook is written only for text files such as .csv; %s holds its labels itself",
			filepath.Base(of))
	}
	if filepath.Clean(path) == filepath.Clean(of) {
		return "", failure(ErrFormat, "%s is the name of both the data file and the codebook; choose another name", path)
	}
	var entries []bookEntry
	says := false
	for _, column := range o.kept(d) {
		entry := bookEntryOf(column, d, f)
		says = says || entry.label != "" || len(entry.values) > 0
		if o.GuardFormulas {
			entry.guard(column, f.dialect().mark)
		}
		entries = append(entries, entry)
	}
	if !says {
		return "", failure(ErrNoLabels, "no variable has labels or missing-value codes: no codebook is written")
	}
	if strings.EqualFold(filepath.Ext(path), ".xml") {
		return bookAsDDI(filepath.Base(of), entries)
	}
	return bookAsCSV(entries)
}

func takesCodebook(f Format) bool { return f.Text() && !f.described() }

// GuardsFormulas reports whether WriteOptions.GuardFormulas applies to the file at path: only in delimited text
// can a spreadsheet mistake text for a formula.
func GuardsFormulas(path string, f Format) bool { return takesCodebook(FormatFor(path, f)) }

// CodebookFits reports whether a codebook for the file at path would contain labels or missing codes.
func CodebookFits(path string, d *microdata.Dataset, f Format, o WriteOptions) bool {
	return takesCodebook(FormatFor(path, f)) && slices.ContainsFunc(o.kept(d), func(column *microdata.Column) bool {
		said := column.Described()
		return said.Label != "" || len(said.Labels)+len(said.Missing) > 0
	})
}

// bookEntryOf returns the entry of a column. Its missing codes are the declared ones, and the spellings of missing
// cells that are not missing codes of the whole file. Codes merged with another are left out.
func bookEntryOf(column *microdata.Column, d *microdata.Dataset, f Format) bookEntry {
	said, joined := column.Described(), joinedCodes(d, column, f)
	spelled := d.Spelling(column.Name()).Missing
	if f.Options[optionMissing] == declaredCategory && column.StoredAsNumbers() == nil {
		spelled = nil // they are categories
	}
	missing, declared := slices.Clone(said.Missing), said.DeclaredMissing()
	missing = slices.DeleteFunc(missing, func(code string) bool { // codes that were renamed, or that now name other categories
		return slices.Contains(slices.Collect(maps.Values(said.CodeOf)), code) || occurs(column, code) && !declared(code)
	})
	for _, name := range categoriesOfMissing(column) {
		if !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	for _, kind := range spelled {
		if kind.Text != "" && !slices.Contains(f.Missing, kind.Text) && !slices.Contains(missing, kind.Text) {
			missing = append(missing, kind.Text)
		}
	}
	codes := slices.Collect(maps.Keys(said.Labels))
	for _, code := range missing {
		if _, labelled := said.Labels[code]; !labelled && code != "" {
			codes = append(codes, code)
		}
	}
	codes = slices.DeleteFunc(codes, func(code string) bool { return slices.Contains(joined, code) })
	slices.SortFunc(codes, compareCodes)
	entry := bookEntry{name: column.Name(), label: said.Label}
	for _, code := range codes {
		entry.values = append(entry.values, bookValueOf{code, said.Labels[code], slices.Contains(missing, code)})
	}
	return entry
}

// compareCodes orders codes: numbers by value, then other codes.
func compareCodes(a, b string) int {
	x, y := microdata.LabelNumber(a), microdata.LabelNumber(b)
	switch {
	case x == x && y == y && x != y:
		return cmp.Compare(x, y)
	case (x == x) != (y == y):
		return cmp.Compare(y, x) // cmp orders NaN first
	}
	return strings.Compare(a, b)
}

// guard adds apostrophes to codes as the text file does, and to labels.
func (e *bookEntry) guard(column *microdata.Column, mark byte) {
	safe := func(text string) string {
		text, _ = guarded(text, mark)
		return text
	}
	e.name, e.label = safe(e.name), safe(e.label)
	for i := range e.values {
		value := &e.values[i]
		if value.label = safe(value.label); (!value.missing || occurs(column, value.code)) &&
			!spellsNumber(column, value.code) {
			value.code = safe(value.code)
		}
	}
}

func bookAsCSV(entries []bookEntry) (string, error) {
	var out strings.Builder
	w := csv.NewWriter(&out)
	lines := [][]string{{bookVariable, bookLabel, bookValue, bookValueLabel, bookMissing}}
	for _, entry := range entries {
		lines = append(lines, []string{entry.name, entry.label, "", "", ""})
		for _, value := range entry.values {
			lines = append(lines, []string{entry.name, "", value.code, value.label, map[bool]string{true: "yes"}[value.missing]})
		}
	}
	err := w.WriteAll(lines)
	return out.String(), err
}

// ddiBook is a codebook in DDI-Codebook 2.5.
type ddiBook struct {
	XMLName   xml.Name `xml:"ddi:codebook:2_5 codeBook"`
	Version   string   `xml:"version,attr"`
	Title     string   `xml:"stdyDscr>citation>titlStmt>titl"`
	Variables []ddiOut `xml:"dataDscr>var"`
}

// ddiOut is a variable in DDI-Codebook.
type ddiOut struct {
	ID         string        `xml:"ID,attr"`
	Name       string        `xml:"name,attr"`
	Label      string        `xml:"labl,omitempty"`
	Invalid    *ddiInvalid   `xml:"invalrng"`
	Categories []ddiCategory `xml:"catgry"`
}

// ddiInvalid has at least one code.
type ddiInvalid struct {
	Items []ddiItem `xml:"item"`
}

type ddiItem struct {
	Value string `xml:"VALUE,attr"`
}

type ddiCategory struct {
	Missing string `xml:"missing,attr,omitempty"`
	Value   string `xml:"catValu"`
	Label   string `xml:"labl,omitempty"`
}

func bookAsDDI(title string, entries []bookEntry) (string, error) {
	book := ddiBook{Version: "2.5", Title: title}
	for i, entry := range entries {
		v := ddiOut{ID: "V" + strconv.Itoa(i+1), Name: entry.name, Label: entry.label}
		for _, value := range entry.values {
			category := ddiCategory{Value: value.code, Label: value.label}
			if value.missing {
				if category.Missing = "Y"; v.Invalid == nil {
					v.Invalid = &ddiInvalid{}
				}
				v.Invalid.Items = append(v.Invalid.Items, ddiItem{value.code})
			}
			v.Categories = append(v.Categories, category)
		}
		book.Variables = append(book.Variables, v)
	}
	content, err := xml.MarshalIndent(&book, "", "  ")
	return xml.Header + string(content) + "\n", err
}
