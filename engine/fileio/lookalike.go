package fileio

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// lookalike is a variable that would be one of numbers, were it not for cells
// that look like missing codes the format does not name.
type lookalike struct {
	variable string
	codes    []string // as they are spelled
	cells    int
}

// looksMissing reports whether other programs write a missing value so.
func looksMissing(text string) bool {
	switch strings.ToLower(text) {
	case "na", "n/a", "#n/a", "nan", "null", ".", "-":
		return true
	}
	return false
}

// lookalikeOf looks at a column of text; ok is false where its texts are not
// numbers and missing codes alone. A column with other texts costs little: the
// first of them ends the search.
func lookalikeOf(column *microdata.Column, mark byte) (l lookalike, ok bool) {
	if column.Numeric() {
		return l, false
	}
	var found []int
	levels := column.Categories().Levels
	for i, level := range levels {
		if looksMissing(level.Label) {
			found = append(found, i)
		} else if _, _, number := parseNumber([]byte(level.Label), mark); !number {
			return l, false
		}
	}
	if len(found) == 0 || len(found) == len(levels) {
		return l, false
	}
	l.variable = column.Name()
	counts := column.Categories().Counts()
	for _, i := range found {
		l.codes = append(l.codes, levels[i].Label)
		l.cells += counts[i+1]
	}
	return l, true
}

// warning says what to do; known are the missing codes of the format.
func (l *lookalike) warning(known []string) string {
	spelled := make([]string, len(l.codes))
	for i, code := range l.codes {
		spelled[i] = strconv.Quote(code)
	}
	cells, they := "1 cell is", "it means"
	if l.cells > 1 {
		cells = wording.Number(l.cells) + " cells are"
	}
	if len(spelled) > 1 {
		they = "they mean"
	}
	codes := slices.Concat([]string{""}, slices.DeleteFunc(slices.Clone(known), func(code string) bool { return code == "" }), l.codes)
	flag := strings.Join(codes[1:], ",")
	if strings.ContainsAny(flag, " #'\"$\\&|;<>()*?!`") {
		flag = "'" + strings.ReplaceAll(flag, "'", `'\''`) + "'"
	}
	list := make([]string, len(codes))
	for i, code := range codes {
		list[i] = strconv.Quote(code)
	}
	return fmt.Sprintf(`variable %q: %s %s and the rest are numbers; if %s missing, say so (--missing %s, or in a script "missing":[%s])`,
		l.variable, cells, strings.Join(spelled, " or "), they, flag, strings.Join(list, ","))
}

// lookalikeWarnings warns of the first few variables and counts the others.
func lookalikeWarnings(found []lookalike, known []string) []string {
	var warnings []string
	for i := range found {
		if i == mostListed {
			return append(warnings, fmt.Sprintf("%s more would be numbers but for cells that look like missing codes", wording.Counted(len(found)-i, "variable")))
		}
		warnings = append(warnings, found[i].warning(known))
	}
	return warnings
}
