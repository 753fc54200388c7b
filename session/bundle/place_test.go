package bundle

import (
	"os"
	"path/filepath"
	"testing"
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
