// Package notation defines the syntax of typed input: quoting of names and labels, lists, and conditions on
// records. Record filters, conditions of methods and the text form of parameters all use it, so that "age > 15"
// means the same everywhere.
package notation

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a token: a name, value or keyword, a quoted text, or a sign.
type Word struct {
	Text   string
	Quoted bool
	Sign   bool
}

// Is reports whether the word is the given keyword or sign, ignoring case; a quoted text is neither.
func (w Word) Is(text string) bool { return !w.Quoted && strings.EqualFold(w.Text, text) }

// Words splits a text at spaces and at signs. A text in double or single quotes is one word; the quote itself is
// doubled within it.
func Words(text string, signs ...string) ([]Word, error) {
	var words []Word
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		if text == "" {
			return words, nil
		}
		if quote := text[0]; quote == '"' || quote == '\'' {
			inside, rest, ok := cutQuoted(text)
			if !ok {
				return nil, fmt.Errorf("the quote %c is not closed", quote)
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

// Phrases splits a text at signs and quotes only: adjacent words are one phrase, joined by single spaces.
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

// signAt returns the first of the signs that a text begins with, or "".
func signAt(text string, signs []string) string {
	for _, sign := range signs {
		if strings.HasPrefix(text, sign) {
			return sign
		}
	}
	return ""
}

// cutQuoted splits a text after the quoted text at its beginning; ok is false if the quote is not closed.
func cutQuoted(text string) (inside, rest string, ok bool) {
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

// Quote returns a label as it is typed in a notation with the given signs: in double quotes if it contains one of
// them or a quote, is empty, or begins or ends with a space.
func Quote(label, signs string) string {
	if label != "" && !strings.ContainsAny(label, signs+"\"\n\r") && label[0] != '\'' &&
		strings.TrimSpace(label) == label {
		return label
	}
	return quoted(label)
}

func quoted(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// Rows splits a text into rows of cells at the separators cell and row. A cell in double quotes may contain them;
// spaces around it are ignored. An empty row is nil. ok is false if a quote is misplaced or not closed in the row
// after the last one returned.
func Rows(text string, cell, row rune) (rows [][]string, ok bool) {
	for more := true; more; {
		var cells []string
		if cells, text, more, ok = cutRow(text, cell, row); !ok {
			return rows, false
		}
		if len(cells) == 1 && cells[0] == "" {
			cells = nil
		}
		rows = append(rows, cells)
	}
	return rows, true
}

// cutRow cuts the first row off a text; more reports whether another follows.
func cutRow(text string, cell, row rune) (cells []string, rest string, more, ok bool) {
	for {
		inside := ""
		if blanks := strings.TrimLeft(text, " \r"); strings.HasPrefix(blanks, `"`) {
			if inside, text, ok = cutQuoted(blanks); !ok {
				return nil, "", false, false
			}
			text = strings.TrimLeft(text, " \r")
		} else {
			end := strings.IndexFunc(text, func(r rune) bool { return r == cell || r == row })
			if end < 0 {
				end = len(text)
			}
			inside, text = strings.TrimSpace(text[:end]), text[end:]
		}
		cells = append(cells, inside)
		if text == "" {
			return cells, "", false, true
		}
		mark, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		switch mark {
		case row:
			return cells, text, true, true
		case cell:
		default:
			return nil, "", false, false
		}
	}
}
