// Package report formats pages of sections, each with lines, a table and a picture, as plain text, Markdown, HTML
// or JSON. The content of a page does not depend on its form.
package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Page is the content of a report.
type Page struct {
	Title    string
	Chapters bool // number sections, 2, and their parts, 2.1; a first section with parts is a separate page on paper
	Sections []Section
}

// Section contains lines of text, a table and a picture, all optional, followed by its parts. The first row of a
// table contains the names of its columns and is not shorter than any other. The first column contains the names
// of the rows. Parts cannot have parts.
type Section struct {
	Heading string
	Lines   []string
	Table   [][]string
	Entry   bool     // entry of a reference: in Markdown, lines are a paragraph and rows a list
	Picture *Picture // of numbers in the table; nil if none
	Parts   []Section
}

// Picture draws numbers from the table of its section. HTML shows it; JSON contains its numbers.
type Picture struct {
	Title       string      `json:"title"`
	Description string      `json:"description"` // text alternative in a sentence or two
	Kind        Kind        `json:"kind"`
	Series      []string    `json:"series"` // names of the bars of a label, or of the horizontal and vertical axis of points
	Labels      []string    `json:"labels"`
	Values      [][]float64 `json:"values"` // by label and series, neither negative nor infinite; NaN if not available
}

// Kind is a kind of picture.
type Kind string

// The kinds of pictures.
const (
	Bars   Kind = "bars"   // horizontal bars from 0
	Points Kind = "points" // points in a plane
)

// NewTable returns a section with a table without rows.
func NewTable(heading string, columns ...string) Section {
	return Section{Heading: heading, Table: [][]string{columns}}
}

// Row appends a row to the table.
func (s *Section) Row(cells ...string) { s.Table = append(s.Table, cells) }

// Add appends a line.
func (s *Section) Add(format string, values ...any) {
	s.Lines = append(s.Lines, fmt.Sprintf(format, values...))
}

// WithoutEmptyColumns returns a table without the columns that are empty below the heading; the first column
// stays.
func WithoutEmptyColumns(table [][]string) [][]string {
	filled := map[int]bool{0: true}
	for _, row := range table[min(1, len(table)):] {
		for c, cell := range row {
			filled[c] = filled[c] || cell != "" && cell != "–"
		}
	}
	out := make([][]string, len(table))
	for r, row := range table {
		for c, cell := range row {
			if filled[c] {
				out[r] = append(out[r], cell)
			}
		}
	}
	return out
}

// Each calls visit for the sections and their parts in order, with depth 0 or 1, an id such as "2" or "2-1", and
// the numbered heading.
func (p *Page) Each(visit func(s *Section, depth int, id, heading string)) {
	one := func(s *Section, depth int, id string) {
		heading := s.Heading
		if p.Chapters {
			heading = strings.ReplaceAll(id, "-", ".") + " " + heading
		}
		visit(s, depth, id, heading)
	}
	for i := range p.Sections {
		s, id := &p.Sections[i], strconv.Itoa(i+1)
		one(s, 0, id)
		for j := range s.Parts {
			one(&s.Parts[j], 1, id+"-"+strconv.Itoa(j+1))
		}
	}
}

// names returns identifiers of sections, made from their headings: letters and digits, with dashes for other
// characters. A repeated identifier has a number appended, as in -2.
func names(sections []Section) []string {
	names, times := make([]string, len(sections)), map[string]int{}
	for i := range sections {
		words := strings.FieldsFunc(strings.ToLower(sections[i].Heading),
			func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		name := strings.Join(words, "-")
		if times[name]++; times[name] > 1 {
			name += "-" + strconv.Itoa(times[name])
		}
		names[i] = name
	}
	return names
}
