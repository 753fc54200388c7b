//go:build unix

package fileio

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Opening a pipe returns an error instead of waiting for a writer.
func TestPipesAreNotOpened(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe.rda")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("this file system has no pipes: %v", err)
	}
	if err := os.WriteFile(filepath.Join(folder, "pipe.asc"), []byte("1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadText(pipe); !errors.Is(err, ErrNotText) {
		t.Errorf("text: %v", err)
	}
	if _, err := Preview(t.Context(), pipe, NewFormat(), 1); !errors.Is(err, ErrNotText) {
		t.Errorf("preview: %v", err)
	}
	if _, _, err := Read(t.Context(), pipe, NewFormat(), nil); !errors.Is(err, ErrNotText) {
		t.Errorf("data: %v", err)
	}
	book := NewFormat()
	book.Codebook = pipe
	if _, _, err := ReadBytes(t.Context(), "a.csv", []byte("a\n1\n"), book, nil); !errors.Is(err, ErrNotText) {
		t.Errorf("codebook: %v", err)
	}
	if path, err := DataFile(pipe); path != pipe || err != nil {
		t.Errorf("description: %s, %v", path, err)
	}
	if f, err := GuessFile(context.Background(), filepath.Join(folder, "pipe.asc"), nil); err != nil || f.Type != "" {
		t.Errorf("a file with a pipe in the place of its description: %+v, %v", f, err)
	}
}

// The system may report a failed sync only once; the end of the file reports it again.
func TestFailedSyncIsReported(t *testing.T) {
	_, pipe, err := os.Pipe() // can be written, but not synced
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	file := &syncedFile{file: pipe, more: 1 << 25, syncing: parallel.Go(func() {})}
	if _, err := file.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	file.syncing.Wait()
	if file.failed == nil {
		t.Skip("pipes can be synced here")
	}
	reported := file.failed
	if file.file, err = os.Create(filepath.Join(t.TempDir(), "file")); err != nil {
		t.Fatal(err)
	}
	defer file.file.Close()
	if err := file.end(); err != reported {
		t.Errorf("the end tells %v, want %v", err, reported)
	}
}
