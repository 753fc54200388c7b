package bundle

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
)

// Whatever part of a bundle was removed when its replacement was killed, the next release
// takes the rest for what it is.
func TestReplacementThatWasKilled(t *testing.T) {
	m := &manifest{Format: formatName, Version: formatVersion, Safe: "safe.csv"}
	m.list([]content{{path: scriptFile}, {path: checkFile}, {path: m.safePath()}, {path: sumsFile}})
	text, err := m.text()
	if err != nil {
		t.Fatal(err)
	}
	for n, all := 0, 1; n < all; n++ {
		folder := filepath.Join(t.TempDir(), "release")
		for _, file := range append(m.Files, file{Path: manifestFile}) {
			path := filepath.Join(folder, filepath.FromSlash(file.Path))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		paths, err := replaceable(folder, true, "")
		if err != nil {
			t.Fatal(err)
		}
		all = len(paths)
		for _, path := range paths[:n] {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		rest, err := replaceable(folder, n == 0, "")
		if err != nil {
			t.Fatalf("after %d of %d files: %v", n, all, err)
		}
		for _, path := range rest {
			_ = os.Remove(path)
		}
		if _, err := os.Stat(folder); err == nil {
			t.Errorf("after %d of %d files something is left", n, all)
		}
	}
}

// Nothing outside the folder is removed, whatever a manifest says.
func TestManifestThatLeadsElsewhere(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "release")
	m := &manifest{Format: formatName, Version: formatVersion, Safe: "../../victim.csv"}
	text, err := m.text()
	if err == nil {
		err = os.MkdirAll(filepath.Join(folder, insidePart), 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, filepath.FromSlash(manifestFile)), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	paths, err := replaceable(folder, true, "")
	if err != nil || len(paths) != 4 {
		t.Errorf("%v, %v", paths, err)
	}
	for _, path := range paths {
		if !strings.HasPrefix(path, folder) {
			t.Errorf("%s would be removed", path)
		}
	}
}

// A bundle of another version of the program is refused by name, and can be tried.
func TestAnotherVersion(t *testing.T) {
	original, folder := filepath.Join(t.TempDir(), "a.csv"), filepath.Join(t.TempDir(), "release")
	data := "sex,age\n" + strings.Repeat("f,30\nm,40\nf,50\n", 20)
	if err := os.WriteFile(original, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	opening, err := session.OpenFile(t.Context(), original, fileio.NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	opening.Volatile = true
	s, err := session.New(opening)
	if err != nil {
		t.Fatal(err)
	}
	accepted := []check.Acceptance{{Finding: "no-protection", Because: "a test", By: "A. B."}}
	if _, err := Write(t.Context(), s.Document(), Options{Folder: folder, Accept: accepted}, session.NewAnalyst(), nil); err != nil {
		t.Fatal(err)
	}
	m, err := readManifest(folder)
	if err != nil {
		t.Fatal(err)
	}
	m.Program = "v0.0.1"
	text, err := m.text()
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, manifestFile), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	o := VerifyOptions{Folder: folder, Original: original}
	if _, err := Verify(t.Context(), o, session.NewAnalyst()); !errors.Is(err, ErrVersion) ||
		!strings.Contains(err.Error(), "made by sdcdesk v0.0.1, this is sdcdesk "+session.ProgramVersion()) {
		t.Error(err)
	}
	o.OtherVersion = true
	v, err := Verify(t.Context(), o, session.NewAnalyst())
	if err != nil {
		t.Fatal(err)
	}
	const differs = " differs from what script and original give"
	for _, result := range v.Results { // both reports name the version
		for _, problem := range result.Problems {
			if problem != insideReport+differs && problem != usersReport+differs && problem != sumsFile+differs {
				t.Errorf("%+v", result)
			}
		}
	}
	if v.Holds() {
		t.Error("the report does not name the version")
	}
}

// A pipe in the place of the manifest is not waited for.
func TestPipeForAManifest(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, insidePart), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("mkfifo", filepath.Join(folder, filepath.FromSlash(manifestFile))).Run(); err != nil {
		t.Skip("no pipes here: ", err)
	}
	if _, err := readManifest(folder); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}
