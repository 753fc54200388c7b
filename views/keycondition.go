package views

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// KeyCondition writes what the records of a key have in common, as it is typed.
func KeyCondition(t *keys.Table, columns []*microdata.Column, key uint32) string {
	parts := make([]string, len(columns))
	for i, column := range columns {
		parts[i] = ConditionWord(column.Name()) + " missing"
		if code := t.Codes(i)[key]; code != 0 {
			parts[i] = ConditionWord(column.Name()) + " = " + ConditionWord(column.Categories().Levels[code-1].Label)
		}
	}
	return strings.Join(parts, " and ")
}

// ConditionWord returns a name or a label as it is typed in a condition: in quotes
// where it is not a word of letters or a whole number.
func ConditionWord(text string) string {
	letters := func(r rune) bool { return !unicode.IsLetter(r) && r != '_' }
	number, err := strconv.Atoi(text)
	plain := text != "" && strings.IndexFunc(text, letters) < 0 || err == nil && strconv.Itoa(number) == text && number >= 0
	if plain && !slices.Contains([]string{"and", "or", "not", "in", "above", "below", "contains", "missing", "suppressed", "changed"}, strings.ToLower(text)) {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}
