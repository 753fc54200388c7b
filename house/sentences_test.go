package house

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const (
	longestSentence  = 30  // words
	longestParagraph = 4   // lines
	widestLine       = 150 // characters, of a paragraph
)

var (
	// written are the generated pages of the manual, which consist of help texts.
	written = []string{"methods.md", "measures.md", "checks.md", "keys.md", "glossary.md"}
	// endOfSentence matches what separates sentences, cells of a table or fields of a list.
	endOfSentence = regexp.MustCompile(`[.?!]["')*]*\s+|\s\|\s?|[.?!]["')*]*$`)
	notText       = regexp.MustCompile("(?s)```.*?```|!?\\[[^]]*\\]\\([^)]*\\)")
	code          = regexp.MustCompile("`[^`]*`")
	itemOfList    = regexp.MustCompile(`^(- |\d+\. |\||#|  )`)
)

// page is a page written by people.
type page struct{ name, text string }

// pages returns all pages written by people, without code, and the lessons.
func pages(t *testing.T) (all []page) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, name := range []string{"README.md", "SECURITY.md", "CONTRIBUTING.md"} {
		paths = append(paths, filepath.Join("..", name))
	}
	for _, path := range paths {
		if slices.Contains(written, filepath.Base(path)) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		plain := notText.ReplaceAllStringFunc(strings.ReplaceAll(string(text), "\r\n", "\n"), func(found string) string {
			label, _, isLink := strings.Cut(strings.TrimLeft(found, "!["), "](")
			if isLink && !strings.HasPrefix(found, "```") {
				return label
			}
			return ""
		})
		all = append(all, page{path, code.ReplaceAllString(plain, "code")})
	}
	return append(all, lessons(t)...)
}

// lessons returns a page for each lesson, with its texts as items of a list.
func lessons(t *testing.T) (all []page) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "lesson", "lessons", "*.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		script, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := page{name: path}
		for line := range bytes.Lines(script) {
			var part any
			if err := json.Unmarshal(line, &part); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			for _, text := range textsOf(part) {
				p.text += "- " + text + "\n\n"
			}
		}
		all = append(all, p)
	}
	return all
}

// textsOf returns the texts with several words in a JSON value.
func textsOf(value any) (texts []string) {
	switch v := value.(type) {
	case string:
		if strings.Contains(v, " ") {
			texts = append(texts, v)
		}
	case []any:
		for _, one := range v {
			texts = append(texts, textsOf(one)...)
		}
	case map[string]any:
		for _, one := range v {
			texts = append(texts, textsOf(one)...)
		}
	}
	return texts
}

// Sentences and paragraphs of pages written by people are short.
func TestPagesAreShortOfBreath(t *testing.T) {
	for _, p := range pages(t) {
		for _, block := range strings.Split(p.text, "\n\n") {
			lines := strings.Split(strings.Trim(block, "\n"), "\n")
			if !itemOfList.MatchString(lines[0]) {
				if len(lines) > longestParagraph {
					t.Errorf("%s: a paragraph of %d lines: %.60s", p.name, len(lines), block)
				}
				for _, line := range lines {
					if utf8.RuneCountInString(line) > widestLine {
						t.Errorf("%s: a line of more than %d characters: %.60s", p.name, widestLine, line)
					}
				}
			}
			for _, sentence := range sentences(lines) {
				if words := strings.FieldsFunc(sentence, func(r rune) bool {
					return unicode.IsSpace(r) || strings.ContainsRune("·|", r)
				}); len(words) > longestSentence {
					t.Errorf("%s: a sentence of %d words: %s", p.name, len(words), sentence)
				}
			}
		}
	}
}

// sentences returns the sentences of a block: a paragraph, the items of a list or the rows of a table.
func sentences(lines []string) (all []string) {
	text := ""
	for _, line := range lines {
		if itemOfList.MatchString(line) && !strings.HasPrefix(line, "  ") {
			all, text = append(all, endOfSentence.Split(text, -1)...), ""
		}
		text += " " + strings.TrimSpace(line)
	}
	return append(all, endOfSentence.Split(text, -1)...)
}

// notOfPages matches words that pages must avoid in addition to those for texts of the program.
var notOfPages = regexp.MustCompile(`(?i)\b(beside|thereof|whoever|of its own|by itself|be had|taken back|planted|whole numbers?|remarks?|household numbers|` +
	`distinct keys|safe file|would be|detail lost)\b`)

// Pages contain no words that the field does not use.
func TestPagesAreInTheFieldsEnglish(t *testing.T) {
	for _, p := range pages(t) {
		for _, words := range []*regexp.Regexp{notOfTheField, notOfPages} {
			if at := words.FindStringIndex(p.text); at != nil {
				t.Errorf("%s: %q: write it without %q", p.name, p.text[max(0, at[0]-40):min(len(p.text), at[1]+40)], p.text[at[0]:at[1]])
			}
		}
	}
}
