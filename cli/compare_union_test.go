package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Violators of two releases together are those of a table that takes each cell from the release that has it,
// counted pair by pair in both files.
func TestViolatorsOfTwoReleases(t *testing.T) {
	folder := t.TempDir()
	file, keys := sampleFile(t), []string{"region", "sex", "age", "educ"}
	var scripts []string
	var files [][][]string
	for i, importance := range []string{`{"region":1,"sex":2,"age":3,"educ":4}`, `{"region":4,"sex":3,"age":2,"educ":1}`} {
		script, out := filepath.Join(folder, fmt.Sprint("s", i, ".jsonl")), filepath.Join(folder, fmt.Sprint("s", i, ".csv"))
		text := `{"format":"sdcdesk-script","version":1}` + "\n" + `{"scenario":{"keys":["` + strings.Join(keys, `","`) + `"],"k":[2,3]}}` + "\n" +
			`{"step":"suppress-kanonymity","params":{"k":3,"importance":` + importance + `}}` + "\n"
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := execute(t, "run", script, file, "-o", out); err != nil {
			t.Fatal(err)
		}
		scripts, files = append(scripts, script), append(files, cells(t, out))
	}
	var table [][]string
	for row, record := range files[0][1:] {
		var key []string
		for _, name := range keys {
			column := slices.Index(files[0][0], name)
			key = append(key, max(record[column], files[1][row+1][column])) // one of both, or the common value
		}
		table = append(table, key)
	}
	c := comparison(t, append(scripts, file)...)
	for _, of := range c.Union.Violators {
		if want := violatorsOf(table, of.K); of.Both != want || of.A != 0 || of.B != 0 {
			t.Errorf("%+v, the files say %d together", of, want)
		}
	}
	if len(c.Union.Violators) != 2 || 50*c.Union.Violators[1].Both < len(table) || c.Union.Records != len(table) {
		t.Errorf("%+v", c.Union)
	}
	text, _, err := execute(t, "compare", scripts[0], scripts[1], file)
	if want := fmt.Sprintf("k = 3      0  0%18s\n", wording.Number(c.Union.Violators[1].Both)); err != nil || !strings.Contains(text, want) {
		t.Errorf("%v: no %q in\n%s", err, want, text)
	}
	if text, _, _ := execute(t, "compare", "original", scripts[0], file, "--json"); !json.Valid([]byte(text)) ||
		!strings.Contains(text, `"both_releases": null`) {
		t.Errorf("the original counts as a release: %s", text)
	}
}

// violatorsOf counts records with fewer than k compatible ones; "" is compatible with all.
func violatorsOf(table [][]string, k int) (violators int) {
	for _, one := range table {
		compatible := 0
		for _, other := range table {
			agrees := true
			for v := range one {
				agrees = agrees && (one[v] == other[v] || one[v] == "" || other[v] == "")
			}
			if agrees {
				compatible++
			}
		}
		if compatible < k {
			violators++
		}
	}
	return violators
}
