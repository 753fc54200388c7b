// Package report writes pages of sections, each of lines, a table and a picture of its
// numbers, as plain text, Markdown, HTML or JSON. What a page says is settled before it
// has a form.
package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Page is a report before it has a form.
type Page struct {
	Title    string
	Chapters bool // sections are numbered, 2, and their parts, 2.1; a first section with parts is a page of its own on paper
	Sections []Section
}

// Section is lines of text, a table and a picture, each of which may be absent, and then
// its parts. The first row of a table has the names of its columns, and no row is longer
// than it. The first column names what a row is about. Parts have no parts.
type Section struct {
	Heading string
	Lines   []string
	Table   [][]string
	Entry   bool     // of a reference: Markdown has its lines as a paragraph and its rows as a list
	Picture *Picture // of numbers of the table; nil: none
	Parts   []Section
}

// Picture draws numbers of the table of its section. HTML shows it; JSON has its numbers.
type Picture struct {
	Title       string      `json:"title"`
	Description string      `json:"description"` // what the picture shows, in a sentence or two
	Kind        Kind        `json:"kind"`
	Series      []string    `json:"series"` // what the bars of a label are; of points the axes, across and up
	Labels      []string    `json:"labels"`
	Values      [][]float64 `json:"values"` // by label, of each of the series; none is below 0 or infinite; NaN: not available
}

// Kind says how a picture is drawn.
type Kind string

// The kinds of pictures.
const (
	Bars   Kind = "bars"   // from 0, one below the other
	Points Kind = "points" // in a plane
)

// NewTable returns a section with a table that has no rows yet.
func NewTable(heading string, columns ...string) Section {
	return Section{Heading: heading, Table: [][]string{columns}}
}

// Row appends a row to the table.
func (s *Section) Row(cells ...string) { s.Table = append(s.Table, cells) }

// Add appends a line.
func (s *Section) Add(format string, values ...any) {
	s.Lines = append(s.Lines, fmt.Sprintf(format, values...))
}

// WithoutEmptyColumns returns a table without the columns that have nothing under their
// heads; the first column stays.
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

// Each visits the sections and their parts in order: with depth 0 or 1, an id such as "2" or
// "2-1", and the heading behind its number.
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

// names returns the names of sections, which are made of their headings: letters and digits,
// and a dash for other characters. The second section of a name has -2 behind it.
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
