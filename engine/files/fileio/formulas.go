package fileio

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// formulaStarts are the characters with which a formula begins in some spreadsheet, the full-width ones in those that
// fold widths.
const formulaStarts = "=+-@\t\r＝＋－＠"

// otherDelimiters end a cell in spreadsheets whose list separator is another than that of the file.
const otherDelimiters = ";,\t\n\r"

// guarded returns a text with apostrophes before all that a spreadsheet would take for a formula: the text, and what
// follows a character that ends a cell in another locale ("a;=1+1" in a file with commas). It reports whether there is
// anything of that kind.
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

// isFormula reports whether a spreadsheet would take a whole cell for a formula. Numbers are none, nor are the labels
// of intervals, such as "-9 to -1"; "+1-1" is no interval, because no label of one begins with a plus.
func isFormula(text string, mark byte) bool {
	first, _ := utf8.DecodeRuneInString(text)
	if text == "" || !strings.ContainsRune(formulaStarts, first) {
		return false
	}
	level := microdata.Level{Label: strings.ReplaceAll(text, string(mark), "."), Value: math.NaN()}
	_, interval := level.Span()
	return (!interval || first == '+') && math.IsNaN(microdata.LabelNumber(level.Label))
}
