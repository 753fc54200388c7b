package session

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const header = `{"format":"sdcdesk-script","version":1}` + "\n"

func TestScriptErrorsNameLineAndField(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"", `line 1: a script begins with the line {"format":"sdcdesk-script","version":1}`},
		{"\n# nothing\n", `line 2: a script begins with the line {"format":"sdcdesk-script","version":1}`},
		{`{"step":"recode-group"}`, `line 1: a script begins with the line {"format":"sdcdesk-script","version":1}`},
		{`{"format":"csv","version":1}`, `line 1: the format is "csv"; it must be "sdcdesk-script"`},
		{`{"format":"sdcdesk-script","version":2}`,
			`line 1: version 2 of the format is unknown; this program reads version 1`},
		{`{"format":"sdcdesk-script"}`,
			`line 1: the version of the format is missing: write {"format":"sdcdesk-script","version":1}`},
		{header + header, `line 2: the first line of a script is repeated here`},
		{header + `{"step":"recode-grup"}`, `line 2: unknown step "recode-grup"; known steps are recode-intervals, recode-group,`},
		{header + "\n\r\n# comment\n" + `{"stepp":"recode-group"}`,
			`line 5: unknown field "stepp"; a line has "scenario", "scenarios", "step", "move", "change", "branch" or "measure"`},
		{header + `{"step":"recode-group","parms":{}}`, `line 2: unknown field "parms" in a step; known fields are step, params,`},
		{header + `{"step":"recode-group","params":{"variable":"a","levels":["b"],"colour":1}}`,
			`line 2: step recode-group: parameter "colour" is unknown; known are variable, levels, label, include_missing`},
		{header + `{"step":"suppress-kanonymity","params":{"k":1}}`,
			`line 2: step suppress-kanonymity: parameter "k" is 1; it must be at least 2`},
		{header + `{"step":"suppress-kanonymity","params":{"k":"three"}}`,
			`line 2: step suppress-kanonymity: parameter "k" cannot be read as an integer`},
		{header + `{"step":"suppress-kanonymity","params":[3]}`,
			`line 2: step suppress-kanonymity: "params" must be a JSON object: {...}`},
		{header + `{"step":"suppress-kanonymity","params":{"k":3,"k":4}}`,
			`line 2: step suppress-kanonymity: "params" has a duplicate field "k"`},
		{header + `{"step":3}`, `line 2: field "step" in a step must be a text`},
		{header + `{"step":""}`, `line 2: a step needs the name of a method`},
		{header + `{"scenario":{"kyes":["a"]}}`, `line 2: unknown field "kyes" in "scenario"; known fields are keys, numeric,`},
		{header + `{"scenario":{"Keys":["a"]}}`, `line 2: unknown field "Keys" in "scenario"`},
		{header + `{"scenario":{"keys":"a"}}`, `line 2: field "keys" in "scenario" must be a list of texts`},
		{header + `{"scenario":{"k":[2.5]}}`, `line 2: field "k" in "scenario" must be a list of integers`},
		{header + `{"scenario":{"rule":"strict"}}`,
			`line 2: invalid scenario: the rule "strict" is not one of default,`},
		{header + `{"scenario":{"alpha":null}}`, `line 2: field "alpha" in "scenario" must be a number`},
		{header + `{"scenario":{"k":null}}`, `line 2: field "k" in "scenario" must be a list of integers`},
		{header + `{"scenario":null}`, `line 2: "scenario" must be a JSON object: {...}`},
		{header + `{"scenario":{},"file":{"header":null}}`, `line 2: field "header" in "file" must be true or false`},
		{header + `{"step":"suppress-kanonymity","params":{"k":null}}`,
			`line 2: step suppress-kanonymity: parameter "k" cannot be read as an integer`},
		{header + `{"step":"recode-intervals","params":{"variable":"a","breaks":[1,"2"]}}`,
			`line 2: step recode-intervals: parameter "breaks": element 2 cannot be read as a number`},
		{header + `{"step":"recode-intervals","params":{"variable":"a","breaks":[0,1e999]}}`,
			`line 2: step recode-intervals: parameter "breaks": element 2 cannot be read as a number`},
		{header + `{"step":"recode-intervals","params":{"variable":"a","breaks":[0,1],"labels":[null]}}`,
			`line 2: step recode-intervals: parameter "labels": element 1 cannot be read as a text`},
		{header + `{"scenario":{},"fiel":{}}`,
			`line 2: unknown field "fiel" in a scenario line; known fields are scenario, name, file, at`},
		{header + `{"scenario":{},"file":{"delimter":","}}`, `line 2: unknown field "delimter" in "file"; known fields are `},
		{header + `{"scenario":{},"file":{"decimal":";"}}`, `line 2: "file": decimal mark ";": it must be "." or ","`},
		{header + `{"scenario":{}`, `line 2: the line is not valid JSON: it is truncated`},
		{header + `{"scenario":{}} {}}`, `line 2: the line is not valid JSON at character 17`},
		{header + `{'scenario':{}}`, `line 2: the line is not valid JSON at character 2`},
		{header + `["step"]`, `line 2: the line must be a JSON object: {...}`},
		{header + "{\"step\":\"\xff\"}", `line 2: the line is not UTF-8 text`},
		{header + `{}`, `line 2: the line is empty; it needs "scenario" or "step"`},
		{header + `{"move":"jump","position":1}`, `line 2: position 1 does not exist: there are 0 steps`},
		{header + `{"move":"undo"}`, `line 2: a move needs a "position": the number of steps that stand after it`},
		{header + `{"move":"leap","position":0}`, `line 2: unknown move "leap"; known moves are undo, redo, jump`},
		{header + `{"change":"edit","from":1,"steps":[]}`, `line 2: a change from step 1 is not possible: only 0 steps applied`},
		{header + strings.Repeat("x", maxLine+1), `line 2: the line is longer than 64 MB`},
	} {
		script, err := ReadScript(strings.NewReader(c.script), nil)
		if err == nil || script != nil || !strings.HasPrefix(err.Error(), c.want) || !errors.Is(err, ErrScript) {
			t.Errorf("script %.80q\nerror %v\nwant  %s", c.script, err, c.want)
		}
	}
}

func TestScriptDefaultsAndExtras(t *testing.T) {
	text := "\xef\xbb\xbf" + header + "\r\n# a comment\r\n" + `{"scenario":{"keys":["sex"]}}` + "\r\n" +
		`{"step":"suppress-kanonymity"}` // no params, no newline
	script, err := ReadScript(strings.NewReader(text), nil)
	must(t, err)
	if script.Format != nil || script.Scenario.Rule != "default" || script.Scenario.Alpha != 1 ||
		len(script.Scenario.K) != 3 {
		t.Errorf("scenario %+v", script.Scenario)
	}
	if script.Position != 1 || script.Steps[0].lineNumber != 5 || script.Steps[0].Spec.Step != "suppress-kanonymity" {
		t.Errorf("steps %+v", script.Steps)
	}
}

func TestScriptObeysMovesAndChanges(t *testing.T) {
	rename := func(label string) string {
		return `{"step":"recode-rename","params":{"variable":"sex","level":"f","label":"` + label + `"}}` + "\n"
	}
	text := header + rename("1") + rename("2") + `{"move":"undo","position":1}` + "\n" + rename("3") + rename("4") +
		`{"move":"jump","position":0}` + "\n" + `{"move":"redo","position":3}` + "\n" +
		`{"change":"remove","from":1,"steps":[` + strings.TrimSpace(rename("4")) + `]}` + "\n" + rename("5") +
		`{"move":"undo","position":2}`
	script, err := ReadScript(strings.NewReader(text), nil)
	must(t, err)
	var labels []string
	for _, s := range script.Steps {
		labels = append(labels, strings.Split(string(s.Spec.Params), `"`)[11])
	}
	if got := strings.Join(labels, " "); got != "1 4 5" || script.Position != 2 {
		t.Errorf("steps %s, position %d", got, script.Position)
	}
}

func TestExportedScriptGivesTheSameData(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	do(t, s, ages)
	scenario := s.Scenario()
	scenario.Keys = []string{"sex", "region"}
	must(t, s.SetScenario(scenario))
	seeded := two
	seeded.Seed = 424242
	do(t, s, seeded)
	scenario.K = []int{2}
	must(t, s.SetScenario(scenario))
	var plain, full bytes.Buffer
	must(t, s.Document().WriteScript(&plain, false))
	must(t, s.Document().WriteScript(&full, true))
	if strings.Contains(plain.String(), "424242") || !strings.Contains(full.String(), "424242") {
		t.Errorf("seeds in\n%s\nor not in\n%s", &plain, &full)
	}
	if first, _, _ := strings.Cut(plain.String(), "\n"); first != seedsLeftOut || strings.Contains(full.String(), "#") {
		t.Errorf("the scripts begin with %q and %.80q", first, full.String())
	}
	script, err := ReadScript(&plain, nil)
	must(t, err)
	again := volatile(t, smallText, smallScenario())
	must(t, again.follow(context.Background(), script, func(string) {}))
	if hashText(again.Data()) != hashText(s.Data()) || len(again.Scenario().K) != 1 {
		t.Errorf("another result from\n%s", &plain)
	}
}

func TestJournalIsAScript(t *testing.T) {
	stateHere(t)
	s := openSmall(t)
	workOn(t, s)
	text, err := os.ReadFile(s.JournalPath())
	must(t, err)
	script, err := ReadScript(bytes.NewReader(text), nil)
	must(t, err)
	again := volatile(t, smallText, smallScenario())
	must(t, again.follow(context.Background(), script, func(string) {}))
	if hashText(again.Data()) != hashText(s.Data()) {
		t.Error("running the journal gives other data")
	}
}

func FuzzScript(f *testing.F) {
	f.Add([]byte(header))
	files, err := filepath.Glob(filepath.Join("..", "testdata", "scripts", "*.jsonl"))
	if err != nil || len(files) == 0 {
		f.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(header +
		`{"change":"edit","from":0,"steps":[{"step":"recode-rename","params":{"variable":"a","level":"b","label":"c"}}]}` +
		"\n" + `{"move":"undo","position":0}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		script, err := ReadScript(bytes.NewReader(text), nil)
		if err != nil {
			var line *ScriptError
			if !errors.As(err, &line) || line.Line < 1 {
				t.Fatalf("error without a line: %v", err)
			}
			return
		}
		if script.Position < 0 || script.Position > len(script.Steps) {
			t.Fatalf("position %d of %d", script.Position, len(script.Steps))
		}
		for i := range script.Steps {
			if _, err := script.Steps[i].Spec.in(nil); err != nil {
				t.Fatalf("a step that was read cannot be made: %v", err)
			}
		}
		if _, _, err := readJournal(text, nil); err != nil && bytes.HasSuffix(text, []byte("\n")) {
			t.Fatalf("read as a script, not as a journal: %v", err)
		}
	})
}
