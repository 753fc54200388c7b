package session

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// Direct identifiers are found in what would be written, and not if they are left out.
func TestCheckFindsIdentifiers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("pid,name,region\n1,Ann,a\n2,Bob,b\n3,Cy,a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	format, err := fileio.GuessFile(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	opening, err := OpenFile(t.Context(), path, format, nil)
	if err != nil {
		t.Fatal(err)
	}
	opening.Volatile = true
	s, err := New(opening)
	if err != nil {
		t.Fatal(err)
	}
	d := s.Document()
	found, err := d.Check(t.Context(), ExportOptions{}, NewAnalyst(), nil)
	if err != nil || len(check.Refusing(found, nil)) != 2 || len(check.Refusing(found, check.Accept(found[:2], "public", "A. B.", ""))) != 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	at := slices.IndexFunc(found, func(f check.Finding) bool { return f.Name == "direct-identifiers" || f.Name == "household-ids" })
	d.Scenario.Remove = found[at].Fixes[0].Remove
	if found, err = d.Check(t.Context(), ExportOptions{}, NewAnalyst(), nil); err != nil || len(check.Refusing(found, nil)) != 1 ||
		found[0].Name != "no-protection" || !strings.Contains(found[0].Text, "choose key variables") {
		t.Errorf("%+v, %v", found, err)
	}
}

// The text of what has to be accepted is a valid flag.
func TestRefusedSpellsTheFlag(t *testing.T) {
	for variable, want := range map[string]string{"pid": "--accept household-ids:pid with", "full name": "--accept 'household-ids:full name' with",
		"a,b": `--accept '"household-ids:a,b"' with`, "it's": `--accept 'household-ids:it'\''s' with`} {
		err := Refused("release", []check.Finding{{Name: "household-ids", Critical: true, Variables: []string{variable}}}, nil)
		if !errors.Is(err, ErrCritical) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", variable, err)
		}
	}
}

// findings returns the findings with a name.
func findings(t *testing.T, d Document, o ExportOptions, name string) []check.Finding {
	t.Helper()
	found, err := d.Check(t.Context(), o, NewAnalyst(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(found, func(f check.Finding) bool { return f.Name != name })
}
