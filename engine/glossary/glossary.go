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
	Also     []string `json:"also"`     // other forms and words by which it is meant
	Synonyms []string `json:"synonyms"` // what the literature and other programs call it
	Means    string   `json:"means"`
	Formula  string   `json:"formula"` // "": there is none
	Source   string   `json:"source"`  // "": common knowledge
}

// forms returns everything that the term is called.
func (t *Term) forms() []string { return slices.Concat([]string{t.Name}, t.Also, t.Synonyms) }

// read reads the terms once. They are part of the program: TestTermsAreComplete reads all.
var read = sync.OnceValue(func() (terms []Term) {
	for line := range bytes.Lines(script) {
		var term Term
		if json.Unmarshal(line, &term) == nil {
			terms = append(terms, term)
		}
	}
	return terms
})

// All returns the terms by name. They are not to be changed.
func All() []Term { return read() }

// In returns the terms that a text names, in the order in which it does. Of forms that
// overlap the longest counts: "household risk" names no household.
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

// longest returns the term whose longest form some words begin with; nil: there is none.
func longest(words []string) (term *Term, length int) {
	terms := All()
	for i := range terms {
		for _, form := range terms[i].forms() {
			f := wordsOf(form)
			if len(f) > length && len(f) <= len(words) && slices.Equal(f, words[:len(f)]) {
				term, length = &terms[i], len(f)
			}
		}
	}
	return term, length
}

// wordsOf returns the words of a text in small letters; symbols, of one or two letters,
// as they are.
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

// Books are the titles that the glossary has once and Cited leaves out.
const Books = "Hundepool 2012 is Hundepool et al., Statistical Disclosure Control (Wiley); Templ 2017 is Templ, Statistical Disclosure " +
	"Control for Microdata (Springer); SDC guide is Benschop, Machingauta and Welch 2019, Statistical Disclosure Control: A Practice Guide"

// Where says which page has Books.
const Where = "Short titles of sources: see the glossary."

// cited has the short names of Books.
var cited = strings.NewReplacer(
	"Hundepool et al. (2012), Statistical Disclosure Control", "Hundepool 2012",
	"Hundepool et al. 2012, Statistical Disclosure Control", "Hundepool 2012",
	"Hundepool et al. (2012)", "Hundepool 2012", "Hundepool et al. 2012", "Hundepool 2012",
	"Templ (2017), Statistical Disclosure Control for Microdata", "Templ 2017",
	"Templ 2017, Statistical Disclosure Control for Microdata", "Templ 2017", "Templ (2017)", "Templ 2017",
	"Benschop, Machingauta and Welch 2019, Statistical Disclosure Control: A Practice Guide", "SDC guide",
	"SDC practice guide, Measuring risk", "SDC guide", "SDC practice guide", "SDC guide")

// Cited returns a source with the short names that Books explains.
func Cited(source string) string { return cited.Replace(source) }

// Page is the page of the manual: every term with what it means.
func Page() *report.Page {
	page := &report.Page{Title: "Glossary", Sections: []report.Section{{Heading: "Sources", Lines: []string{Books}, Entry: true}}}
	for _, term := range All() {
		section := report.Section{Heading: term.Name, Lines: []string{term.Means}, Entry: true}
		if len(term.Synonyms) > 0 {
			section.Add("Also called: %s", strings.Join(term.Synonyms, ", "))
		}
		if term.Formula != "" {
			section.Add("Formula: %s", term.Formula)
		}
		if term.Source != "" && term.Source != "this project's own" {
			section.Lines[0] += fmt.Sprintf(" (%s)", Cited(term.Source))
		}
		page.Sections = append(page.Sections, section)
	}
	return page
}
