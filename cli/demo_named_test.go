package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// A session on a generated survey finds the same survey again, whatever its size and whatever is opened in
// between.
func TestDemonstrationsAreFoundByTheirName(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("..", "testdata", "survey.csv"))
	if err != nil {
		t.Fatal(err)
	}
	opened := demonstration{survey: content, rows: 7, seed: 9}
	for _, made := range []demonstration{{survey: content}, {survey: content, rows: 1, seed: 2},
		{survey: content, rows: 1200, seed: 3}, {survey: content, rows: 40, seed: 5, places: true},
		{survey: content, rows: 4_000_000_000, seed: 2, groups: true}} {
		opening, _, err := opened.named(made.name())(t.Context(), nil)
		if err != nil || opening.Name != made.name() || made.rows > 0 && opening.Data.Records() != made.rows ||
			made.places != slices.ContainsFunc(opening.Data.Columns(),
				func(c *microdata.Column) bool { return c.Name() == "workplace" }) {
			t.Errorf("%q: %q, %v", made.name(), opening.Name, err)
		}
	}
}
