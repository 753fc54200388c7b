package muargus

import (
	"slices"
	"strings"
)

// Recode is the content of a recode file (.grc). The zero value recodes nothing and is not a valid file.
type Recode struct {
	Rules    []Rule
	Missing  []string // missing codes after the recode, at most two; nil for no change
	CodeList string   // path of a file with labels of the new codes, or ""
	Notes    []string // tolerated irregularities in words
}

// Rule maps codes to a new one. Several rules may have the same new code.
type Rule struct {
	New     string // without surrounding spaces, never empty
	Sources []Source
}

// Source is a code, or a range of codes, that a rule recodes.
type Source struct {
	// without surrounding spaces; equal if Range is false, and "" for an open end of a range
	Low, High         string
	Range             bool
	line, start, stop int // line number and positions of the ends
}

// ParseRecode parses a recode file. Errors wrap ErrSyntax, with line and position, or ErrEmpty; Apply checks
// whether the codes fit a variable.
func ParseRecode(text string) (*Recode, error) {
	r := &Recode{}
	for _, l := range textLines(text) {
		var err error
		switch l.keyword() {
		case "<MISSING>":
			err = r.readMissing(&l)
		case "<CODELIST>":
			err = r.readCodeList(&l)
		default:
			l.at = 0
			err = r.readRule(&l)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(r.Rules) == 0 {
		return nil, problem(ErrEmpty, 0, 0, `the file has no rule such as "1: 2-5, 8"`)
	}
	return r, nil
}

func (r *Recode) readMissing(l *line) error {
	words, comma := l.tokens(true)
	if len(words) > 2 {
		return problem(ErrSyntax, l.number, words[2].position, "at most two missing-value codes are allowed, not %d", len(words))
	}
	r.Missing = missingCodes(words)
	if comma {
		r.Notes = append(r.Notes,
			"a comma between missing-value codes was read as a space; mu-Argus would read it as part of a code")
	}
	return nil
}

// missingCodes returns the words as missing codes, without repetition.
func missingCodes(words []token) (codes []string) {
	for _, word := range words {
		if code := strings.Trim(word.text, " "); code != "" && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
}

func (r *Recode) readCodeList(l *line) error {
	if r.CodeList = l.first(); r.CodeList == "" {
		return problem(ErrSyntax, l.number, 0, "<CODELIST> needs the name of a file")
	}
	return nil
}

// readRule parses a line such as "1: 2-5, 8".
func (r *Recode) readRule(l *line) error {
	code, err := l.code(":")
	switch {
	case err != nil:
		return err
	case code == "":
		return l.fail("the new code is empty")
	case l.ended():
		return l.fail("a colon is missing after the new code")
	case !l.take(':'):
		return l.fail("a colon is expected; put a new code with a space or a hyphen in double quotes")
	}
	rule := Rule{New: code}
	for {
		source, err := l.source()
		if err != nil {
			return err
		}
		rule.Sources = append(rule.Sources, source)
		if l.ended() {
			r.Rules = append(r.Rules, rule)
			return nil
		}
		if !l.take(',') {
			return l.fail("a comma is expected between codes; put a code with a space or a hyphen in double quotes")
		}
	}
}

// source parses a code, a range, or a range with one end.
func (l *line) source() (s Source, err error) {
	if l.ended() {
		return s, l.fail("a code is missing")
	}
	s = Source{line: l.number, start: l.position(), stop: l.position()}
	if s.Range = l.take('-'); !s.Range {
		if s.Low, err = l.code(","); err != nil {
			return s, err
		}
		if s.Range = l.take('-'); !s.Range {
			s.High = s.Low
			return s, nil
		}
	}
	if l.ended() || l.text[l.at] == ',' {
		if s.Low == "" {
			return s, l.fail("a hyphen needs a code next to it")
		}
		return s, nil
	}
	s.stop = l.position()
	if s.High, err = l.code(","); err == nil && s.High == "" {
		err = l.fail("a hyphen needs a code next to it")
	}
	return s, err
}

// code parses a code that ends before a space, a hyphen or the end mark; in double quotes it may contain all of
// these. Surrounding spaces are removed.
func (l *line) code(end string) (string, error) {
	if l.ended() {
		return "", l.fail("a code is expected")
	}
	from := l.at
	text, closed := l.word(" -" + end)
	switch {
	case l.at == from:
		return "", l.fail("a code is expected")
	case !closed:
		l.at = from
		return "", l.fail("the quote is not closed")
	}
	return strings.Trim(text, " "), nil
}

// lineEnd is the line end of all files written, as in mu-Argus.
const lineEnd = "\r\n"

// spellWord quotes a word that contains a space or comma.
func spellWord(word string) string {
	if word == "" || strings.ContainsAny(word, " ,\t<") && !strings.Contains(word, `"`) {
		return `"` + word + `"`
	}
	return word
}
