package fileio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestWriteUntilKilled is run by TestFilesOfKilledProgramsAreFound in a process: it writes a file and never places
// it.
func TestWriteUntilKilled(t *testing.T) {
	path := os.Getenv("SDCDESK_TEST_UNPLACED")
	if path == "" {
		t.Skip("this is run by TestFilesOfKilledProgramsAreFound")
	}
	files := Staging{}
	err := files.Add(path, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "a record")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("written")
	select {}
}

// A file that a program is about to place is never removed; after the program was killed, it is found and removed
// at once.
func TestFilesOfKilledProgramsAreFound(t *testing.T) {
	skipWithoutLocks(t)
	folder := t.TempDir()
	program := exec.Command(os.Args[0], "-test.run=^TestWriteUntilKilled$")
	program.Env = append(os.Environ(), "SDCDESK_TEST_UNPLACED="+filepath.Join(folder, "safe.csv"))
	out, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "written\n" {
		t.Fatalf("the program says %q, %v", line, err)
	}
	found := FindUnplaced(folder)
	if len(found) != 1 || !found[0].InUse || found[0].Size != int64(len("a record\n")) {
		t.Fatalf("while the program runs: %+v", found)
	}
	if removed := RemoveUnplaced(folder); removed != 0 {
		t.Errorf("%d files of a program that runs were removed", removed)
	}
	if err := RemoveUnused(found[0].Path); !errors.Is(err, ErrLocked) {
		t.Errorf("the file of a program that runs: %v", err)
	}
	_ = program.Process.Kill()
	_ = program.Wait()
	if found := FindUnplaced(folder); len(found) != 1 || found[0].InUse {
		t.Errorf("of a killed program: %+v", found)
	}
	if err := Save(filepath.Join(folder, "other.csv"), WriteOptions{}, func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	leftovers(t, folder, "other.csv")
}

func skipWithoutLocks(t *testing.T) {
	t.Helper()
	if file, err := os.Create(filepath.Join(t.TempDir(), "file")); err != nil {
		t.Fatal(err)
	} else if errors.Is(Lock(file), errors.ErrUnsupported) {
		t.Skip("there are no locks on " + runtime.GOOS)
	}
}

// Only the parts of a killed release are removed, and the folder if nothing else is in it.
func TestReleasesThatWereLeftAreRemoved(t *testing.T) {
	folder := t.TempDir()
	release := filepath.Join(folder, ".mine"+UnreleasedEnd)
	for _, part := range []string{ReleaseInternal, ReleaseUsers} {
		if err := os.MkdirAll(filepath.Join(release, part), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{ReleaseMarker, ReleaseUsers + "/safe.csv", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(release, name), []byte("a record"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	skipWithoutLocks(t)
	if err := RemoveUnused(release); err == nil {
		t.Error("a folder with somebody's notes was removed")
	}
	leftovers(t, release, "notes.txt")
	for _, name := range []string{"notes.txt", ReleaseMarker} {
		_ = os.Remove(filepath.Join(release, name))
	}
	if err := os.WriteFile(filepath.Join(release, ReleaseMarker), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if removed := RemoveUnplaced(folder); removed != 1 {
		t.Errorf("%d releases were removed, one was left", removed)
	}
	leftovers(t, folder)
}
