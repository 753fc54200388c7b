//go:build unix

package bundle

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A single change of any file of a bundle is refused, and the error names the file.
func TestSingleFileChanges(t *testing.T) {
	f := &forger{TB: t}
	f.release()
	elsewhere, changes := t.TempDir(), 0
	tampered := func(name, change, named string, how func(path string) error) {
		t.Helper()
		changes++
		f.write()
		path := within(f.folder, name)
		f.must(how(path))
		if reason := f.refusal(); !strings.Contains(reason, named) {
			t.Errorf("%s %s: refused for %q", name, change, reason)
		}
	}
	for name, text := range f.files {
		rewrite := func(text string) func(string) error {
			return func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }
		}
		for _, c := range []struct {
			change, named string
			how           func(path string) error
		}{
			{"with a changed byte", name, rewrite(text[:len(text)/2] + string(text[len(text)/2]^1) + text[len(text)/2+1:])},
			{"truncated", name, rewrite(text[:len(text)/2])},
			{"emptied", name, rewrite("")},
			{"removed", name, os.Remove},
			{"replaced by a link", name + " is a link", func(path string) error {
				target := filepath.Join(elsewhere, filepath.Base(name))
				_ = os.Remove(target)
				if err := os.Rename(path, target); err != nil {
					return err
				}
				return os.Symlink(target, path)
			}},
			{"readable for others", name + " has permissions -rw-r--r--", func(path string) error { return os.Chmod(path, 0o644) }},
			{"executable", name + " has permissions -rwx------", func(path string) error { return os.Chmod(path, 0o700) }},
		} {
			tampered(name, c.change, c.named, c.how)
		}
	}
	folder := func(path string) error { return os.Mkdir(path, 0o700) }
	text := func(path string) error { return os.WriteFile(path, nil, 0o600) }
	for _, c := range []struct {
		name, named string
		how         func(path string) error
	}{
		{"notes.txt", "notes.txt does not belong", text},
		{"users/.DS_Store", "users/.DS_Store does not belong", text},
		{"internal/safe.csv", "internal/safe.csv does not belong", text},
		{"more", "more is a folder", folder},
		{"users/more", "users/more is a folder", folder},
		{"internal/pipe", "internal/pipe is not a regular file", func(path string) error { return syscall.Mkfifo(path, 0o600) }},
		{"internal", "internal has permissions -rwxr-xr-x", func(path string) error { return os.Chmod(path, 0o755) }},
		{".", "the folder of the release has permissions", func(path string) error { return os.Chmod(path, 0o777) }},
		{"users", "users is a link", func(path string) error {
			target := filepath.Join(elsewhere, "users")
			if err := os.Rename(path, target); err != nil {
				return err
			}
			return os.Symlink(target, path)
		}},
		{"internal", "is a link", func(path string) error {
			target := filepath.Join(elsewhere, "internal")
			if err := os.Rename(path, target); err != nil {
				return err
			}
			return os.Symlink(target, path)
		}},
	} {
		tampered(c.name, "", c.named, c.how)
	}
	if f.write(); f.refusal() != "" || changes < 42 {
		t.Errorf("%d changes; without one: %s", changes, f.refusal())
	}
	link := filepath.Join(elsewhere, "latest")
	f.must(os.Symlink(f.folder, link))
	if f.folder = link; f.refusal() != "" {
		t.Errorf("by a link to the folder: %s", f.refusal())
	}
}

// The program does not write into a hidden folder prepared by somebody else: a link, a folder that others can
// read, or one of another user.
func TestPreparedFolder(t *testing.T) {
	for name, prepare := range map[string]func(hidden string) error{
		"link": func(hidden string) error { return os.Symlink(t.TempDir(), hidden) },
		"mode": func(hidden string) error {
			if err := os.Mkdir(hidden, 0o700); err != nil {
				return err
			}
			return os.Chmod(hidden, 0o755)
		},
		"owner": func(hidden string) error {
			if os.Geteuid() != 0 {
				return os.WriteFile(hidden, nil, 0o600) // only root gives folders away
			}
			if err := os.Mkdir(hidden, 0o700); err != nil {
				return err
			}
			return os.Chown(hidden, 65534, 65534)
		},
	} {
		folder := filepath.Join(t.TempDir(), "release")
		if err := prepare(filepath.Join(filepath.Dir(folder), ".release"+unreleased)); err != nil {
			t.Fatal(err)
		}
		if _, err := claim(folder); err == nil || !strings.Contains(err.Error(), "was not left by one of your releases") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
