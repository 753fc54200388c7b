package catalog_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
)

// The page of every measure says in a sentence what the figures mean, and starts with available figures; its chart
// and its ranking are available too.
func TestPagesOfMeasures(t *testing.T) {
	in, unfilled := maskedSurvey(t), regexp.MustCompile(`NaN|%!|–|\bof\b *\.`)
	for _, spec := range catalog.Measures() {
		entry, err := spec.Compute(context.Background(), in, spec.New(), nil)
		if err != nil {
			t.Fatal(err)
		}
		v, page := &entry.Values, spec.Page
		if page.Meaning == nil {
			t.Errorf("%s does not say what its figures mean", spec.Name)
			continue
		}
		if text := page.Meaning(v); !strings.HasSuffix(text, ".") || unfilled.MatchString(text) {
			t.Errorf("%s means %q", spec.Name, text)
		}
		for _, headline := range page.Headline {
			name, part, _ := strings.Cut(headline, " ")
			if v.Find(name, part) == nil {
				t.Errorf("%s has no %s", spec.Name, headline)
			}
		}
		if page.Bars != nil && spec.Name != "inference" && len(page.Bars(v)) == 0 {
			t.Errorf("%s draws nothing", spec.Name)
		}
		if (page.Bars != nil) != (page.Drawn != "") {
			t.Errorf("%s does not say what it draws", spec.Name)
		}
		columns := make([]string, len(entry.Columns()))
		for i, c := range entry.Columns() {
			columns[i] = c.Name
		}
		if page.Worst != "" && !strings.Contains(strings.Join(columns, " "), page.Worst) {
			t.Errorf("%s ranks by %s, and has %v", spec.Name, page.Worst, columns)
		}
	}
}
