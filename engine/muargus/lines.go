package muargus

import (
	"strings"
	"unicode/utf8"
)

// line is one line of a text without the blanks around it.
type line struct {
	number int // from 1
	indent int // characters before the text
	text   string
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

// token is a word of a line: what stands between blanks, or in double quotes.
type token struct {
	text     string
	position int // of its first character in the line, from 1
}

// tokens returns the words of a line. Between words stand blanks, and, where
// commas is set, commas too; sawComma tells that one did. A quote that is not
// closed ends with the line.
func (l line) tokens(commas bool) (words []token, sawComma bool) {
	rest, at := l.text, l.indent+1
	advance := func(n int) {
		at += utf8.RuneCountInString(rest[:n])
		rest = rest[n:]
	}
	stops := " "
	if commas {
		stops = " ,"
	}
	for rest != "" {
		switch {
		case rest[0] == ' ':
			advance(1)
		case rest[0] == ',' && commas:
			sawComma = true
			advance(1)
		case rest[0] == '"':
			inside, _, _ := strings.Cut(rest[1:], `"`)
			words = append(words, token{text: inside, position: at})
			advance(min(len(rest), len(inside)+2))
		default:
			size := strings.IndexAny(rest, stops)
			if size < 0 {
				size = len(rest)
			}
			words = append(words, token{text: rest[:size], position: at})
			advance(size)
		}
	}
	return words, sawComma
}

// keyword returns the beginning of a line in upper case where it is a word such
// as <MISSING>; "" where it is none.
func (l line) keyword() string {
	if !strings.HasPrefix(l.text, "<") {
		return ""
	}
	end := strings.IndexByte(l.text, '>')
	if end < 0 {
		return ""
	}
	return strings.ToUpper(l.text[:end+1])
}

// after returns the line behind its keyword.
func (l line) after() line {
	end := strings.IndexByte(l.text, '>') + 1
	rest := strings.TrimLeft(l.text[end:], " ")
	return line{number: l.number, text: rest, indent: l.indent + utf8.RuneCountInString(l.text[:len(l.text)-len(rest)])}
}
