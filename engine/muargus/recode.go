package muargus

import (
	"strings"
	"unicode/utf8"
)

// Recode is what a recode file (.grc) says. The zero value recodes nothing and
// is no valid file.
type Recode struct {
	Rules    []Rule
	Missing  []string // codes for missing values afterwards, at most two; nil: as before
	CodeList string   // the file with the labels of the new codes; "": not said
	Notes    []string // what was read with leniency, in words
}

// Rule sends codes to a new one. Several rules may have the same new code.
type Rule struct {
	New     string // without blanks around it, never empty
	Sources []Source
}

// Source is one code or a range of codes that a rule recodes.
type Source struct {
	Low, High         string // without blanks around them; equal where Range is false
	Range             bool
	HasLow, HasHigh   bool // whether the range has this end
	line, start, stop int  // where it stands: the line, and the positions of its ends
}

// ParseRecode reads a recode file. Errors are a *Problem with line and
// position, wrapping ErrSyntax or ErrEmpty; whether the codes make sense shows
// in Apply, which knows the variable.
func ParseRecode(text string) (*Recode, error) {
	r := &Recode{}
	for _, l := range textLines(text) {
		var err error
		switch l.keyword() {
		case "<MISSING>":
			err = r.readMissing(l.after())
		case "<CODELIST>":
			err = r.readCodeList(l.after())
		default:
			err = r.readRule(l)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(r.Rules) == 0 {
		return nil, problem(ErrEmpty, 0, 0, `there is no line such as "1: 2-5, 8"`)
	}
	return r, nil
}

func (r *Recode) readMissing(l line) error {
	words, comma := l.tokens(true)
	if len(words) > 2 {
		return problem(ErrSyntax, l.number, words[2].position, "there can be two missing codes, not %d", len(words))
	}
	r.Missing = nil
	for _, word := range words {
		code := strings.Trim(word.text, " ")
		if code != "" && (len(r.Missing) == 0 || code != r.Missing[0]) {
			r.Missing = append(r.Missing, code)
		}
	}
	if comma {
		r.Notes = append(r.Notes, "a comma between missing codes was read as a blank; mu-Argus would take it for a part of a code")
	}
	return nil
}

func (r *Recode) readCodeList(l line) error {
	words, _ := l.tokens(false)
	if len(words) == 0 {
		return problem(ErrSyntax, l.number, 0, "<CODELIST> needs the name of a file")
	}
	r.CodeList = words[0].text
	return nil
}

// readRule reads a line such as "1: 2-5, 8".
func (r *Recode) readRule(l line) error {
	s := scanner{line: l}
	code, err := s.code(':')
	if err != nil {
		return err
	}
	if code == "" {
		return s.fail("the new code is empty")
	}
	if !s.take(':') {
		if s.ended() {
			return s.fail("a colon is missing after the new code")
		}
		return s.fail("a colon is expected here; a new code with a blank or a hyphen needs double quotes")
	}
	rule := Rule{New: code}
	for {
		source, err := s.source()
		if err != nil {
			return err
		}
		rule.Sources = append(rule.Sources, source)
		if s.ended() {
			r.Rules = append(r.Rules, rule)
			return nil
		}
		if !s.take(',') {
			return s.fail("a comma is expected between codes; a code with a blank or a hyphen needs double quotes")
		}
	}
}

// scanner goes through one line of a recode file.
type scanner struct {
	line
	at int // byte of the text
}

func (s *scanner) position() int {
	return s.indent + utf8.RuneCountInString(s.text[:s.at]) + 1
}

func (s *scanner) fail(message string) error {
	return problem(ErrSyntax, s.number, s.position(), "%s", message)
}

func (s *scanner) skip() {
	for s.at < len(s.text) && s.text[s.at] == ' ' {
		s.at++
	}
}

func (s *scanner) ended() bool {
	s.skip()
	return s.at == len(s.text)
}

// take goes past a character if it stands here.
func (s *scanner) take(mark byte) bool {
	if s.ended() || s.text[s.at] != mark {
		return false
	}
	s.at++
	return true
}

// source reads a code, a range, or a range with one end.
func (s *scanner) source() (Source, error) {
	if s.ended() {
		return Source{}, s.fail("a code is missing")
	}
	out := Source{line: s.number, start: s.position(), stop: s.position()}
	var err error
	if out.Range = s.take('-'); !out.Range {
		if out.Low, err = s.code(','); err != nil {
			return out, err
		}
		out.HasLow = true
		if out.Range = s.take('-'); !out.Range {
			out.High, out.HasHigh = out.Low, true
			return out, nil
		}
	}
	if s.ended() || s.text[s.at] == ',' {
		if !out.HasLow {
			return out, s.fail("a hyphen needs a code beside it")
		}
		return out, nil
	}
	out.stop = s.position()
	out.HasHigh = true
	out.High, err = s.code(',')
	return out, err
}

// code reads a code that ends before a blank, a hyphen, or the end mark; in
// double quotes it may hold all of these. Blanks around it are no part of it.
func (s *scanner) code(end byte) (string, error) {
	s.skip()
	from := s.at
	if from < len(s.text) && s.text[from] == '"' {
		length := strings.IndexByte(s.text[from+1:], '"')
		if length < 0 {
			return "", s.fail("the quote is not closed")
		}
		s.at = from + length + 2
		return strings.Trim(s.text[from+1:from+1+length], " "), nil
	}
	for s.at < len(s.text) && s.text[s.at] != ' ' && s.text[s.at] != '-' && s.text[s.at] != end {
		s.at++
	}
	if s.at == from {
		return "", s.fail("a code is expected here")
	}
	return s.text[from:s.at], nil
}

// lineEnd ends the lines of all files written, as mu-Argus ends them.
const lineEnd = "\r\n"

// Text returns the recode file. ParseRecode reads it as the same recode again,
// but for notes, as long as no code has a double quote or a line break.
func (r *Recode) Text() string {
	var text strings.Builder
	for _, rule := range r.Rules {
		text.WriteString(spellCode(rule.New, ':'))
		text.WriteString(": ")
		for i, source := range rule.Sources {
			if i > 0 {
				text.WriteString(", ")
			}
			text.WriteString(source.String())
		}
		text.WriteString(lineEnd)
	}
	if len(r.Missing) > 0 {
		text.WriteString("<MISSING>")
		for _, code := range r.Missing {
			text.WriteString(" " + spellWord(code))
		}
		text.WriteString(lineEnd)
	}
	if r.CodeList != "" {
		text.WriteString(`<CODELIST> "` + r.CodeList + `"` + lineEnd)
	}
	return text.String()
}

// String returns the source as it is written: "5", "2-5", "-5", "2-".
func (s Source) String() string {
	text := ""
	if s.HasLow {
		text = spellCode(s.Low, ',')
	}
	if !s.Range {
		return text
	}
	text += "-"
	if s.HasHigh {
		text += spellCode(s.High, ',')
	}
	return text
}

// spellCode puts a code in quotes where it needs them.
func spellCode(code string, end byte) string {
	// At the beginning of a line these would be something else than a code.
	keyword := strings.HasPrefix(code, "<") || strings.HasPrefix(code, "//") || strings.HasPrefix(code, "\ufeff")
	if code == "" || strings.ContainsAny(code, " -\t"+string(end)) || keyword && !strings.Contains(code, `"`) {
		return `"` + code + `"`
	}
	return code
}

// spellWord puts a word in quotes where a blank or comma would end it.
func spellWord(word string) string {
	if word == "" || strings.ContainsAny(word, " ,\t<") && !strings.Contains(word, `"`) {
		return `"` + word + `"`
	}
	return word
}
