package report

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/sdcdesk/sdcdesk/views/viewtest/nasty"
)

// acting lists texts with a special meaning in some form.
var acting = append(slices.Clone(nasty.Labels), "<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`,
	"</title></svg></table>", "[a](http://b)", "![a](b)", "`a`", "**a** _b_", "a | b", "- a", "1. a", "2) a", "> a", "~~~",
	"+ a", "# a", "---", "&lt;a&gt;", `\`, "a\u2028b\u2066c", "=HYPERLINK(1)", "' onload='a", "}}", "</script>", "<!--", "]]>")

// pageOf returns a page with a text in every place.
func pageOf(text string) *Page {
	return &Page{Title: text, Sections: []Section{
		{Heading: text, Lines: []string{text, text}, Table: [][]string{{text, text}, {text, text}, {text, "1"}}},
		{Heading: "bars", Picture: &Picture{Title: text, Description: text, Kind: Bars, Series: []string{text, text},
			Labels: []string{text}, Values: [][]float64{{1, 2}}}},
		{Heading: "points", Picture: &Picture{Title: text, Description: text, Kind: Points, Series: []string{text, text},
			Labels: []string{text, text}, Values: [][]float64{{1, 2}, {0, 0}}}}}}
}

// inForm returns a page in a form.
func inForm(t *testing.T, form Form, page *Page) string {
	t.Helper()
	var text strings.Builder
	if err := form.Write(&text, page); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestNothingActs(t *testing.T) {
	for name, form := range map[string]Form{"plain": Plain(), "markdown": Markdown(), "html": HTML(), "json": JSON()} {
		usual := inForm(t, form, pageOf("a"))
		for _, label := range acting {
			text := inForm(t, form, pageOf(label))
			if strings.Count(text, "\n") != strings.Count(usual, "\n") {
				t.Errorf("%s of %.20q has other lines", name, label)
			}
			for _, r := range text {
				if unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' {
					t.Errorf("%s of %.20q has the character %U", name, label, r)
				}
			}
		}
	}
}

// HTML with any label has the same elements and attributes as with a plain one, and the label as text.
func TestHTMLHasItsElementsOnly(t *testing.T) {
	_, usual := elements(t, inForm(t, HTML(), pageOf("a")))
	for _, label := range acting {
		texts, found := elements(t, inForm(t, HTML(), pageOf(label)))
		if !slices.Equal(found, usual) {
			t.Errorf("%.20q: elements %v, want %v", label, found, usual)
		}
		if times := count(texts, plain(label)); strings.TrimSpace(plain(label)) != "" && times < 10 {
			t.Errorf("%.20q stands in the page %d times", label, times)
		}
	}
}

func count(texts []string, text string) (times int) {
	for _, one := range texts {
		if one == text {
			times++
		}
	}
	return times
}

// elements returns the texts of a page, and its elements with the names of their attributes.
func elements(t *testing.T, page string) (texts, found []string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(page))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return texts, found
		}
		if err != nil {
			t.Fatalf("%v in\n%.2000s", err, page)
		}
		switch token := token.(type) {
		case xml.StartElement:
			element := token.Name.Local
			for _, attribute := range token.Attr {
				if attribute.Name.Local != "class" { // class of numbers
					element += " " + attribute.Name.Local
				}
			}
			found = append(found, element)
		case xml.CharData:
			texts = append(texts, string(token))
		case xml.Comment, xml.ProcInst:
			found = append(found, "comment")
		}
	}
}

// Apart from escapes, Markdown with any label has the same markup as with a plain one, and no label starts a
// block.
func TestMarkdownHasItsMarksOnly(t *testing.T) {
	marks := func(text string) string {
		text = strings.NewReplacer(`\\`, "", "\\`", "", `\*`, "", `\_`, "", `\|`, "", `\[`, "", `\]`, "", `\#`, "", `\~`, "",
			"&lt;", "", "&amp;", "").Replace(text)
		var found strings.Builder
		for _, r := range text {
			if strings.ContainsRune("`*_|[<#&", r) || r == '\n' {
				found.WriteRune(r)
			}
		}
		return found.String() + strings.Repeat("~", strings.Count(text, "~~"))
	}
	usual := marks(inForm(t, Markdown(), pageOf("a")))
	for _, label := range acting {
		text := inForm(t, Markdown(), pageOf(label))
		if marks(text) != usual {
			t.Errorf("%.20q has marks of its own:\n%.500s", label, text)
		}
		for _, line := range strings.Split(text, "\n") {
			for _, mark := range []string{"- - ", "- + ", "- > ", "- 1. ", "- 2) ", "- ---", "- ~~~"} {
				if strings.HasPrefix(line, mark) {
					t.Errorf("%.20q begins a line with %q", label, mark)
				}
			}
		}
	}
}

func TestJSONHasTheTexts(t *testing.T) {
	for _, label := range acting {
		var page struct {
			Title    string
			Sections map[string]struct {
				Heading string
				Lines   []string
				Table   struct {
					Columns []string
					Rows    [][]any
				}
				Picture Picture
			}
		}
		if err := json.Unmarshal([]byte(inForm(t, JSON(), pageOf(label))), &page); err != nil {
			t.Fatalf("%.20q: %v", label, err)
		}
		bars := page.Sections["bars"].Picture
		for _, s := range page.Sections {
			if s.Heading != "bars" && s.Heading != "points" &&
				(s.Heading != plain(label) || s.Lines[1] != plain(label) || s.Table.Columns[1] != plain(label) ||
					s.Table.Rows[0][0] != plain(label) || s.Table.Rows[1][1] != 1.0) {
				t.Errorf("%.20q: %+v", label, s)
			}
		}
		if page.Title != plain(label) || bars.Title != plain(label) || bars.Labels[0] != plain(label) ||
			bars.Values[0][1] != 2 || bars.Series[1] != plain(label) {
			t.Errorf("%.20q: %+v", label, page)
		}
	}
}

// Cells that look like numbers are JSON numbers, and sections have unique names.
func TestJSONNumbersAndNames(t *testing.T) {
	page := &Page{Sections: []Section{{Heading: "k-anonymity: now", Table: [][]string{{"k", "n"}, {"3", "1,204"}, {"4", "–"},
		{"5", "44.980 %"}, {"6", "3-4"}, {"7", "-0.5"}, {"8", "fewer than 10"}, {"9", "1e3"}}}, {Heading: "K anonymity, now"}}}
	const want = "{\n \"title\": \"\",\n \"sections\": {\n" +
		`  "k-anonymity-now": {"heading":"k-anonymity: now","table":{"columns":["k","n"],"rows":[["3",1204],["4",null],` +
		`["5",44.980],["6","3-4"],["7",-0.5],["8","fewer than 10"],["9",1e3]]}},` + "\n" +
		`  "k-anonymity-now-2": {"heading":"K anonymity, now"}` + "\n }\n}\n"
	if got := inForm(t, JSON(), page); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// An HTML page loads nothing, and is accessible: headings in order, a link to each section, tables with captions
// and scoped headings, and text alternatives for pictures.
func TestHTMLCanBeReadByAll(t *testing.T) {
	page := inForm(t, HTML(), pageOf("a"))
	for _, bad := range []string{"http:", "https:", "<script", "src=", "@import", "url("} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	for want, times := range map[string]int{"Content-Security-Policy": 1, `<html lang="en">`: 1, "<h1>": 1, "<h2 ": 4, "<h3": 0,
		"<main>": 1, "<caption>": 1, `<th scope="col">a`: 2, `<th scope="row">a`: 2, `tabindex="0"`: 1, `role="img"`: 2,
		"<desc ": 2, `aria-label="Table: a"`: 1, `href="#s3"`: 1, `id="s3"`: 1} {
		if got := strings.Count(page, want); got != times {
			t.Errorf("%s stands there %d times, want %d", want, got, times)
		}
	}
}
