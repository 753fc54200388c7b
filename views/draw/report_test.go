package draw

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// In a table that is too wide, the words of the last column wrap; if it has numbers, the words of the first column
// are cut.
func TestTablesOfPagesInNarrowPlaces(t *testing.T) {
	words := [][]string{{"variable", "alone", "label"}, {"employment_status", "12", "Occupation last week"},
		{"sex", "0", ""}}
	numbers := [][]string{{"variable", "alone"}, {"employment_status", "12"}, {"sex", "0"}}
	for _, c := range []struct {
		table [][]string
		width int
		want  string
	}{
		{words, 60,
			"variable           alone  label|employment_status     12  Occupation last week|sex                    0"},
		{words, 47,
			"variable           alone  label|employment_status     12  Occupation last week|sex                    0"},
		{words, 34,
			"variable           alone  label|employment_status     12|  Occupation last week|sex                    0"},
		{numbers, 24, "variable           alone|employment_status     12|sex                    0"},
		{numbers, 18, "variable     alone|employment…     12|sex              0"},
	} {
		var got []string
		for _, line := range reportTable(NewTheme(true, false), c.table, c.width) {
			if line = ansi.Strip(line); Width(line) != c.width {
				t.Errorf("width %d: %q", c.width, line)
			}
			got = append(got, strings.TrimRight(line, " "))
		}
		if all := strings.Join(got, "|"); all != c.want {
			t.Errorf("width %d:\n%s\nexpected\n%s", c.width, strings.ReplaceAll(all, "|", "\n"),
				strings.ReplaceAll(c.want, "|", "\n"))
		}
	}
}
