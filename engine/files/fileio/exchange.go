package fileio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// replacedEnd is the suffix of the name of a folder while another one replaces it, on file systems without
// exchange.
const replacedEnd = ".replaced" + UnreleasedEnd

// Exchange swaps the names of two folders in the same folder, atomically if the system supports it. Otherwise it
// takes three renames and calls moved after each; if the program is killed in between, RemoveUnused restores the
// folder.
func Exchange(hidden, folder string, moved func()) error {
	err := swap(hidden, folder)
	if err == nil {
		return nil
	}
	aside := filepath.Join(filepath.Dir(folder), "."+filepath.Base(folder)+replacedEnd)
	if err := os.Rename(folder, aside); err != nil {
		return err
	}
	moved()
	if err := os.Rename(hidden, folder); err != nil {
		return errors.Join(err, os.Rename(aside, folder))
	}
	moved()
	return os.Rename(aside, hidden)
}

// restored renames a folder back if a program was killed during Exchange.
func restored(path string) (ok bool, err error) {
	name, aside := strings.CutSuffix(filepath.Base(path), replacedEnd)
	folder := filepath.Join(filepath.Dir(path), strings.TrimPrefix(name, "."))
	if _, err := os.Lstat(folder); !aside || !errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return true, os.Rename(path, folder)
}
