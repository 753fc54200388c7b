package fileio

import (
	"encoding/xml"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzCodebook: reading a codebook never panics, and a codebook written in either form is read back unchanged.
func FuzzCodebook(f *testing.F) {
	for _, seed := range []string{
		"variable,label\nsex,Sex\n",
		"variable;label;value;value_label;missing\nsex;Sex;;;\nsex;;1;male;\nsex;;9;\"not; known\";yes\n",
		"variable,missing\n,yes\n", "a\n", "\ufeffvariable,value,missing\nx,-9,1\n",
		`<codeBook xmlns="ddi:codebook:2_5"><dataDscr><var name="sex"><labl>Sex</labl><invalrng><item VALUE="9"/><range UNITS="INT" min="97" max="99"/></invalrng><catgry missing="Y"><catValu>9</catValu><labl>not known</labl></catgry></var></dataDscr></codeBook>`,
		"variable,label,value\n0,,0\n", "<var name='a'><labl>a &amp; b</labl><catgry><labl>no value</labl></catgry></var>",
		"<", "<var", "<!DOCTYPE a [<!ENTITY b 'c'>]><var name='a'><labl>&b;</labl></var>",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		book, err := parseCodebook(t.Context(), "fuzz", content)
		if err != nil {
			return
		}
		var entries []bookEntry
		for _, name := range slices.Sorted(maps.Keys(book)) {
			d, entry := book[name], bookEntry{name: name, label: book[name].Label}
			codes := slices.Collect(maps.Keys(d.Labels))
			for _, code := range d.Missing {
				if d.Labels[code] == "" {
					codes = append(codes, code)
				}
			}
			slices.Sort(codes)
			slices.Sort(d.Missing) // their order is not significant
			for _, code := range codes {
				entry.values = append(entry.values, bookValueOf{code, d.Labels[code], slices.Contains(d.Missing, code)})
			}
			entries = append(entries, entry)
		}
		text, err := bookAsCSV(entries)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, "\r") { // line breaks in cells are converted
			sameBook(t, book, text)
		}
		if text, err = bookAsDDI("fuzz", entries); err != nil {
			t.Fatal(err)
		}
		if plainWords(entries) {
			sameBook(t, book, text)
		}
	})
}

// plainWords reports whether XML preserves all texts: labels have single spaces and no control characters.
func plainWords(entries []bookEntry) bool {
	plain := func(text string) bool {
		var escaped strings.Builder
		_ = xml.EscapeText(&escaped, []byte(text))
		return utf8.ValidString(text) && text == strings.Join(strings.Fields(text), " ") &&
			!strings.Contains(escaped.String(), "\ufffd") && strings.TrimSpace(text) == text
	}
	for _, entry := range entries {
		if !plain(entry.name) || !plain(entry.label) {
			return false
		}
		for _, value := range entry.values {
			if !plain(value.code) || !plain(value.label) {
				return false
			}
		}
	}
	return true
}

func sameBook(t *testing.T, book codebook, text string) {
	t.Helper()
	again, err := parseCodebook(t.Context(), "fuzz", []byte(text))
	if err != nil {
		t.Fatalf("written and not read: %v\n%q", err, text)
	}
	for _, d := range again {
		slices.Sort(d.Missing)
	}
	if !reflect.DeepEqual(book, again) {
		t.Fatalf("written as %q and read as another", text)
	}
}
