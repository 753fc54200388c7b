package fileio

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestStageRemovesWhatKilledProgramsLeft(t *testing.T) {
	folder := t.TempDir()
	old := time.Now().Add(-25 * time.Hour)
	for name, changed := range map[string]time.Time{
		".sdcdesk-123.tmp":  time.Now(),
		".sdcdesk-8.tmp":    time.Now().Add(-2 * lockedAfter), // empty and not locked
		".sdcdesk-9.tmp":    time.Now(),                       // a program may be about to lock it
		".sdcdesk-.tmp":     old,
		".sdcdesk-12a.tmp":  old,
		".sdcdesk-123.tmpx": old,
		"x.sdcdesk-123.tmp": old,
		"old.csv":           old,
	} {
		path, text := filepath.Join(folder, name), "1"
		if name == ".sdcdesk-8.tmp" || name == ".sdcdesk-9.tmp" {
			text = ""
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, changed, changed); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, ".sdcdesk-5.tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(folder, ".sdcdesk-5.tmp"), old, old); err != nil {
		t.Fatal(err)
	}
	if err := Save(filepath.Join(folder, "new.csv"), WriteOptions{}, func(w io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	want := []string{".sdcdesk-.tmp", ".sdcdesk-123.tmpx", ".sdcdesk-12a.tmp", ".sdcdesk-5.tmp", ".sdcdesk-9.tmp",
		"new.csv", "old.csv", "x.sdcdesk-123.tmp"}
	if !slices.Equal(names, want) {
		t.Errorf("the folder has %q, want %q", names, want)
	}
}
