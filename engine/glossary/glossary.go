// Package glossary has the terms of the field that screens and reports use, each with its
// definition, formula and source:
//
//	for _, term := range glossary.In("Violators of 3-anonymity") { … }
package glossary

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
)

//go:embed terms.jsonl
var script []byte

// Term is a term of the field.
type Term struct {
	Name     string   `json:"term"`
	Also     []string `json:"also"`     // other forms of the name
	Synonyms []string `json:"synonyms"` // names in the literature and in other programs
	Means    string   `json:"means"`
	Formula  string   `json:"formula"` // or "" if there is none
	Source   string   `json:"source"`  // or "" if it is common knowledge
}

// forms returns all names of the term.
func (t *Term) forms() []string { return slices.Concat([]string{t.Name}, t.Also, t.Synonyms) }

// read parses the embedded terms once. TestTermsAreComplete checks that they are valid.
var read = sync.OnceValue(func() (terms []Term) {
	for line := range bytes.Lines(script) {
		var term Term
		if json.Unmarshal(line, &term) == nil {
			terms = append(terms, term)
		}
	}
	return terms
})

// All returns the terms sorted by name. They must not be modified.
func All() []Term { return read() }

// In returns the terms named in a text, in order of occurrence. If names overlap, the longest is used: "household
// risk" does not name household.
func In(text string) (named []*Term) {
	words := wordsOf(text)
	for at := 0; at < len(words); {
		term, length := longest(words[at:])
		if term != nil && !slices.Contains(named, term) {
			named = append(named, term)
		}
		at += max(1, length)
	}
	return named
}

// name is a name of a term, as words.
type name struct {
	term  *Term
	words []string
}

// names lists the names of all terms by their first word, the longest names first.
var names = sync.OnceValue(func() map[string][]name {
	terms, byWord := All(), map[string][]name{}
	for i := range terms {
		for _, form := range terms[i].forms() {
			words := wordsOf(form)
			byWord[words[0]] = append(byWord[words[0]], name{&terms[i], words})
		}
	}
	for _, same := range byWord {
		slices.SortStableFunc(same, func(a, b name) int { return len(b.words) - len(a.words) })
	}
	return byWord
})

// longest returns the term with the longest name at the beginning of words, or nil if there is none.
func longest(words []string) (term *Term, length int) {
	for _, n := range names()[words[0]] {
		if len(n.words) <= len(words) && slices.Equal(n.words, words[:len(n.words)]) {
			return n.term, len(n.words)
		}
	}
	return nil, 0
}

// wordsOf returns the words of a text in lower case; symbols of one or two letters are unchanged.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '.' && r != '±'
	})
	for i, word := range words {
		if word = strings.Trim(word, "-."); len(word) > 2 {
			word = strings.ToLower(word)
		}
		words[i] = word
	}
	return words
}

// Books lists the titles that the glossary gives once and that Cited abbreviates.
const Books = "Hundepool 2012 is Hundepool et al., Statistical Disclosure Control (Wiley); Templ 2017 is Templ, " +
	"Statistical Disclosure " +
	"Control for Microdata (Springer); Willenborg and de Waal 2001 is Elements of Statistical Disclosure Control (Springer); " +
	"SDC guide is Benschop, Machingauta and Welch 2019, Statistical Disclosure Control: A Practice Guide; " +
	"JASA is the Journal of the American Statistical Association, JOS the Journal of Official Statistics, DMKD Data Mining and " +
	"Knowledge Discovery, PSD Privacy in Statistical Databases"

// Where refers readers of other pages to Books.
const Where = "Short titles of sources: see the glossary."

// cited maps titles to the short names of Books.
var cited = strings.NewReplacer(
	"Hundepool et al. (2012), Statistical Disclosure Control", "Hundepool 2012",
	"Hundepool et al. 2012, Statistical Disclosure Control", "Hundepool 2012",
	"Hundepool et al. (2012)", "Hundepool 2012", "Hundepool et al. 2012", "Hundepool 2012",
	"Templ (2017), Statistical Disclosure Control for Microdata", "Templ 2017",
	"Templ 2017, Statistical Disclosure Control for Microdata", "Templ 2017", "Templ (2017)", "Templ 2017",
	"Benschop, Machingauta and Welch 2019, Statistical Disclosure Control: A Practice Guide", "SDC guide",
	"Willenborg and de Waal 2001, Elements of Statistical Disclosure Control", "Willenborg and de Waal 2001",
	"mu-ARGUS version 5.1 manual", "mu-Argus manual", "mu-ARGUS 5.1 manual", "mu-Argus manual", "the manual of mu-Argus 5.1", "mu-Argus manual",
	"SDC Practice Guide, Measuring risk", "SDC guide", "SDC Practice Guide", "SDC guide",
	"section ", "§", "Journal of the American Statistical Association", "JASA", "Journal of Official Statistics", "JOS",
	"Data Mining and Knowledge Discovery", "DMKD", "Privacy in Statistical Databases", "PSD")

// Cited returns a source with the short names of Books.
func Cited(source string) string { return cited.Replace(source) }

// Page returns the page of the manual with all terms and their definitions.
func Page() *report.Page {
	page := &report.Page{Title: "Glossary", Sections: []report.Section{{Heading: "Sources", Lines: []string{Books}, Entry: true}}}
	for _, term := range All() {
		page.Sections = append(page.Sections, term.entry(Cited(term.Source)))
	}
	return page
}

// PageOf returns a page of the terms named in a text, with full sources; nil if it names none.
func PageOf(text string) *report.Page {
	named := In(text)
	if len(named) == 0 {
		return nil
	}
	page := &report.Page{Title: "Glossary"}
	for _, term := range named {
		page.Sections = append(page.Sections, term.entry(term.Source))
	}
	return page
}

// entry returns the entry of the term with a source.
func (t *Term) entry(source string) report.Section {
	section := report.Section{Heading: t.Name, Lines: []string{t.Means}, Entry: true}
	if len(t.Synonyms) > 0 {
		section.Add("Also called: %s", strings.Join(t.Synonyms, ", "))
	}
	if t.Formula != "" {
		section.Add("Formula: %s", t.Formula)
	}
	if source != "" && source != "this project's own" {
		section.Lines[0] += fmt.Sprintf(" (%s)", source)
	}
	return section
}
