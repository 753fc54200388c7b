package session

import (
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Tables returns the comparison as tables of texts with headings in the first row: the figures, with the
// difference of B to A and a mark at the better one, the variables that differ, and the first records that differ.
func (c *Comparison) Tables() (figures, variables, records [][]string) {
	figures = [][]string{{"figure", c.A, c.B, "difference"}}
	for i := range c.Figures {
		f := &c.Figures[i]
		a, b, difference := f.texts()
		texts := []string{f.Title(), a, b, difference}
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
const Mark = "* less risk or less information loss"

// texts spell A, B, and by how much B is above or below A, "=" where it is the same and "" where
// one has none.
func (f *FigureOfTwo) texts() (a, b, difference string) {
	if f.A == nil || f.B == nil || math.IsNaN(f.B.Number-f.A.Number) {
		return figureText(f.A), figureText(f.B), ""
	}
	change, sign := *f.B, "+"
	switch change.Number -= f.A.Number; {
	case change.Number == 0:
		a, b = f.A.Pair(f.B)
		return a, b, "="
	case change.Number < 0:
		change.Number, sign = -change.Number, "-"
	}
	texts := measure.Texts(f.A, f.B, &change)
	return texts[0], texts[1], sign + texts[2]
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

func figureText(v *measure.Value) string {
	if v == nil {
		return "–"
	}
	return v.Text()
}

func countText(n int, there bool) string {
	if !there {
		return "–"
	}
	return wording.Number(n)
}
