package session

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// JournalInfo describes a journal without its data.
type JournalInfo struct {
	Path     string   // of the journal
	Identity Identity // of the source
	Source   *Source  // the source with its format
	Steps    []Step   // all steps that could be read, including undone ones
	Position int
	Roles    bool      // variables have roles in the last scenario
	Modified time.Time // of the journal
	InUse    bool      // open in another program, or twice in this one
	Changed  bool      // the source has another size or time, or is gone
	Err      error     // why it cannot be resumed, or nil
	Damage   *Damage   // a line that cannot be read, in which case steps, position and roles are those before it; nil: none
}

// FindJournals returns the journals of sessions on a source in the state folder, the latest first. A missing
// folder is not an error.
func FindJournals(source string, known *MethodSource) ([]JournalInfo, error) {
	address := known.source(Identity{Path: source}, nil).Identity().Path
	all, err := listJournals("*-"+pathDigest(address)+"-*"+journalEnding, known)
	return slices.DeleteFunc(all, func(info JournalInfo) bool { return info.Identity.Path != address }), err
}

// ListJournals returns all journals in the state folder, the latest first.
func ListJournals(known *MethodSource) ([]JournalInfo, error) {
	return listJournals("*"+journalEnding, known)
}

func listJournals(pattern string, known *MethodSource) ([]JournalInfo, error) {
	folder, err := StateFolder()
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var found []JournalInfo
	for _, entry := range entries {
		if match, err := filepath.Match(pattern, entry.Name()); err != nil || !match || !entry.Type().IsRegular() {
			continue
		}
		// Files that are not journals, or have no second line yet, are skipped.
		if info, err := ReadJournal(filepath.Join(folder, entry.Name()), known); err == nil {
			found = append(found, info)
		}
	}
	slices.SortFunc(found, func(a, b JournalInfo) int {
		return cmp.Or(b.Modified.Compare(a.Modified), strings.Compare(b.Path, a.Path))
	})
	return found, nil
}

// Reached returns the journal with the address of its data as typed by the user, which may have a password.
// Journals do not store passwords.
func (i JournalInfo) Reached(typed *Source) JournalInfo {
	i.Source = i.Source.reached(typed)
	return i
}

// ReadJournal describes a journal. It returns an error if the file cannot be read or is not a journal; Err is set
// if the journal can be read but not resumed.
func ReadJournal(path string, known *MethodSource) (JournalInfo, error) {
	file, err := fileio.Open(path)
	if err != nil {
		return JournalInfo{}, err
	}
	defer file.Close()
	stat, err := file.Stat()
	if err != nil {
		return JournalInfo{}, err
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return JournalInfo{}, err
	}
	script, end, err := readJournal(text, known.methods())
	if script.Source == nil {
		if err == nil {
			err = errors.New("the file is a script, not a journal")
		}
		return JournalInfo{}, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	source := known.source(*script.Source, script.Format)
	return JournalInfo{Path: path, Identity: *script.Source, Source: source, Steps: script.Steps,
		Position: script.Position, Roles: script.Scenario.HasRoles(), Modified: stat.ModTime(), Err: err, Damage: end.damage,
		Changed: source.Changed(), InUse: errors.Is(lock(file), ErrLocked)}, nil
}
