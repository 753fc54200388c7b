package session

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// recodeFile returns the step that applies a recode file.
func recodeFile(t fataler, text []byte, variables ...string) StepSpec {
	t.Helper()
	params, err := json.Marshal(map[string]any{"recodes": string(text), "variables": variables})
	must(t, err)
	return StepSpec{Step: "recode-file", Params: params}
}

// The recodes of one session give the same data in another session on the same file, except for steps that are not
// recodes.
func TestRecodesAreTakenToAnotherSession(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	for _, spec := range []StepSpec{wideAges, regions, ages} {
		do(t, s, spec)
	}
	recoded := s.Data().Hash()
	do(t, s, two)
	path := filepath.Join(t.TempDir(), "recodes.json")
	must(t, s.Document().WriteFile(path, false, s.Document().WriteRecodes))
	if err := s.Document().WriteFile(path, false, s.Document().WriteRecodes); err == nil {
		t.Error("a file was replaced without asking")
	}
	text, err := os.ReadFile(path)
	must(t, err)
	if bytes.Contains(text, []byte("kanonymity")) {
		t.Errorf("a suppression is among the recodes\n%s", text)
	}
	other := volatile(t, smallText, smallScenario())
	made := do(t, other, recodeFile(t, text))
	if other.Data().Hash() != recoded {
		t.Error("the recodes give other data")
	}
	if made.Report.Changed == 0 || made.Report.Title != "recode file: region, age" {
		t.Errorf("report %+v", made.Report)
	}
	var again bytes.Buffer
	must(t, other.Document().WriteRecodes(&again))
	if !bytes.Equal(again.Bytes(), text) {
		t.Errorf("saved again the recodes are\n%s\nnot\n%s", again.Bytes(), text)
	}
	must(t, undo(other))
	if other.Data().Hash() != other.Base().Hash() {
		t.Error("undo does not take all recodes back")
	}
}

// The cells of the last step are those not suppressed before.
func TestSuppressionsOfTheLastStep(t *testing.T) {
	s := openSmall(t)
	do(t, s, two)
	first, err := s.Document().Summarise(t.Context(), NewAnalyst())
	must(t, err)
	do(t, s, step("suppress-kanonymity", `{"k":3}`))
	summary, err := s.Document().Summarise(t.Context(), NewAnalyst())
	must(t, err)
	last := 0
	for i, cells := range summary.SuppressionsLast {
		if last += cells.Count; cells.Count != summary.Suppressions[i].Count-first.Suppressions[i].Count {
			t.Errorf("%s: %d of %v, before %v", cells.Name, cells.Count, summary.Suppressions, first.Suppressions)
		}
	}
	if last == 0 || first.SuppressionsLast[0].Count+first.SuppressionsLast[1].Count == 0 {
		t.Error("a step suppresses nothing")
	}
}

func TestRecodesForOtherVariables(t *testing.T) {
	text := []byte(`{"format":"sdcdesk-recodes","version":1,"recodes":[{"step":"recode-round","params":{"variable":"a","base":5}}]}`)
	one, both := volatile(t, smallText, smallScenario()), volatile(t, smallText, smallScenario())
	do(t, one, step("recode-round", `{"variable":"age","base":5}`))
	do(t, one, step("recode-round", `{"variable":"weight","base":5}`))
	do(t, both, recodeFile(t, text, "age", "weight"))
	if one.Data().Hash() != both.Data().Hash() {
		t.Error("one recode for two variables gives other data than two recodes")
	}
}
