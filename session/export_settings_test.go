package session

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Settings of exports are in the journal: the last ones are restored with the session, and scripts do not contain
// them. A journal may have none.
func TestExportSettingsAreKept(t *testing.T) {
	source, path := filepath.Join(t.TempDir(), "small.csv"), filepath.Join(t.TempDir(), "session.jsonl")
	must(t, os.WriteFile(source, []byte(smallText), 0o600))
	data, format := readText(t, smallText)
	opening := fileOpening(t, source, data, format)
	opening.Journal = path
	s, err := New(opening)
	must(t, err)
	must(t, s.SetScenario(microdata.NewScenario()))
	if _, ok := s.ExportSettings(); ok {
		t.Error("settings nobody chose")
	}
	want := ExportSettings{What: "release", Paths: map[string]string{"-release": "out"}, RandomOrder: true,
		NewIdentifiers: []string{"hid"}, Responsible: "Ada Baker"}
	must(t, s.KeepExportSettings(ExportSettings{What: "file", GuardFormulas: true}))
	must(t, s.KeepExportSettings(want))
	must(t, s.Close())
	s, err = resumed(t, source, path)
	must(t, err)
	got, ok := s.ExportSettings()
	if !ok || !reflect.DeepEqual(got, want) || s.Position() != 0 {
		t.Errorf("%+v, %v", got, ok)
	}
	var script strings.Builder
	must(t, s.Document().WriteScript(&script, true))
	if strings.Contains(script.String(), "Baker") {
		t.Errorf("the script is %s", script.String())
	}
	must(t, s.Close())
	text, err := os.ReadFile(path)
	must(t, err)
	if _, err := ReadScript(strings.NewReader(string(text)), nil); err != nil {
		t.Error(err)
	}
	if _, err := ReadScript(strings.NewReader(string(text)+`{"export":null}`+"\n"), nil); err == nil {
		t.Error("settings that are none are read")
	}
}
