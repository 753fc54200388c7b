package bundle

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
)

// stopVariable is the move after which TestReplaceInChild ends.
const stopVariable = "SDCDESK_TEST_STOP"

// TestReplaceInChild is the program that TestReplacementThatWasKilled runs: it exits after a move, with status 9.
func TestReplaceInChild(t *testing.T) {
	stop, err := strconv.Atoi(os.Getenv(stopVariable))
	if err != nil {
		t.Skip("this is run by TestReplacementThatWasKilled")
	}
	moves := 0
	moved = func() {
		if moves++; moves == stop {
			os.Exit(9)
		}
	}
	replace(t, os.Getenv("SDCDESK_TEST_ORIGINAL"), os.Getenv("SDCDESK_TEST_FOLDER"), "second.csv")
}

// replace releases a file without any protection, replacing an existing release.
func replace(t *testing.T, original, folder, name string) {
	t.Helper()
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
	o := Options{Folder: folder, Name: name, Accept: accepted, Force: true}
	if _, err := Write(t.Context(), s.Document(), o, session.NewAnalyst(), nil); err != nil {
		t.Fatal(err)
	}
}

// Between any two moves the old or the new bundle is complete, and what a killed program leaves is found and
// removed.
func TestReplacementThatWasKilled(t *testing.T) {
	original := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(original, []byte("sex,age\n"+strings.Repeat("f,30\nm,40\nf,50\n", 20)), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for stop, killed := 1, true; killed; stop++ {
		folder := filepath.Join(t.TempDir(), "release")
		replace(t, original, folder, "first.csv")
		child := exec.Command(os.Args[0], "-test.run=^TestReplaceInChild$")
		child.Env = append(os.Environ(), stopVariable+"="+strconv.Itoa(stop), "SDCDESK_TEST_ORIGINAL="+original,
			"SDCDESK_TEST_FOLDER="+folder)
		out, err := child.CombinedOutput()
		if killed = child.ProcessState.ExitCode() == 9; !killed && err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		v, err := Verify(t.Context(), VerifyOptions{Folder: folder, Original: original}, session.NewAnalyst())
		if err != nil || !v.Holds() {
			t.Fatalf("killed after move %d: %v, %+v", stop, err, v)
		}
		m, err := readManifest(folder)
		if err != nil {
			t.Fatal(err)
		}
		seen[m.Safe]++
		hidden, parent, past := filepath.Join(filepath.Dir(folder), ".release"+unreleased), filepath.Dir(folder), time.Now().Add(-time.Minute)
		_, there := os.Stat(hidden)
		_ = os.Chtimes(hidden, past, past)
		if removed := fileio.RemoveUnplaced(parent); removed == 1 != (there == nil) {
			t.Errorf("killed after move %d: %d removed", stop, removed)
		}
		if left, err := os.ReadDir(parent); err != nil || len(left) != 1 {
			t.Errorf("killed after move %d: left %v, %v", stop, left, err)
		}
	}
	if seen["first.csv"] == 0 || seen["second.csv"] < 5 {
		t.Errorf("%v", seen)
	}
}

// Nothing outside the folder is removed, whatever a manifest contains.
func TestManifestThatLeadsElsewhere(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "release")
	m := &manifest{Format: formatName, Version: formatVersion, Safe: "../../victim.csv"}
	text, err := m.text()
	if err == nil {
		err = os.MkdirAll(filepath.Join(folder, internalPart), 0o700)
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
		if !filepath.IsLocal(filepath.FromSlash(path)) {
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
	replace(t, original, folder, "")
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
	const differs = " differs from the result of script and original"
	for _, result := range v.Results { // both reports name the version
		for _, problem := range result.Problems {
			if problem != internalReport+differs && problem != usersReport+differs && problem != sumsFile+differs {
				t.Errorf("%+v", result)
			}
		}
	}
	if v.Holds() {
		t.Error("the report does not name the version")
	}
}

// A pipe instead of the manifest does not block.
func TestPipeForAManifest(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, internalPart), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("mkfifo", filepath.Join(folder, filepath.FromSlash(manifestFile))).Run(); err != nil {
		t.Skip("no pipes here: ", err)
	}
	if _, err := readManifest(folder); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}
