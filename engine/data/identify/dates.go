package identify

import (
	"strconv"
	"unicode"
)

// Date reports whether a text is a date with day, month name and year, as in "12 mars 1984", in one of many
// languages.
func (p *Patterns) Date(text string) bool {
	if len(text) > mostOfDate {
		return false
	}
	day, year, month := 0, 0, false
	for _, word := range dateWords(text) {
		number, err := strconv.Atoi(word)
		switch {
		case err != nil && !month && p.words["months"][word]:
			month = true
		case err != nil && !betweenDates[word]:
			return false
		case err == nil && day == 0 && number >= 1 && number <= 31 && len(word) <= 2:
			day = number
		case err == nil && year == 0 && (len(word) == 4 && number >= 1850 && number < 2100 || len(word) == 2 && day > 0):
			year = number
		case err == nil:
			return false
		}
	}
	return month && day > 0 && year > 0
}

const mostOfDate = 64

// betweenDates lists the filler words of dates.
var betweenDates = map[string]bool{"de": true, "of": true, "the": true, "del": true, "d": true, "th": true, "st": true, "nd": true,
	"rd": true, "er": true, "g": true, "r": true, "den": true, "am": true, "le": true, "г": true, "року": true}

// dateWords splits a text into words and numbers.
func dateWords(text string) (words []string) {
	start, kind := 0, 0
	text = Fold(text)
	flush := func(end int) {
		if kind > 0 {
			words = append(words, text[start:end])
		}
	}
	for at, r := range text {
		now := 0
		switch {
		case unicode.IsDigit(r):
			now = 1
		case unicode.IsLetter(r):
			now = 2
		}
		if now != kind {
			flush(at)
			start, kind = at, now
		}
	}
	flush(len(text))
	return words
}
