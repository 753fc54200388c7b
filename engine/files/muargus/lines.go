package muargus

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// line is one line of a text without the blanks around it.
type line struct {
	number int // from 1
	indent int // characters before the text
	text   string
	at     int // byte of the text that is read next
}

// textLines returns the lines that are neither blank nor a comment. Lines end
// with LF or CRLF; tabs count as blanks; "//" begins a comment line.
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

// position returns the character that is read next, from 1.
func (l *line) position() int { return l.indent + utf8.RuneCountInString(l.text[:l.at]) + 1 }

func (l *line) fail(message string) error {
	return problem(ErrSyntax, l.number, l.position(), "%s", message)
}

// ended goes past blanks and reports whether nothing follows.
func (l *line) ended() bool {
	l.at = len(l.text) - len(strings.TrimLeft(l.text[l.at:], " "))
	return l.at == len(l.text)
}

// take goes past a character if it stands here.
func (l *line) take(mark byte) bool {
	if l.ended() || l.text[l.at] != mark {
		return false
	}
	l.at++
	return true
}

// word returns what stands before the next of the stops, or in double quotes; a
// quote that is not closed ends with the line.
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

// first returns the next word between blanks; "" where there is none.
func (l *line) first() string {
	l.ended()
	text, _ := l.word(" ")
	return text
}

// token is a word of a line.
type token struct {
	text     string
	position int // of its first character in the line, from 1
}

// tokens returns the words of the rest of a line. Between words stand blanks, and,
// where commas is set, commas too; sawComma tells that one did.
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

// keyword goes past a word such as <MISSING> that begins the line and returns it
// in upper case; "" where there is none.
func (l *line) keyword() string {
	end := strings.IndexByte(l.text, '>') + 1
	if end == 0 || l.text[0] != '<' {
		return ""
	}
	l.at = end
	return strings.ToUpper(l.text[:end])
}

// Errors of the files of mu-Argus. What is returned wraps one of them and says
// where: "line 3, position 7: syntax error: a comma is missing".
var (
	ErrSyntax      = errors.New("syntax error")
	ErrRange       = errors.New("invalid range")
	ErrCodeLength  = errors.New("wrong code length")
	ErrEmpty       = errors.New("empty specification")
	ErrMissingCode = errors.New("a missing code is recoded")
	ErrDescription = errors.New("the description of the variables is not valid")
)

// problem returns an error at a character of a line of one of the texts, from 1;
// without a position it is the line as a whole, without a line the text.
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
