package views

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// keyCondition writes what the records of a key have in common, as it is typed.
func keyCondition(t *keys.Table, columns []*microdata.Column, key uint32) string {
	parts := make([]string, len(columns))
	for i, column := range columns {
		parts[i] = conditionWord(column.Name()) + " missing"
		if code := t.Codes(i)[key]; code != 0 {
			parts[i] = conditionWord(column.Name()) + " = " + conditionWord(column.Categories().Levels[code-1].Label)
		}
	}
	return strings.Join(parts, " and ")
}

// conditionWord returns a name or a label as it is typed in a condition: in quotes
// where it is not a word of letters or a whole number.
func conditionWord(text string) string {
	letters := func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }
	number, err := strconv.Atoi(text)
	plain := text != "" && strings.IndexFunc(text, letters) < 0 || err == nil && strconv.Itoa(number) == text && number >= 0
	if plain && !slices.Contains([]string{"and", "or", "not", "in", "above", "below", "contains", "missing", "suppressed", "changed"}, strings.ToLower(text)) {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}
