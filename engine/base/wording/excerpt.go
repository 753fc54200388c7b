package wording

import (
	"strings"
	"unicode/utf8"
)

// longestExcerpt is the number of characters from which on a text is cut: names and
// labels of files that are meant to be read are shorter.
const longestExcerpt = 100

// Excerpt returns a text from a file, a script or a field as an error names it: its
// beginning and "…" where it is longer than a line can show.
func Excerpt(text string) string { return Shortened(text, longestExcerpt) }

// Shortened returns a text with at most so many characters, and "…" in the place of the others.
func Shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end := 0
	for count := 0; count < most && end < len(text); count++ {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	if end == len(text) {
		return text
	}
	return text[:end] + "…"
}

// FirstFew returns the first of some texts, and in the place of the others how many
// there are: "age", "sex", "4,998 more".
func FirstFew(texts []string, most int) []string {
	more := len(texts) - most
	if more <= 0 {
		return texts
	}
	return append(texts[:most:most], Number(more)+" more")
}

// Beginning returns the first of some texts, with commas, and "…" in the place of the
// others.
func Beginning(texts []string, most int) string {
	if len(texts) > most {
		texts = append(texts[:most:most], "…")
	}
	return strings.Join(texts, ", ")
}
