package glossary

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// Every line is a term with a definition, no term occurs twice, and no form belongs to another term too.
func TestTermsAreComplete(t *testing.T) {
	terms := All()
	if lines := bytes.Count(script, []byte("\n")); lines != len(terms) || lines == 0 {
		t.Fatalf("%d lines, %d terms", lines, len(terms))
	}
	forms := map[string]string{}
	for _, term := range terms {
		if term.Name == "" || len(term.Means) < 30 || !strings.HasSuffix(term.Means, ".") {
			t.Errorf("%+v", term)
		}
		for _, form := range term.forms() {
			form = strings.Join(wordsOf(form), " ")
			if other, twice := forms[form]; twice {
				t.Errorf("%q is %q and %q", form, other, term.Name)
			}
			forms[form] = term.Name
		}
	}
	if !slices.IsSortedFunc(terms, func(a, b Term) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	}) {
		t.Error("the terms are not by name")
	}
}

// Terms are found in all their forms, the longest first, and never within other words.
func TestTermsOfATitle(t *testing.T) {
	for text, want := range map[string]string{
		"Violators of k-anonymity":    "violator, k-anonymity",
		"global risk, household risk": "global risk, household risk",
		"household risk":              "household risk",
		"records at risk":             "individual risk",
		"key variables":               "key variable",
		"f":                           "sample frequency",
		"F":                           "population frequency",
		"brisk monkeys":               "",
		"conservative  1,298":         "conservative rule",
		"Equivalence classes":         "key pattern",
		"prosecutor risk":             "prosecutor risk",
	} {
		var names []string
		for _, term := range In(text) {
			names = append(names, term.Name)
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
	}
}

// The synonyms of the literature for the terms of the screens are known.
func TestSynonymsOfTheLiterature(t *testing.T) {
	for synonym, want := range map[string]string{"quasi-identifier": "key variable", "equivalence class": "key pattern",
		"sample unique": "sample unique", "prosecutor risk": "prosecutor risk", "journalist risk": "journalist risk",
		"top coding": "top coding", "generalisation": "recoding", "aggregation": "recoding", "masking": "masking",
		"pseudonym": "random ID", "hashing": "random ID"} {
		if terms := In(synonym); len(terms) != 1 || terms[0].Name != want {
			t.Errorf("%q names %v, want %q", synonym, terms, want)
		}
	}
}
