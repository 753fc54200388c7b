package views

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// filterWord is one word of a filter: a name, value or keyword, a text in
// quotes, or a sign.
type filterWord struct {
	text   string
	quoted bool
	sign   bool
}

// is reports whether the word is the given keyword or sign; a text in quotes
// is neither.
func (w filterWord) is(text string) bool {
	return !w.quoted && strings.EqualFold(w.text, text)
}

// filterSigns are the signs of filters with what they mean, longer ones first.
var filterSigns = [...][2]string{
	{"==", "="}, {"!=", "!="}, {"<>", "!="}, {"<=", "<="}, {">=", ">="}, {"≠", "!="}, {"≤", "<="}, {"≥", ">="},
	{"=", "="}, {"<", "<"}, {">", ">"}, {"(", "("}, {")", ")"}, {",", ","},
}

// filterWords splits a filter into its words.
func filterWords(text string) ([]filterWord, error) {
	var words []filterWord
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		if text == "" {
			return words, nil
		}
		word, size, err := nextFilterWord(text)
		if err != nil {
			return nil, err
		}
		words = append(words, word)
		text = text[size:]
	}
}

func nextFilterWord(text string) (word filterWord, size int, err error) {
	if quote := text[0]; quote == '"' || quote == '\'' {
		end := strings.IndexByte(text[1:], quote)
		if end < 0 {
			return word, 0, fmt.Errorf("%w: the quote %c is opened and not closed", ErrFilter, quote)
		}
		return filterWord{text: text[1 : 1+end], quoted: true}, end + 2, nil
	}
	if sign, size := filterSign(text); size > 0 {
		return filterWord{text: sign, sign: true}, size, nil
	}
	for size < len(text) {
		r, bytes := utf8.DecodeRuneInString(text[size:])
		if _, sign := filterSign(text[size:]); sign > 0 || unicode.IsSpace(r) {
			break
		}
		size += bytes
	}
	return filterWord{text: text[:size]}, size, nil
}

// filterSign returns the meaning of the sign that a text begins with; size 0
// where it begins with none.
func filterSign(text string) (sign string, size int) {
	for _, s := range filterSigns {
		if strings.HasPrefix(text, s[0]) {
			return s[1], len(s[0])
		}
	}
	return "", 0
}
