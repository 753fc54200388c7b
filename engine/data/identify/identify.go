// Package identify recognises direct identifiers of persons, and precise places, by the names of variables and by
// the form of their values. The built-in patterns are in identifiers.jsonl; Read adds those of another file of the
// same format:
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

// Titles of the identifiers that need more than a pattern.
const (
	Persons       = "names of persons"
	Dates         = "dates"
	RecordNumbers = "record numbers"
	PersonNumbers = "person IDs"
)

// Patterns recognise identifiers.
type Patterns struct {
	names       []kindNames
	recognisers []recogniser
	exceptions  []string
	harmless    []*regexp.Regexp
	words       map[string]map[string]bool // word lists by kind: "given", "family", "months"
	added       []byte                     // lines added to the built-in ones
	own         int                        // number of built-in recognisers
}

// Kind is a kind of identifier.
type Kind struct {
	Title   string // plural, such as "e-mail addresses"
	Finding string // name of the pre-release check that reports it
}

// kindNames maps words of variable names to a kind.
type kindNames struct {
	Kind
	words Lexicon
}

// line is a line of a pattern file.
type line struct {
	Identifier string `json:"identifier"` // title of the kind, in the plural
	Finding    string `json:"finding"`    // "direct-identifiers", "precise-places", "cluster-ids", "dates"
	Names      string `json:"names"`      // words of variable names, see Lexicon
	Content    string `json:"content"`    // regular expression that the values match
	Contains   string `json:"contains"`   // literal text that every match contains
	Check      string `json:"check"`      // name of the check on the digits of a match
	Inside     bool   `json:"inside"`     // search within longer texts too
	Share      int    `json:"share"`      // percentage of the distinct values that must match
	Least      int    `json:"least"`      // number of distinct values that must match
	Spread     bool   `json:"spread"`     // require a distinct value for every ten persons or households

	Except        string `json:"except"`         // names of harmless variables; a star at the end matches any continuation
	ExceptContent string `json:"except_content"` // regular expression for harmless parts of texts
	Given         string `json:"given"`          // first names
	Family        string `json:"family"`         // family names
	Months        string `json:"months"`         // names of months
}

//go:embed identifiers.jsonl
var known []byte

// Default returns the built-in patterns.
var Default = sync.OnceValue(func() *Patterns {
	p, err := (&Patterns{}).Read(bytes.NewReader(known))
	if err != nil {
		panic(err) // unreachable: a test reads the built-in patterns
	}
	p.added, p.own = nil, len(p.recognisers)
	return p
})

// Maximum sizes in bytes of a line and of a file of patterns.
const (
	mostOfLine     = 1 << 16
	mostOfPatterns = 1 << 20
)

// Added returns the lines that were added to the built-in ones; p may be nil.
func (p *Patterns) Added() []byte {
	if p == nil {
		return nil
	}
	return p.added
}

// Read returns the patterns extended by a file of JSON lines. Empty lines and lines that begin with # are skipped.
// An error names the line.
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

// withoutText replaces the details of a JSON syntax error.
func withoutText(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not a JSON object: %w", err)
	}
	return err
}

// findings lists the valid values of line.Finding.
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
		p.names = append(p.names, kindNames{kind, folded(l.Names)})
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

// folded normalises the words of a lexicon as Words does: no accents, punctuation or digits.
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

// know adds words to a list. It copies the list, which other Patterns may share.
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

// Named returns the kind that the name of a variable suggests.
func (p *Patterns) Named(name string) (Kind, bool) {
	words := Words(name)
	for _, of := range p.names {
		if of.words.Match(words) {
			return of.Kind, true
		}
	}
	return Kind{}, false
}

// Harmless reports whether a variable is listed as an exception.
func (p *Patterns) Harmless(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(p.exceptions, func(entry string) bool {
		stem, isStem := strings.CutSuffix(entry, "*")
		return name == entry || isStem && strings.HasPrefix(name, stem)
	})
}
