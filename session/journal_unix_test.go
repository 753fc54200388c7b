//go:build unix

package session

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestJournalIsForItsOwnerOnly(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	folder := stateHere(t)
	must(t, os.MkdirAll(folder, 0o755))
	s := openSmall(t)
	for path, want := range map[string]os.FileMode{folder: 0o700, s.JournalPath(): 0o600} {
		info, err := os.Stat(path)
		must(t, err)
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", filepath.Base(path), info.Mode().Perm(), want)
		}
	}
	if filepath.Dir(s.JournalPath()) != folder {
		t.Errorf("the journal is in %s", filepath.Dir(s.JournalPath()))
	}
}
