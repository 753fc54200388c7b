package session

import (
	"fmt"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Tables returns the comparison as tables of texts with headings in the first row: the figures, with the
// difference of B to A and a mark at the better one, the variables that differ, and the first records that differ.
func (c *Comparison) Tables() (figures, variables, records [][]string) {
	figures = [][]string{{"figure", c.A, c.B, "difference"}}
	spelt := c.figureTexts()
	for i := range c.Figures {
		f := &c.Figures[i]
		texts := append([]string{f.Title()}, spelt[i]...)
		if better := f.Better(); better < 0 {
			texts[1] = "* " + texts[1]
		} else if better > 0 {
			texts[2] = "* " + texts[2]
		}
		figures = append(figures, texts)
	}
	variables = [][]string{{"variable", "cells that differ", "missing or suppressed", "categories"}}
	for _, v := range c.Variables {
		both := func(a, b int) string { return countText(a, v.InA) + " → " + countText(b, v.InB) }
		variables = append(variables, []string{v.Name, countText(v.Cells, v.InA && v.InB), both(v.MissingA, v.MissingB),
			both(v.LevelsA, v.LevelsB)})
	}
	for _, r := range c.Records {
		records = append(records, []string{wording.Number(r.Record), wording.Joined(r.Cells, ", ", CellOfTwo.text)})
	}
	return figures, variables, records
}

// Mark explains the mark of a better figure.
const Mark = "* lower risk or lower information loss"

// figureTexts formats A, B, and by how much B is above or below A: "=" if they are equal, "" if one of them has none.
func (c *Comparison) figureTexts() [][]string {
	var values []*measure.Value
	for i := range c.Figures {
		f := &c.Figures[i]
		values = append(values, f.A, f.B, nil)
		if f.A != nil && f.B != nil && !math.IsNaN(f.B.Number-f.A.Number) {
			change := *f.B
			change.Number = math.Abs(f.B.Number - f.A.Number)
			values[len(values)-1] = &change
		}
	}
	texts := slices.Collect(slices.Chunk(measure.Texts(values...), 3))
	for i, f := range c.Figures {
		switch change := &texts[i][2]; {
		case values[3*i+2] == nil:
			*change = ""
		case f.A.Number == f.B.Number:
			*change = "="
		case f.B.Number < f.A.Number:
			*change = "-" + *change
		default:
			*change = "+" + *change
		}
	}
	return texts
}

// Sentence returns how many records differ.
func (c *Comparison) Sentence() string {
	text := fmt.Sprintf("%s in both files; %s of them %s in at least one value", wording.Counted(c.Compared, "record"),
		wording.Number(c.Differing), wording.Verb(c.Differing, "differ"))
	if c.OnlyA > 0 {
		text += fmt.Sprintf("; %s only in %s", wording.Counted(c.OnlyA, "record"), c.A)
	}
	if c.OnlyB > 0 {
		text += fmt.Sprintf("; %s only in %s", wording.Counted(c.OnlyB, "record"), c.B)
	}
	return text
}

// RecordsSentence returns for which of the differing records the cells are listed.
func (c *Comparison) RecordsSentence() string {
	if c.Differing > len(c.Records) {
		return fmt.Sprintf("first %d of %s that differ", len(c.Records), wording.Counted(c.Differing, "record"))
	}
	return "records that differ"
}

func countText(n int, there bool) string {
	if !there {
		return "–"
	}
	return wording.Number(n)
}
