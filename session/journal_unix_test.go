//go:build unix

package session

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
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

// Nothing waits for a pipe to be written.
func TestPipesAreRefused(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("this file system has no pipes: %v", err)
	}
	if _, err := readScriptFile(pipe, nil); !errors.Is(err, fileio.ErrNotText) {
		t.Errorf("as a script: %v", err)
	}
	if _, err := readRequested(nil, nil, pipe); !errors.Is(err, fileio.ErrNotText) {
		t.Errorf("as parameters: %v", err)
	}
	if _, err := ReadJournal(pipe, nil); !errors.Is(err, fileio.ErrNotText) {
		t.Errorf("as a journal that is there: %v", err)
	}
	data, _ := readText(t, smallText)
	if _, err := New(Opening{Name: "test", Data: data, Journal: pipe}); !errors.Is(err, ErrNotStored) {
		t.Errorf("as a new journal: %v", err)
	}
}

// Files passed by a shell as open ("<(...)", /dev/stdin) may be pipes too.
func TestOpenPipesAreRefused(t *testing.T) {
	read, write, err := os.Pipe()
	must(t, err)
	defer read.Close()
	_, err = write.WriteString(`{"format":"sdcdesk-script","version":1}` + "\n")
	must(t, errors.Join(err, write.Close()))
	if _, err := readScriptFile("/dev/fd/"+strconv.Itoa(int(read.Fd())), nil); !errors.Is(err, fileio.ErrNotText) {
		t.Error(err)
	}
}
