package session

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// The parts of a journal's name: a digest of its source, when it was started, and random
// bytes. The name of its copy with damage has one more ending.
const (
	digestBytes   = 6
	startedLayout = "20060102T150405"
	uniqueBytes   = 4
	journalEnding = ".jsonl"
	damagedEnding = ".damaged"
)

// StateFolder returns the folder where journals are kept: sdcdesk in
// $XDG_STATE_HOME, or else in the system's place for such files, on Linux
// ~/.local/state.
func StateFolder() (string, error) {
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "sdcdesk"), nil
	}
	var parent string
	var err error
	switch runtime.GOOS {
	case "windows":
		parent, err = os.UserCacheDir() // the folder of local, not roaming, files
	case "darwin", "ios":
		parent, err = os.UserConfigDir()
	default:
		if parent, err = os.UserHomeDir(); err == nil {
			parent = filepath.Join(parent, ".local", "state")
		}
	}
	if err != nil {
		return "", fmt.Errorf("no folder for session files: %w; give a file with --session", err)
	}
	return filepath.Join(parent, "sdcdesk"), nil
}

// makeStateFolder makes the folder where journals are kept, closed to everybody but
// its owner. Any other folder is the user's own.
func makeStateFolder(folder string) error {
	if state, err := StateFolder(); err != nil || filepath.Clean(state) != filepath.Clean(folder) {
		return nil
	}
	err := os.MkdirAll(folder, 0o700)
	if info, statErr := os.Stat(folder); statErr == nil && info.Mode().Perm()&0o077 != 0 {
		err = os.Chmod(folder, 0o700)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// newJournal returns the journal of a new session, which has no file yet: at a
// path, or where that is "" in the state folder.
func newJournal(source, path string) (j *journal, err error) {
	if path == "" {
		path, err = newJournalPath(source, time.Now())
	} else if info, statErr := os.Stat(path); statErr == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%w: %s is not a regular file; choose another one", ErrNotStored, path)
	} else if statErr == nil && info.Size() > 0 {
		err = fmt.Errorf("%w: %s; continue it, or choose another file", ErrJournalExists, path)
	}
	return &journal{path: path}, err
}

// newJournalPath returns the path of a new journal in the state folder. Its
// name has the file's name for people and a digest of its path for FindJournals.
func newJournalPath(source string, started time.Time) (string, error) {
	folder, err := StateFolder()
	if err != nil {
		return "", err
	}
	var unique [uniqueBytes]byte
	_, _ = rand.Read(unique[:]) // never fails
	name := strings.Join([]string{plainName(source), pathDigest(source), started.UTC().Format(startedLayout),
		hex.EncodeToString(unique[:])}, "-")
	return filepath.Join(folder, name+journalEnding), nil
}

// pathDigest is the part of a journal's name that stands for its source.
func pathDigest(source string) string {
	digest := sha256.Sum256([]byte(source))
	return hex.EncodeToString(digest[:digestBytes])
}

// plainName returns a file's name without anything that a shell or a file
// system could read as more than a letter, at most 40 letters.
func plainName(path string) string {
	name := wording.FileWord(filepath.Base(path), ".")
	return strings.TrimLeft(name[:min(len(name), 40)], ".")
}
