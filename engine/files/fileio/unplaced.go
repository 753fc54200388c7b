package fileio

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The name of a file that is not yet placed consists of a start, digits and an end.
const (
	stagedStart = ".sdcdesk-"
	stagedEnd   = ".tmp"
)

// A release is written into a hidden folder next to its final place. Its name has the suffix UnreleasedEnd, and it
// contains the file ReleaseMarker, locked during writing.
const (
	UnreleasedEnd = ".unreleased"
	ReleaseMarker = "being-written"

	// The names of the two parts of a release.
	ReleaseInternal = "internal"
	ReleaseUsers    = "users"
)

// staleAfter is the age after which a file is a leftover, on file systems without locks.
const staleAfter = 24 * time.Hour

// lockedAfter is the time within which a program locks a file after creating it.
const lockedAfter = 10 * time.Second

// Unplaced is a file, or the folder of a release, with a temporary hidden name; it may contain records. A program
// is about to place it, or was killed before it could.
type Unplaced struct {
	Path     string
	Size     int64
	Modified time.Time
	InUse    bool // a program may be about to place it
}

// FindUnplaced returns the unplaced files and releases in a folder, or none if it cannot be read.
func FindUnplaced(folder string) (found []Unplaced) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		switch {
		case entry.IsDir() && strings.HasPrefix(entry.Name(), ".") && strings.HasSuffix(entry.Name(), UnreleasedEnd):
			if info, err := os.Lstat(lockedBy(path)); err == nil && (!info.IsDir() || onlyParts(path)) {
				found = append(found, unplaced(path, info))
			}
		case entry.IsDir():
			found = append(found, unreleasedIn(filepath.Join(path, ReleaseUsers))...)
		case isStaged(entry):
			if info, err := entry.Info(); err == nil {
				found = append(found, unplaced(path, info))
			}
		}
	}
	return found
}

// unplaced describes a file or a release, given the information on its locked file.
func unplaced(path string, locked os.FileInfo) Unplaced {
	return Unplaced{path, sizeOf(path), locked.ModTime(), mayBePlaced(lockedBy(path), locked)}
}

// unreleasedIn returns the leftover files in a part of a bundle from earlier versions, killed before the last
// rename.
func unreleasedIn(part string) (found []Unplaced) {
	entries, _ := os.ReadDir(part)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && strings.HasSuffix(entry.Name(), UnreleasedEnd) {
			found = append(found, unplaced(filepath.Join(part, entry.Name()), info))
		}
	}
	return found
}

// onlyParts reports whether a folder contains only the parts of a release.
func onlyParts(folder string) bool {
	entries, err := os.ReadDir(folder)
	return err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		return !e.IsDir() || e.Name() != ReleaseInternal && e.Name() != ReleaseUsers
	})
}

// isStaged reports whether an entry of a folder is an unplaced file.
func isStaged(entry os.DirEntry) bool {
	digits, ours := strings.CutPrefix(entry.Name(), stagedStart)
	digits, ends := strings.CutSuffix(digits, stagedEnd)
	return ours && ends && digits != "" && allDigits([]byte(digits)) && entry.Type().IsRegular()
}

// lockedBy returns the file that is locked during writing, or a folder itself if it has none, because its release
// was about to be placed or was replaced.
func lockedBy(path string) string {
	marker := filepath.Join(path, ReleaseMarker)
	if info, err := os.Lstat(marker); err == nil && info.Mode().IsRegular() {
		return marker
	}
	return path
}

// sizeOf returns the bytes of a file, or of all files in a folder.
func sizeOf(path string) (bytes int64) {
	_ = filepath.WalkDir(path, func(_ string, entry os.DirEntry, err error) error {
		if err != nil {
			return nil // it may have been removed
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// mayBePlaced reports whether a program may be about to place a file. A program locks its file before it writes;
// an empty file that was just created counts as in use, because it may not be locked yet.
func mayBePlaced(path string, info os.FileInfo) bool {
	age := time.Since(info.ModTime())
	if info.IsDir() {
		return age <= lockedAfter
	}
	if info.Size() == 0 && age <= lockedAfter {
		return true
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return true // unknown; it cannot be removed either
	}
	defer file.Close()
	err = Lock(file)
	return errors.Is(err, ErrLocked) || err != nil && age <= staleAfter
}

// RemoveUnplaced removes the leftover files of killed programs from a folder, and returns their number. Files that
// cannot be read or removed are skipped.
func RemoveUnplaced(folder string) (removed int) {
	for _, file := range FindUnplaced(folder) {
		if !file.InUse && RemoveUnused(file.Path) == nil {
			removed++
		}
	}
	return removed
}

// RemoveUnused removes a file, or the folder of a release, that no program has locked; otherwise it returns
// ErrLocked. A bundle that was moved aside for a replacement that never arrived is renamed back.
func RemoveUnused(path string) error {
	locked := lockedBy(path)
	info, err := os.Lstat(locked)
	if err != nil {
		return err
	}
	if info.IsDir() {
		if mayBePlaced(locked, info) || !onlyParts(path) {
			return ErrLocked
		}
		if ok, err := restored(path); ok {
			return err
		}
		return removeParts(path)
	}
	file, err := os.OpenFile(locked, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	err = Lock(file)
	file.Close() // some systems cannot remove an open file
	if errors.Is(err, ErrLocked) {
		return err
	}
	if locked == path {
		return os.Remove(path)
	}
	return removeParts(path)
}

// removeParts removes the parts of a release from its folder, and the folder if nothing else is in it.
func removeParts(folder string) error {
	marker := os.Remove(filepath.Join(folder, ReleaseMarker))
	if errors.Is(marker, os.ErrNotExist) {
		marker = nil
	}
	err := errors.Join(os.RemoveAll(filepath.Join(folder, ReleaseInternal)),
		os.RemoveAll(filepath.Join(folder, ReleaseUsers)), marker)
	if err != nil {
		return err
	}
	return os.Remove(folder)
}
