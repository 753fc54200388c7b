// Package report writes pages of sections, each of lines and a table, as plain text,
// Markdown or HTML. What a page says is settled before it has a form.
package report

import "fmt"

// Page is a report before it has a form.
type Page struct {
	Title    string
	Sections []Section
}

// Section is a part of a report: lines of text and a table, either of which
// may be empty. The first row of a table has the names of its columns, and no row is
// longer than it.
type Section struct {
	Heading string
	Lines   []string
	Table   [][]string
}

// Add appends a line.
func (s *Section) Add(format string, values ...any) {
	s.Lines = append(s.Lines, fmt.Sprintf(format, values...))
}
