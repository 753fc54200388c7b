// Package identify recognises direct identifiers of persons, and precise places, by the
// names of variables and by what texts look like. What it knows is a table in one file,
// identifiers.jsonl; Read adds the lines of another one:
//
//	{"identifier":"staff numbers","names":"staffno personalnr* -class","content":"^S\\d{6}$","share":80}
//	{"except":"email_use q17"}
//	{"except_content":"Dr Oetker"}
package identify

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/internal/strict"
)

// Kinds of identifiers that are more than patterns.
const (
	Persons       = "names of persons"
	Dates         = "dates"
	RecordNumbers = "record numbers"
	PersonNumbers = "person numbers"
)

// Patterns recognise identifiers.
type Patterns struct {
	names       []named
	recognisers []recogniser
	exceptions  []string
	harmless    []*regexp.Regexp
	words       map[string]map[string]bool // of texts, by what they are: "given", "family", "months"
	added       []byte                     // the lines that were added to those that the program knows
	own         int                        // the number of recognisers that the program knows
}

// Kind is what a variable identifies.
type Kind struct {
	Title   string // "e-mail addresses"
	Finding string // of the check before release
}

// named are names of variables of a kind.
type named struct {
	Kind
	words Lexicon
}

// line is one of a file of patterns.
type line struct {
	Identifier string `json:"identifier"` // what is identified by it, in the plural
	Finding    string `json:"finding"`    // "direct-identifiers", "precise-places", "cluster-ids", "dates"
	Names      string `json:"names"`      // words of names of variables, see Lexicon
	Content    string `json:"content"`    // regular expression of values
	Contains   string `json:"contains"`   // a text that all such values have
	Check      string `json:"check"`      // what their digits must satisfy
	Inside     bool   `json:"inside"`     // the values may be part of longer texts
	Share      int    `json:"share"`      // percent of the different values that must be such
	Least      int    `json:"least"`      // different values that must be such
	Spread     bool   `json:"spread"`     // one unit in ten must have a value of its own

	Except        string `json:"except"`         // names of variables that are harmless, or their beginnings with a star
	ExceptContent string `json:"except_content"` // regular expression of harmless parts of texts
	Given         string `json:"given"`          // first names
	Family        string `json:"family"`         // family names
	Months        string `json:"months"`         // names of months
}

//go:embed identifiers.jsonl
var known []byte

// Default returns the patterns that the program knows.
var Default = sync.OnceValue(func() *Patterns {
	p, err := (&Patterns{}).Read(bytes.NewReader(known))
	if err != nil {
		panic(err) // a test reads it
	}
	p.added, p.own = nil, len(p.recognisers)
	return p
})

// Bytes that a line of patterns, and a file of them, may have.
const (
	mostOfLine     = 1 << 16
	mostOfPatterns = 1 << 20
)

// Added returns the lines that were added to those that the program knows; none of nil.
func (p *Patterns) Added() []byte {
	if p == nil {
		return nil
	}
	return p.added
}

// Read returns the patterns with those of a file of lines in JSON added; empty lines and
// those that begin with # are left out. An error names the line.
func (p *Patterns) Read(from io.Reader) (*Patterns, error) {
	text, err := io.ReadAll(io.LimitReader(from, mostOfPatterns+1))
	if err != nil {
		return nil, err
	}
	if len(text) > mostOfPatterns {
		return nil, errors.New("the identifier patterns exceed 1 MiB")
	}
	more := &Patterns{slices.Clone(p.names), slices.Clone(p.recognisers), slices.Clone(p.exceptions), slices.Clone(p.harmless),
		maps.Clone(p.words), slices.Concat(p.added, text), p.own}
	scanner := bufio.NewScanner(bytes.NewReader(text))
	scanner.Buffer(nil, mostOfLine)
	number := 0
	for scanner.Scan() {
		number++
		text := bytes.TrimSpace(scanner.Bytes())
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		var l line
		err := strict.Decode(text, &l)
		if err == nil {
			err = more.add(&l)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d of the identifier patterns: %w", number, withoutText(err))
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("line %d of the identifier patterns: %w", number+1, err)
	}
	return more, nil
}

// withoutText says of JSON that is none no more than that.
func withoutText(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not a JSON object: %w", err)
	}
	return err
}

// findings are those that patterns may have.
var findings = []string{"direct-identifiers", "precise-places", "cluster-ids", "dates"}

func (p *Patterns) add(l *line) error {
	if l.Finding == "" {
		l.Finding = findings[0]
	}
	if !slices.Contains(findings, l.Finding) {
		return fmt.Errorf("finding: expected one of %s", strings.Join(findings, ", "))
	}
	if (l.Names != "" || l.Content != "") != (l.Identifier != "") {
		return errors.New(`expected "identifier" with "names", "content" or both`)
	}
	kind := Kind{l.Identifier, l.Finding}
	if l.Names != "" {
		p.names = append(p.names, named{kind, folded(l.Names)})
	}
	if l.Content != "" {
		recogniser, err := newRecogniser(kind, l)
		if err != nil {
			return err
		}
		p.recognisers = append(p.recognisers, recogniser)
	}
	if l.Except != "" {
		p.exceptions = append(p.exceptions, strings.Fields(strings.ToLower(l.Except))...)
	}
	if l.ExceptContent != "" {
		harmless, err := regexp.Compile(l.ExceptContent)
		if err != nil {
			return fmt.Errorf("except_content: %w", err)
		}
		p.harmless = append(p.harmless, harmless)
	}
	p.know("given", l.Given)
	p.know("family", l.Family)
	p.know("months", l.Months)
	return nil
}

// folded returns words as names of variables are read: without accents, marks and digits.
func folded(words string) Lexicon {
	var out []string
	for word := range strings.FieldsSeq(words) {
		text := strings.Join(split(strip(word)), "")
		if strings.HasPrefix(word, "-") {
			text = "-" + text
		}
		if strings.HasSuffix(word, "*") {
			text += "*"
		}
		out = append(out, text)
	}
	return Lexicon(strings.Join(out, " "))
}

// know adds words of texts; those that were known before are shared with nobody.
func (p *Patterns) know(what, words string) {
	if words == "" {
		return
	}
	all := maps.Clone(p.words[what])
	if all == nil {
		all = map[string]bool{}
	}
	for word := range strings.FieldsSeq(words) {
		all[Fold(word)] = true
	}
	if p.words == nil {
		p.words = map[string]map[string]bool{}
	}
	p.words[what] = all
}

// Named returns what a variable identifies by its name.
func (p *Patterns) Named(name string) (Kind, bool) {
	words := Words(name)
	for _, of := range p.names {
		if of.words.Match(words) {
			return of.Kind, true
		}
	}
	return Kind{}, false
}

// Harmless reports whether a variable is an exception.
func (p *Patterns) Harmless(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(p.exceptions, func(entry string) bool {
		stem, isStem := strings.CutSuffix(entry, "*")
		return name == entry || isStem && strings.HasPrefix(name, stem)
	})
}
