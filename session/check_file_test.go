package session

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// protecting is a script that fixes all findings in the survey.
const protecting = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex","age"],"numeric":["income","expend","savings"],"weight":"weight","household":"hid","remove":["pid","health","urbrur","marital","educ","occup","ethnic","relig"]}}
{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,14,29,44,59,120]}}
{"step":"suppress-kanonymity","params":{"k":3}}
{"step":"microaggregate","params":{"variables":["income"]}}
{"step":"microaggregate","params":{"variables":["expend","savings"]}}
{"step":"recode-round","params":{"variable":"income","base":1}}
{"step":"recode-round","params":{"variable":"expend","base":1}}
{"step":"recode-round","params":{"variable":"savings","base":1}}
{"step":"microaggregate","params":{"variables":["weight"],"size":20,"method":"onedims"}}
{"step":"new-ids","params":{"variables":["hid"]},"seed":7123456789}
{"step":"shuffle-records","params":{"members":"shuffled"},"seed":7123456790}
`

// A protected file has no findings, whatever is known about it.
func TestNothingIsFoundInAProtectedFile(t *testing.T) {
	folder := t.TempDir()
	script, out := filepath.Join(folder, "s.jsonl"), filepath.Join(folder, "out.csv")
	must(t, os.WriteFile(script, []byte(protecting), 0o600))
	var warnings []string
	must(t, Run(context.Background(), RunOptions{Script: script, File: surveyPath, Out: out, Strict: true,
		Warn: func(message string) { warnings = append(warnings, message) }}))
	for _, warning := range warnings {
		if !strings.HasPrefix(warning, "line ") {
			t.Errorf("found by run: %s", warning)
		}
	}
	found, err := CheckFile(context.Background(), CheckOptions{File: out, Original: surveyPath, Script: script})
	if err != nil || len(found) > 0 {
		t.Errorf("found with the script: %+v, %v", found, err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight, scenario.Household = []string{"region", "sex", "age"}, "weight", "hid"
	found, err = CheckFile(context.Background(), CheckOptions{File: out, Original: surveyPath, Scenario: &scenario})
	if err != nil || len(found) > 0 {
		t.Errorf("found with the original: %+v, %v", found, err)
	}
}

// With a script its steps are replayed: their guarantees are known, and whether they produce the file, even with
// random order and random IDs.
func TestCheckOfReplayedFiles(t *testing.T) {
	folder := t.TempDir()
	script, out := filepath.Join("..", "testdata", "scripts", "survey_kanonymity.jsonl"), filepath.Join(folder, "out.csv")
	must(t, Run(context.Background(), RunOptions{Script: script, File: surveyPath, Out: out}))
	found := func() []string {
		t.Helper()
		all, err := CheckFile(context.Background(), CheckOptions{File: out, Original: surveyPath, Script: script})
		must(t, err)
		return spelled(all)
	}
	const rest = "direct-identifiers pid; k-anonymity; inference; unassigned-keys; unique-numbers; extreme-values; weights"
	if diff := cmp.Diff(expected(rest+"; household-ids hid; record-order"), found()); diff != "" {
		t.Errorf("as it was written: %s", diff)
	}
	text, err := os.ReadFile(out)
	must(t, err)
	at := bytes.Index(text, []byte(",female,"))
	must(t, os.WriteFile(out, append(append(bytes.Clone(text[:at]), ",male,"...), text[at+len(",female,"):]...), 0o600))
	changed := strings.Join(found(), "; ")
	if all, err := CheckFile(context.Background(), CheckOptions{File: out, Original: surveyPath, Script: script}); err != nil ||
		!slices.ContainsFunc(all, func(f check.Finding) bool { return f.Name == "replay" && f.Critical }) {
		t.Errorf("another file than the script gives is not critical: %+v, %v", all, err)
	}
	if !strings.Contains(changed, "replay") || !strings.Contains(changed, "household-ids hid") {
		t.Errorf("one cell changed: %s", changed)
	}
	document := replay(t, script)
	_, err = document.Export(context.Background(), ExportOptions{Path: out, Force: true, RandomOrder: true,
		NewIdentifiers: []string{"hid"}}, nil)
	must(t, err)
	if diff := cmp.Diff(expected(rest), found()); diff != "" {
		t.Errorf("in random order, with random numbers: %s", diff)
	}
}

// replay returns the document after the steps of a script on the survey.
func replay(t *testing.T, path string) Document {
	t.Helper()
	script, err := readScriptFile(path, nil)
	must(t, err)
	o := RunOptions{Script: path, File: surveyPath, Warn: func(string) {}}
	document, _, err := o.perform(context.Background(), script)
	must(t, err)
	return document
}

// The checks apply to what will be written, including the options of the export.
func TestCheckLooksAtWhatWouldBeWritten(t *testing.T) {
	s := openSmall(t)
	d := s.Document()
	if found := findings(t, d, ExportOptions{}, "household-ids"); len(found) != 1 || !found[0].Critical ||
		found[0].Count != 8 {
		t.Errorf("%+v", found)
	}
	if found := findings(t, d, ExportOptions{NewIdentifiers: []string{"hid"}}, "household-ids"); len(found) > 0 {
		t.Errorf("with new identifiers: %+v", found)
	}
	if found := findings(t, d, ExportOptions{RandomOrder: true}, "record-order"); len(found) > 0 {
		t.Errorf("in random order: %+v", found)
	}
	if found := findings(t, d, ExportOptions{Path: "/tmp/for Mr Miller.csv"}, "named-persons"); len(found) != 1 {
		t.Errorf("a file for somebody: %+v", found)
	}
}

// Critical findings come first, and a release is refused unless each is accepted.
func TestCriticalFindingsComeFirst(t *testing.T) {
	broken := filesWithFindings(true)["sex k-anonymity"].session(t).Document()
	found, err := broken.Check(context.Background(), ExportOptions{}, NewAnalyst(), nil)
	if must(t, err); len(found) < 2 || found[0].Name != "k-anonymity" || found[1].Critical {
		t.Errorf("%+v", found)
	}
	both := plant{header: "hid,contact", records: 60, scenario: `{"household":"hid"}`,
		cells: func(i int) string { return fmt.Sprintf("%d,a%d@example.org", 100+i/3, i) }}
	found, err = ptr(both.session(t).Document()).Check(t.Context(), ExportOptions{}, NewAnalyst(), nil)
	must(t, err)
	accepted := check.Accept(found, "agreed with the users", "A. B.", "2026-05-17")
	if len(check.Refusing(found, nil)) != 3 || len(check.Refusing(found, accepted[:1])) != 2 || Refused("release", found, accepted) != nil {
		t.Error("what is accepted is refused, or the other way round")
	}
	found, err = ptr(filesWithFindings(true)["ill l-diversity"].session(t).Document()).Check(t.Context(), ExportOptions{},
		NewAnalyst(), nil)
	must(t, err)
	if len(found) < 3 || found[1].Name != "l-diversity" || !found[1].Critical || found[2].Critical {
		t.Errorf("with l-diversity: %+v", found)
	}
}

// Original household IDs are those in the source: their number if only some are new, and none if all are.
func TestHouseholdNumbersOfTheSource(t *testing.T) {
	folder := t.TempDir()
	file := func(name string, number func(household int) int) string {
		var text strings.Builder
		text.WriteString("hid,x\n")
		for i := range 200 {
			fmt.Fprintf(&text, "%d,%d\n", number((i*37%200)/2), i%3)
		}
		path := filepath.Join(folder, name)
		must(t, os.WriteFile(path, []byte(text.String()), 0o600))
		return path
	}
	source := file("source.csv", func(household int) int { return 5 + household })
	scenario := microdata.NewScenario()
	scenario.Household = "hid"
	for want, number := range map[int]func(household int) int{
		0:   func(household int) int { return 500_000 + household },
		50:  func(household int) int { return 5 + household + household%2*500_000 },
		100: func(household int) int { return 5 + (household+1)%100 },
	} {
		found, err := CheckFile(t.Context(), CheckOptions{File: file("out.csv", number), Original: source, Scenario: &scenario})
		must(t, err)
		at := slices.IndexFunc(found, func(f check.Finding) bool { return f.Name == "household-ids" })
		if at < 0 && want > 0 || at >= 0 && found[at].Count != want {
			t.Errorf("%d numbers of the source: %+v", want, found)
		}
	}
}
