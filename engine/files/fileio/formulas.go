package fileio

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// formulaStarts lists the characters with which a formula begins in some spreadsheet; full-width ones count in
// spreadsheets that fold widths.
const formulaStarts = "=+-@\t\r＝＋－＠"

// otherDelimiters lists the characters that end a cell in spreadsheets with another list separator.
const otherDelimiters = ";,\t\n\r"

// guarded adds apostrophes before anything that a spreadsheet would take for a formula: at the beginning of a
// text, and after a character that ends a cell in another locale ("a;=1+1" in a file with commas). It reports
// whether it added any.
func guarded(text string, mark byte) (safe string, formula bool) {
	if formula = isFormula(text, mark); formula {
		text = "'" + text
	}
	for from := 0; ; {
		at := strings.IndexAny(text[from:], otherDelimiters)
		if at < 0 {
			return text, formula
		}
		from += at + 1
		end := strings.IndexAny(text[from:], otherDelimiters)
		if end < 0 {
			end = len(text) - from
		}
		if isFormula(strings.TrimLeft(text[from:from+end], `"`), mark) {
			text, formula = text[:from]+"'"+text[from:], true
			from++
		}
	}
}

// isFormula reports whether a spreadsheet would take a cell for a formula. Numbers are not formulas, nor are
// labels of intervals such as "-9 to -1"; "+1-1" is a formula, because labels of intervals never begin with a
// plus.
func isFormula(text string, mark byte) bool {
	first, _ := utf8.DecodeRuneInString(text)
	if text == "" || !strings.ContainsRune(formulaStarts, first) {
		return false
	}
	level := microdata.Level{Label: strings.ReplaceAll(text, string(mark), "."), Value: math.NaN()}
	_, interval := level.Span()
	return (!interval || first == '+') && math.IsNaN(microdata.LabelNumber(level.Label))
}
