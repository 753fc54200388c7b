// Package notation is the one language of what is typed: how names and labels are
// quoted, how lists are parted, and conditions on records. Filters of records,
// conditions of methods and the text form of parameters all read it, so that
// "age > 15" means the same wherever it stands.
package notation

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ErrQuote is the error of quotes that do not fit together.
var ErrQuote = errors.New("a quote is opened and not closed, or has text behind it")

// Word is one word of a typed text: a name, value or keyword, a text in quotes,
// or a sign.
type Word struct {
	Text   string
	Quoted bool
	Sign   bool
}

// Is reports whether the word is the given keyword or sign, whatever its
// capitals; a text in quotes is neither.
func (w Word) Is(text string) bool { return !w.Quoted && strings.EqualFold(w.Text, text) }

// Words splits a text at blanks and at signs. A text in double or single quotes
// is one word; within it the quote itself is written twice.
func Words(text string, signs ...string) ([]Word, error) {
	var words []Word
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		if text == "" {
			return words, nil
		}
		if quote := text[0]; quote == '"' || quote == '\'' {
			inside, rest, ok := CutQuoted(text)
			if !ok {
				return nil, fmt.Errorf("the quote %c is opened and not closed", quote)
			}
			words, text = append(words, Word{Text: inside, Quoted: true}), rest
			continue
		}
		if sign := signAt(text, signs); sign != "" {
			words, text = append(words, Word{Text: sign, Sign: true}), text[len(sign):]
			continue
		}
		size := 0
		for size < len(text) {
			r, bytes := utf8.DecodeRuneInString(text[size:])
			if unicode.IsSpace(r) || signAt(text[size:], signs) != "" {
				break
			}
			size += bytes
		}
		words, text = append(words, Word{Text: text[:size]}), text[size:]
	}
}

// Phrases splits a text at signs and quotes only: the words between are one, with
// single blanks.
func Phrases(text string, signs ...string) ([]Word, error) {
	words, err := Words(text, signs...)
	var phrases []Word
	for i, word := range words {
		if i > 0 && !word.Sign && !word.Quoted && !words[i-1].Sign && !words[i-1].Quoted {
			phrases[len(phrases)-1].Text += " " + word.Text
			continue
		}
		phrases = append(phrases, word)
	}
	return phrases, err
}

// signAt returns the first of the signs that a text begins with; "" for none.
func signAt(text string, signs []string) string {
	for _, sign := range signs {
		if strings.HasPrefix(text, sign) {
			return sign
		}
	}
	return ""
}

// CutQuoted cuts the text in quotes that a text begins with off it; ok is false
// where the quote is not closed.
func CutQuoted(text string) (inside, rest string, ok bool) {
	quote := text[0]
	var out strings.Builder
	for i := 1; i < len(text); i++ {
		if text[i] == quote {
			if i+1 == len(text) || text[i+1] != quote {
				return out.String(), text[i+1:], true
			}
			i++
		}
		out.WriteByte(text[i])
	}
	return "", "", false
}

// Quote returns a label as it is typed where the given signs mean something: in
// double quotes where it holds one of them or a quote, is empty, or has blanks at
// an end.
func Quote(label, signs string) string {
	if label != "" && !strings.ContainsAny(label, signs+"\"\n\r") && label[0] != '\'' && strings.TrimSpace(label) == label {
		return label
	}
	return quoted(label)
}

func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// Unquote returns the label that Quote wrote.
func Unquote(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '"' {
		return text, nil
	}
	inside, rest, ok := CutQuoted(text)
	if !ok || strings.TrimSpace(rest) != "" {
		return "", ErrQuote
	}
	return inside, nil
}

// Split cuts a text at a separator, but not within double quotes, which stay.
// Nothing but blanks gives no part; an empty part at the end is left out.
func Split(text string, separator byte) ([]string, error) {
	var parts []string
	start := 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			_, rest, ok := CutQuoted(text[i:])
			if !ok {
				return nil, ErrQuote
			}
			i = len(text) - len(rest) - 1
		case text[i] == separator:
			parts, start = append(parts, text[start:i]), i+1
		}
	}
	if last := text[start:]; strings.TrimSpace(last) != "" {
		parts = append(parts, last)
	}
	return parts, nil
}
