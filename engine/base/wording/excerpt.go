package wording

import (
	"strings"
	"unicode/utf8"
)

// longestExcerpt is the maximum number of characters of an excerpt: meaningful names and labels are shorter.
const longestExcerpt = 100

// Excerpt returns a text from a file, a script or a field for use in an error: cut and followed by "…" if it is
// too long for a line.
func Excerpt(text string) string { return Shortened(text, longestExcerpt) }

// Shortened cuts a text that is longer than most characters after them and appends "…".
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

// FirstFew returns the first texts, and in place of the others their number: "age", "sex", "4,998 more".
func FirstFew(texts []string, most int) []string {
	more := len(texts) - most
	if more <= 0 {
		return texts
	}
	return append(texts[:most:most], Number(more)+" more")
}

// Beginning joins the first texts with commas, with "…" in place of the others.
func Beginning(texts []string, most int) string {
	if len(texts) > most {
		texts = append(texts[:most:most], "…")
	}
	return strings.Join(texts, ", ")
}
