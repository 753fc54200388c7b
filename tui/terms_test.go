package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/glossary"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/views/panes"
)

// everyday are headings that need no explanation.
var everyday = strings.Fields(`record records name figure measure variable row n what all now original before after last
	times runs group total kind label had change changed cells percent number numbers rarest max min mean base up down
	exactly probably examples fewer convert conversion this history open recent sessions share type data of to it in the and per a by into
	or with at % c x -`)

// lacking returns the words of a heading if the glossary has none of its terms.
func lacking(heading string) string {
	if len(glossary.In(heading)) > 0 {
		return ""
	}
	words := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool { return strings.ContainsRune(" ,·()/:", r) })
	words = slices.DeleteFunc(words, func(w string) bool {
		return slices.Contains(everyday, w) || strings.Trim(w, "0123456789%.") == ""
	})
	return strings.Join(words, " ")
}

// The glossary has the terms of everything that the screen writes above figures: panes, columns, figures of
// measures, measures, roles and rules. Exceptions are listed here.
func TestTheGlossaryHasTheTermsOfTheScreen(t *testing.T) {
	beside(t)
	headings := map[string]string{}
	for _, pane := range panes.All() {
		headings[pane.Title()] = "pane " + pane.ID()
	}
	for _, spec := range catalog.Measures() {
		headings[spec.Title] = "measure " + spec.Name
	}
	for _, spec := range catalog.Methods() {
		headings[spec.Title] = "method " + spec.Name
		unexplained(t, spec.Name, spec.New().Params())
	}
	for _, spec := range catalog.Measures() {
		unexplained(t, spec.Name, spec.New().Params())
	}
	for _, role := range []microdata.Role{microdata.RoleKey, microdata.RoleNumericKey, microdata.RoleWeight,
		microdata.RoleHousehold, microdata.RoleStrata, microdata.RolePRAM, microdata.RoleSensitive, microdata.RoleLinked,
		microdata.RoleRemoved, microdata.RoleSame} {
		headings[string(role)] = "role"
	}
	for _, rule := range microdata.Rules() {
		headings[string(rule)] = "rule"
	}
	for _, e := range surveyOf(t, 120, 40).m.bench.current.Figures {
		for _, v := range e.Values.Numbers {
			headings[v.Title] = "number of " + e.Spec.Name
		}
	}
	for heading, where := range columnHeadings(t) {
		headings[heading] = where
	}
	if len(headings) < 100 {
		t.Errorf("%d headings were found", len(headings))
	}
	for heading, where := range headings {
		if words := lacking(heading); words != "" {
			t.Errorf("%q (%s): engine/glossary/terms.jsonl has none of its terms, and these are no everyday words: %s",
				heading, where, words)
		}
	}
}

// unexplained reports parameters that neither the glossary nor their help in the dialog explains.
func unexplained(t *testing.T, of string, params []method.Param) {
	for _, p := range params {
		if words := lacking(p.Label()); words != "" && len(strings.Fields(p.ScreenHelp())) < 4 {
			t.Errorf("the parameter %q of %s is explained by %q alone", p.Label(), of, p.ScreenHelp())
		}
	}
}

// columnHeadings finds the headings of columns in the code of the panes.
func columnHeadings(t *testing.T) map[string]string {
	found := map[string]string{}
	for _, pattern := range []string{"views/*.go", "views/*/*.go", "tui/*/*.go"} {
		files, err := filepath.Glob(filepath.Join(here, "..", pattern))
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, head := range regexp.MustCompile(`\bHead: +"([^"]+)"`).FindAllStringSubmatch(string(text), -1) {
				found[head[1]] = "column in " + filepath.Base(file)
			}
		}
	}
	return found
}

// i explains figures, then g the terms of the headings; the palette finds a term by its name and its synonyms.
func TestTermsAreExplained(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	titled := func(title string) bool { return strings.Contains(d.m.dialog.Title(), title) }
	for number := 1; d.m.focused().ID() != "k-anonymity"; number++ {
		if d.Press(strconv.Itoa(number)); number > 8 {
			t.Fatal("the tab has no pane k-anonymity")
		}
	}
	d.Press("i", "g")
	found := false
	for range len(d.m.terms()) {
		if d.Press("tab"); titled("The term: k-anonymity") {
			d.Dialog().Contains("every key pattern occurs at least k times", "f >= k", "Samarati")
			found = true
		}
	}
	if !found {
		t.Error("i does not explain k-anonymity as a term")
	}
	d.Press("esc", ":").Type("quasi-identifier").Press("enter").Dialog().Contains("The term: key variable")
	if d.Press("esc"); d.m.dialog != nil {
		t.Error("esc does not close the term")
	}
}
