package fileio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// replacedEnd ends the name that a folder has while another one takes its place, on file systems without exchange.
const replacedEnd = ".replaced" + UnreleasedEnd

// Exchange gives two folders in the same folder each other's names, in one move where the system has it. Else it takes
// three, with moved called after each; what is killed between them is restored by RemoveUnused.
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

// restored gives a folder its name again if a program was killed between the moves of Exchange.
func restored(path string) (ok bool, err error) {
	name, aside := strings.CutSuffix(filepath.Base(path), replacedEnd)
	folder := filepath.Join(filepath.Dir(path), strings.TrimPrefix(name, "."))
	if _, err := os.Lstat(folder); !aside || !errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return true, os.Rename(path, folder)
}
