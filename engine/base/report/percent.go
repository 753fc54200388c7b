package report

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Percent formats a percentage as a cell of a table, with the decimals for JSON. The other forms round the cells
// of a table like wording.Percents; a no-break space distinguishes percentages from labels of data.
func Percent(percent float64, decimals int) string {
	return strconv.FormatFloat(percent, 'f', decimals, 64) + exactMark + "%"
}

const exactMark = "\u00a0"

var exactPercent = regexp.MustCompile(`-?[0-9]+\.[0-9]+` + exactMark + "%")

// Rounded returns a table with all its percentages rounded to the same decimals.
func Rounded(table [][]string) [][]string {
	var shares []float64
	for _, row := range table {
		for _, cell := range row {
			shares = append(shares, percentages(cell)...)
		}
	}
	texts := wording.Percents(shares...)
	out := make([][]string, len(table))
	for r, row := range table {
		for _, cell := range row {
			out[r] = append(out[r], exactPercent.ReplaceAllStringFunc(cell, func(string) string {
				text := texts[0]
				texts = texts[1:]
				return text
			}))
		}
	}
	return out
}

// percentages returns the shares for the percentages in a cell.
func percentages(cell string) (shares []float64) {
	for _, text := range exactPercent.FindAllString(cell, -1) {
		percent, _ := strconv.ParseFloat(strings.TrimSuffix(text, exactMark+"%"), 64)
		shares = append(shares, percent/100)
	}
	return shares
}
