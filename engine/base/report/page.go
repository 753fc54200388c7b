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
	Sections []Section
}

// Section is a part of a report: lines of text and a table, either of which
// may be empty. The first row of a table has the names of its columns, and no row is
// longer than it. The first column names what a row is of.
type Section struct {
	Heading string
	Lines   []string
	Table   [][]string
	Picture *Picture // of numbers of the table; nil: none
}

// Picture draws numbers that the table of its section has: HTML shows it, JSON has its
// numbers as they are.
type Picture struct {
	Title       string      `json:"title"`
	Description string      `json:"description"` // what is to be seen, in a sentence or two
	Kind        Kind        `json:"kind"`
	Series      []string    `json:"series"` // what the bars of a label are; of points the axes, across and up
	Labels      []string    `json:"labels"`
	Values      [][]float64 `json:"values"` // by label, of each of the series; none is below 0, NaN or infinite
}

// Kind says how a picture is drawn.
type Kind string

// The kinds of pictures.
const (
	Bars   Kind = "bars"   // from 0, one below the other
	Points Kind = "points" // in a plane
)

// Add appends a line.
func (s *Section) Add(format string, values ...any) {
	s.Lines = append(s.Lines, fmt.Sprintf(format, values...))
}

// names returns the names of the sections, made of their headings: letters and digits,
// others as a dash, and a number behind one that was there before.
func (p *Page) names() []string {
	names, times := make([]string, len(p.Sections)), map[string]int{}
	for i := range p.Sections {
		words := strings.FieldsFunc(strings.ToLower(p.Sections[i].Heading),
			func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		name := strings.Join(words, "-")
		if times[name]++; times[name] > 1 {
			name += "-" + strconv.Itoa(times[name])
		}
		names[i] = name
	}
	return names
}
