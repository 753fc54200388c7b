package muargus

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// line is a line of a text without surrounding spaces.
type line struct {
	number int // from 1
	indent int // number of characters before the text
	text   string
	at     int // index of the next byte to read
}

// textLines returns the lines that are neither empty nor a comment. Lines end with LF or CRLF; tabs count as
// spaces; "//" begins a comment line.
func textLines(text string) []line {
	text = strings.TrimPrefix(text, "\ufeff")
	var lines []line
	for i, whole := range strings.Split(text, "\n") {
		whole = strings.ReplaceAll(strings.TrimSuffix(whole, "\r"), "\t", " ")
		inner := strings.TrimLeft(whole, " ")
		indent := len(whole) - len(inner)
		inner = strings.TrimRight(inner, " ")
		if inner != "" && !strings.HasPrefix(inner, "//") {
			lines = append(lines, line{number: i + 1, indent: indent, text: inner})
		}
	}
	return lines
}

// position returns the position, from 1, of the next character to read.
func (l *line) position() int { return l.indent + utf8.RuneCountInString(l.text[:l.at]) + 1 }

func (l *line) fail(message string) error {
	return problem(ErrSyntax, l.number, l.position(), "%s", message)
}

// ended skips spaces and reports whether the line ends.
func (l *line) ended() bool {
	l.at = len(l.text) - len(strings.TrimLeft(l.text[l.at:], " "))
	return l.at == len(l.text)
}

// take consumes a character if it is next.
func (l *line) take(mark byte) bool {
	if l.ended() || l.text[l.at] != mark {
		return false
	}
	l.at++
	return true
}

// word returns the text before the next of the stops, or in double quotes; an unclosed quote ends with the line.
func (l *line) word(stops string) (text string, closed bool) {
	rest := l.text[l.at:]
	if !strings.HasPrefix(rest, `"`) {
		if end := strings.IndexAny(rest, stops); end >= 0 {
			rest = rest[:end]
		}
		l.at += len(rest)
		return rest, true
	}
	text, _, closed = strings.Cut(rest[1:], `"`)
	l.at = min(len(l.text), l.at+len(text)+2)
	return text, closed
}

// first returns the next word, or "".
func (l *line) first() string {
	l.ended()
	text, _ := l.word(" ")
	return text
}

// token is a word of a line.
type token struct {
	text     string
	position int // of the first character in the line, from 1
}

// tokens returns the remaining words of a line. They are separated by spaces and, if commas is set, by commas;
// sawComma reports whether there was a comma.
func (l *line) tokens(commas bool) (words []token, sawComma bool) {
	stops := " "
	if commas {
		stops = " ,"
	}
	for !l.ended() {
		if commas && l.take(',') {
			sawComma = true
			continue
		}
		at := l.position()
		text, _ := l.word(stops)
		words = append(words, token{text, at})
	}
	return words, sawComma
}

// keyword consumes a keyword such as <MISSING> at the beginning of the line and returns it in upper case, or "".
func (l *line) keyword() string {
	end := strings.IndexByte(l.text, '>') + 1
	if end == 0 || l.text[0] != '<' {
		return ""
	}
	l.at = end
	return strings.ToUpper(l.text[:end])
}

// Errors of mu-Argus files. Returned errors wrap one of them and state the position: "line 3, position 7: syntax
// error: a comma is missing".
var (
	ErrSyntax      = errors.New("syntax error")
	ErrRange       = errors.New("invalid range")
	ErrCodeLength  = errors.New("wrong code length")
	ErrEmpty       = errors.New("empty specification")
	ErrMissingCode = errors.New("a missing code is recoded")
	ErrDescription = errors.New("the description of the variables is not valid")
)

// problem returns an error at a position of a line, both from 1; position is 0 for the whole line, and line is 0
// for the whole text.
func problem(err error, line, position int, format string, args ...any) error {
	place := ""
	if line > 0 {
		place = "line " + wording.Number(line)
	}
	if position > 0 {
		place += ", position " + wording.Number(position)
	}
	if place != "" {
		place += ": "
	}
	return fmt.Errorf("%s%w: %s", place, err, fmt.Sprintf(format, args...))
}
