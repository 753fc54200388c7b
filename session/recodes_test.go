package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/recode"
)

// The recodes of one session give, in another of the same file, the same data
// but for what was no recode.
func TestRecodesAreTakenToAnotherSession(t *testing.T) {
	s := volatile(t, smallText, smallScenario())
	for _, spec := range []StepSpec{wideAges, regions, ages} {
		do(t, s, spec)
	}
	recoded := s.Data().Hash()
	do(t, s, two)
	path := filepath.Join(t.TempDir(), "recodes.json")
	must(t, s.Document().ExportRecodes(path, false))
	if err := s.Document().ExportRecodes(path, false); err == nil {
		t.Error("a file was replaced without asking")
	}
	text, err := os.ReadFile(path)
	must(t, err)
	steps, err := ReadRecodes(text)
	must(t, err)
	if len(steps) != 2 || bytes.Contains(text, []byte("kanonymity")) {
		t.Errorf("%d steps of\n%s", len(steps), text)
	}
	other := volatile(t, smallText, smallScenario())
	for _, spec := range steps {
		do(t, other, spec)
	}
	if other.Data().Hash() != recoded {
		t.Error("the recodes give other data")
	}
}

func TestRecodesForOtherVariables(t *testing.T) {
	text := []byte(`{"format":"sdcdesk-recodes","version":1,"recodes":[{"step":"recode-round","params":{"variable":"a","base":5}}]}`)
	steps, err := ReadRecodes(text, "age", "weight")
	must(t, err)
	var params []string
	for _, spec := range steps {
		params = append(params, string(spec.Params))
	}
	if diff := cmp.Diff([]string{`{"variable":"age","base":5}`, `{"variable":"weight","base":5}`}, params); diff != "" {
		t.Errorf("steps (-want +got):\n%s", diff)
	}
	if _, err := ReadRecodes([]byte(`{}`)); !errors.Is(err, recode.ErrRecodeFile) {
		t.Errorf("error %v", err)
	}
}
