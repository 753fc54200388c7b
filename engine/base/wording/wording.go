// Package wording spells counts in messages, reports and on the screen, so
// that they look the same everywhere.
package wording

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Number writes a whole number with commas between thousands: "4,127".
func Number(n int) string { return Thousands(strconv.Itoa(n)) }

// Thousands puts commas between the thousands of a number that is written in digits:
// "14,117.25". One with an exponent stays as it is.
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

// Counted writes a number with its noun: "1 record", "5,000 records". The
// plural is the noun with an s.
func Counted(n int, noun string) string { return CountedAs(n, noun, noun+"s") }

// CountedAs writes a number with words for one and for all other numbers: "1
// category", "5,000 categories".
func CountedAs(n int, one, other string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + other
}

// ThereAre says how many of something there are: "there is 1 record", "there are
// 5,000 records".
func ThereAre(n int, noun string) string {
	if n == 1 {
		return "there is 1 " + noun
	}
	return "there are " + Counted(n, noun)
}

// Does says how many of something do something: "1 cell lies outside", "2 cells lie
// outside". The first word is the verb, as of many.
func Does(n int, noun, verb string) string { return Counted(n, noun) + " " + Verb(n, verb) }

// Verb returns a verb, and what follows it, as its number of subjects needs it.
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

// Listed names things in a sentence: "region, sex and age".
func Listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// FileWord makes a name fit to be a part of a file's name: what is no letter or
// digit of ASCII, no underline and none of the other signs becomes an underline.
func FileWord(name, others string) string {
	return strings.Map(func(char rune) rune {
		letter := char|0x20 >= 'a' && char|0x20 <= 'z'
		if digit := char >= '0' && char <= '9'; letter || digit || char == '_' || strings.ContainsRune(others, char) {
			return char
		}
		return '_'
	}, name)
}

// Joined spells each of a list, with a separator between.
func Joined[T any](list []T, separator string, spell func(T) string) string {
	texts := make([]string, len(list))
	for i, one := range list {
		texts[i] = spell(one)
	}
	return strings.Join(texts, separator)
}

// Capital begins a text with a capital letter, as a sentence or a heading does.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
