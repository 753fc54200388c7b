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

// The parts of a journal's name: a digest of its source, the time it was started, and random bytes. The copy of a
// damaged journal has another extension in addition.
const (
	digestBytes   = 6
	startedLayout = "20060102T150405"
	uniqueBytes   = 4
	journalEnding = ".jsonl"
	damagedEnding = ".damaged"
)

// StateFolder returns the folder of the journals: sdcdesk in $XDG_STATE_HOME, or in the system's place for such
// files, on Linux ~/.local/state.
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

// makeStateFolder creates the folder of the journals, accessible to its owner only. It creates no other folder.
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

// newJournal returns the journal of a new session, whose file does not exist yet: at a path, or in the state
// folder if path is "".
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

// newJournalPath returns the path of a new journal in the state folder. Its name has the file's name, for people,
// and a digest of its path, for FindJournals.
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

// pathDigest returns the part of a journal's name that identifies its source.
func pathDigest(source string) string {
	digest := sha256.Sum256([]byte(source))
	return hex.EncodeToString(digest[:digestBytes])
}

// plainName returns a file's name without characters that have a meaning for a shell or a file system, at most 40
// characters.
func plainName(path string) string {
	name := wording.FileWord(filepath.Base(path), ".")
	return strings.TrimLeft(name[:min(len(name), 40)], ".")
}
