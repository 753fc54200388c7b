// Package wording formats counts and figures in the same way in messages, in reports and on the screen.
package wording

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Number formats an integer with commas between thousands: "4,127".
func Number(n int) string { return Thousands(strconv.Itoa(n)) }

// Thousands inserts commas between the thousands of a decimal number: "14,117.25". A number with an exponent is
// unchanged.
func Thousands(text string) string {
	if strings.ContainsRune(text, 'e') {
		return text
	}
	whole, _, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Counted formats a number with its noun, whose plural ends in s: "1 record", "5,000 records".
func Counted(n int, noun string) string { return CountedAs(n, noun, noun+"s") }

// CountedAs formats a number with a singular and a plural: "1 category", "5,000 categories".
func CountedAs(n int, one, other string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + other
}

// ThereAre formats "there is 1 record", "there are 5,000 records".
func ThereAre(n int, noun string) string {
	if n == 1 {
		return "there is 1 " + noun
	}
	return "there are " + Counted(n, noun)
}

// Does formats a subject and verb: "1 cell lies outside", "2 cells lie outside". The verb is given in the plural.
func Does(n int, noun, verb string) string { return Counted(n, noun) + " " + Verb(n, verb) }

// Verb returns a verb, given in the plural with the words after it, in the form for n subjects.
func Verb(n int, verb string) string {
	if n != 1 {
		return verb
	}
	first, rest, _ := strings.Cut(verb, " ")
	singular, irregular := map[string]string{"have": "has", "are": "is", "do": "does"}[first]
	if !irregular {
		singular = first + "s"
	}
	return strings.TrimSpace(singular + " " + rest)
}

// Listed joins names in a sentence: "region, sex and age".
func Listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// FileWord makes a name safe as part of a file name: characters other than ASCII letters, digits, underscores and
// others become underscores.
func FileWord(name, others string) string {
	return strings.Map(func(char rune) rune {
		letter := char|0x20 >= 'a' && char|0x20 <= 'z'
		if digit := char >= '0' && char <= '9'; letter || digit || char == '_' || strings.ContainsRune(others, char) {
			return char
		}
		return '_'
	}, name)
}

// Joined formats the elements of a list and joins them with a separator.
func Joined[T any](list []T, separator string, spell func(T) string) string {
	texts := make([]string, len(list))
	for i, one := range list {
		texts[i] = spell(one)
	}
	return strings.Join(texts, separator)
}

// Sentences joins phrases as sentences: "lowest age", "Empty: none" give "Lowest age. Empty: none." Empty ones are left
// out.
func Sentences(phrases ...string) string {
	var text strings.Builder
	for _, phrase := range phrases {
		if phrase == "" {
			continue
		}
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(Capital(phrase))
		if !strings.HasSuffix(phrase, ".") {
			text.WriteByte('.')
		}
	}
	return text.String()
}

// Capital capitalises the first letter of a text, unless it is a symbol, as in "k-anonymity".
func Capital(text string) string {
	if len(text) > 1 && text[1] == '-' {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
