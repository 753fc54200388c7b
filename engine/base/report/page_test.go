package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// Chapters and their parts are numbered in every form except JSON, in which sections contain their parts. A first
// chapter with parts is a separate page on paper.
func TestChapters(t *testing.T) {
	page := &Page{Chapters: true, Sections: []Section{{Heading: "A", Parts: []Section{{Heading: "B", Lines: []string{"b"}}}},
		{Heading: "C"}}}
	for name, c := range map[string]struct {
		form Form
		want []string
	}{"plain": {Plain(), []string{"1 A\n---\n", "1.1 B\n.....\nb\n", "2 C\n"}},
		"markdown": {Markdown(), []string{"\n## 1 A\n\n### 1.1 B\n\n- b\n\n## 2 C\n"}},
		"html":     {HTML(), []string{`<h2 id="s1">1 A</h2>`, `<h3 id="s1-1">1.1 B</h3>`, `href="#s2">C<`, `<main class="cover">`}},
		"json":     {JSON(), []string{`"a": {"heading":"A","sections":{"b":{"heading":"B","lines":["b"]}}}`, `"c": {"heading":"C"}`}}} {
		for _, want := range c.want {
			if got := inForm(t, c.form, page); !strings.Contains(got, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, got)
			}
		}
	}
	if page.Sections[0].Parts = nil; strings.Contains(inForm(t, HTML(), page), "<main class") {
		t.Error("a chapter without parts has a page of its own")
	}
}

func TestWithoutEmptyColumns(t *testing.T) {
	got := WithoutEmptyColumns([][]string{{"a", "b", "c", "d"}, {"–", "–", "1", ""}, {"", "", "–", "–"}})
	if want := [][]string{{"a", "c"}, {"–", "1"}, {"", "–"}}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A number that is not available is marked as such, and is null in JSON.
func TestNumbersThatAreNotAvailable(t *testing.T) {
	page := &Page{Sections: []Section{{Heading: "A", Picture: &Picture{Kind: Bars, Series: []string{"now", "original"},
		Labels: []string{"x"}, Values: [][]float64{{2, math.NaN()}}}}}}
	if text := inForm(t, HTML(), page); !strings.Contains(text, ">not available<") || strings.Contains(text, "NaN") {
		t.Error(text)
	}
	if text := inForm(t, JSON(), page); !strings.Contains(text, `"values":[[2,null]]`) {
		t.Error(text)
	}
}

// Labels of close points are merged, and no two labels overlap.
func TestLabelsDoNotOverlap(t *testing.T) {
	var labels []label
	for i, at := range [][2]float64{{40, 30}, {40, 31}, {110, 150}, {114, 152}, {114, 152}, {300, 150}} {
		labels = placed(labels, label{at[0], at[1], []string{"original", "1", "2", "3", "4", "6"}[i]})
	}
	var texts []string
	for i, one := range labels {
		texts = append(texts, one.text)
		for _, other := range labels[:i] {
			if one.overlaps(other) {
				t.Errorf("%q and %q overlap", one.text, other.text)
			}
		}
	}
	if want := []string{"original, 1", "2–4", "6"}; !slices.Equal(texts, want) {
		t.Errorf("%q, want %q", texts, want)
	}
}
