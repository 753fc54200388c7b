package fileio

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// looksMissing reports whether other programs write a missing value so.
func looksMissing(text string) bool {
	switch strings.ToLower(text) {
	case "na", "n/a", "#n/a", "nan", "null", ".", "-":
		return true
	}
	return false
}

// lookalikeWarning says what to do about a variable that would be one of numbers,
// were it not for cells that look like missing codes the format does not name; ""
// where its texts are not numbers and such codes alone. known are the missing codes
// of the format. A column with other texts costs little: the first of them ends the
// search.
func lookalikeWarning(column *microdata.Column, mark byte, known []string) string {
	if column.Numeric() {
		return ""
	}
	levels, counts := column.Categories().Levels, []int(nil)
	var found []string // as they are spelled
	cells := 0
	for i, level := range levels {
		if looksMissing(level.Label) {
			if counts == nil {
				counts = column.Categories().Counts()
			}
			found = append(found, level.Label)
			cells += counts[i+1]
		} else if _, _, number := parseNumber([]byte(level.Label), mark); !number {
			return ""
		}
	}
	if len(found) == 0 || len(found) == len(levels) {
		return ""
	}
	are, they := "1 cell is", "it means"
	if cells > 1 {
		are = wording.Number(cells) + " cells are"
	}
	if len(found) > 1 {
		they = "they mean"
	}
	codes := slices.Concat([]string{""}, slices.DeleteFunc(slices.Clone(known), func(code string) bool { return code == "" }), found)
	flag := strings.Join(codes[1:], ",")
	if strings.ContainsAny(flag, " #'\"$\\&|;<>()*?!`") {
		flag = "'" + strings.ReplaceAll(flag, "'", `'\''`) + "'"
	}
	return fmt.Sprintf(`variable %q: %s %s and the rest are numbers; if %s missing, say so (--missing %s, or in a script "missing":[%s])`,
		column.Name(), are, quoted(found, " or "), they, flag, quoted(codes, ","))
}

// quoted joins texts in quotes.
func quoted(texts []string, separator string) string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = strconv.Quote(text)
	}
	return strings.Join(all, separator)
}
