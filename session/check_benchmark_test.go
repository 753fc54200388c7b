package session

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
)

// BenchmarkCheck checks a survey that was made k-anonymous, as a run does, without the suppression itself.
func BenchmarkCheck(b *testing.B) {
	for _, persons := range []int{100_000, 1_000_000} {
		var text bytes.Buffer
		if err := survey.WriteCSV(&text, persons, 7); err != nil {
			b.Fatal(err)
		}
		scenario := microdata.NewScenario()
		scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
		scenario.Weight, scenario.Household, scenario.Numeric = "weight", "hid", []string{"income", "expend"}
		s := volatile(b, text.String(), scenario)
		suppress := step("suppress-kanonymity", `{"k":3}`)
		b.Run(fmt.Sprintf("suppression/records=%d", persons), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Prepare(suppress).Run(b.Context(), nil, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		do(b, s, suppress)
		d := s.Document()
		b.Run(fmt.Sprintf("records=%d", persons), func(b *testing.B) {
			for b.Loop() {
				if _, err := d.Check(b.Context(), ExportOptions{Path: "out.csv", Unfixed: true}, NewAnalyst(), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRun makes a survey k-anonymous and writes it, including the check, with nothing cached before.
func BenchmarkRun(b *testing.B) {
	for _, persons := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("records=%d", persons), func(b *testing.B) {
			folder := b.TempDir()
			o := RunOptions{Script: filepath.Join(folder, "k3.jsonl"), File: filepath.Join(folder, "survey.csv"),
				Out: filepath.Join(folder, "out.csv"), Force: true}
			var text bytes.Buffer
			if err := survey.WriteCSV(&text, persons, 7); err != nil {
				b.Fatal(err)
			}
			for path, content := range map[string][]byte{o.File: text.Bytes(), o.Script: []byte(
				`{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","urbrur","sex","age","marital","educ","ethnic"],"weight":"weight","household":"hid"}}
{"step":"suppress-kanonymity","params":{"k":3}}
`)} {
				if err := os.WriteFile(path, content, 0o600); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				if err := Run(b.Context(), o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
