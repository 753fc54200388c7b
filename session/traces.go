package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// The kinds of traces.
const (
	TraceSession = "session"
	TraceDamaged = "damaged session"   // the copy of a damaged journal that was resumed
	TraceExport  = "unfinished export" // a file that a killed export left, or that an export is about to place
)

// Trace is a file that the program keeps, or that was left when it was killed.
type Trace struct {
	Name     string    `json:"name"`
	Kind     string    `json:"kind"`
	Path     string    `json:"path"`
	Size     int64     `json:"bytes"`
	Modified time.Time `json:"modified"`
	InUse    bool      `json:"in_use"`           // a running program uses it
	Source   string    `json:"source,omitempty"` // address of the data of a session
	Steps    int       `json:"steps,omitempty"`  // number of steps of a session
	Problem  string    `json:"problem,omitempty"`
}

// Traces are the files that the program keeps or left, and the folders that were searched.
type Traces struct {
	Sessions string   `json:"sessions"` // the folder of sessions
	Folders  []string `json:"folders"`  // folders searched for unfinished exports
	Files    []Trace  `json:"files"`
}

// FindTraces searches the state folder, and for unfinished exports also the folders of the sources of its sessions
// and the given ones. It does not find sessions kept elsewhere.
func FindTraces(known *MethodSource, folders ...string) (*Traces, error) {
	state, err := StateFolder()
	if err != nil {
		return nil, err
	}
	t := &Traces{Sessions: state, Files: []Trace{}}
	entries, err := os.ReadDir(state)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	folders = append(folders, state)
	for _, entry := range entries {
		trace, source := sessionTrace(state, entry, known)
		if trace != nil {
			t.Files = append(t.Files, *trace)
		}
		if source != "" {
			folders = append(folders, filepath.Dir(source))
		}
	}
	for _, folder := range folders {
		t.Folders = append(t.Folders, canonical(folder))
	}
	slices.Sort(t.Folders)
	t.Folders = slices.Compact(t.Folders)
	for _, folder := range t.Folders {
		for _, file := range fileio.FindUnplaced(folder) {
			t.Files = append(t.Files, Trace{Name: filepath.Base(file.Path), Kind: TraceExport, Path: file.Path,
				Size: file.Size, Modified: file.Modified, InUse: file.InUse})
		}
	}
	return t, nil
}

// sessionTrace describes a file of the state folder and returns the file with its data, or nil if the file does
// not belong to the program.
func sessionTrace(folder string, entry os.DirEntry, known *MethodSource) (trace *Trace, source string) {
	journal, copied, isCopy := strings.Cut(entry.Name(), damagedEnding)
	if !entry.Type().IsRegular() || filepath.Ext(journal) != journalEnding || strings.Trim(copied, "-0123456789") != "" {
		return nil, ""
	}
	path := filepath.Join(folder, entry.Name())
	info, err := ReadJournal(path, known)
	stat, statErr := entry.Info()
	if statErr != nil || err != nil && !journalName.MatchString(journal) {
		return nil, ""
	}
	trace = &Trace{Name: entry.Name(), Kind: TraceSession, Path: path, Size: stat.Size(), Modified: stat.ModTime(),
		InUse: info.InUse, Source: info.Identity.Path, Steps: len(info.Steps)}
	if isCopy {
		trace.Kind = TraceDamaged
	}
	if err != nil {
		trace.Problem = "it cannot be read"
		return trace, ""
	}
	return trace, info.Source.File()
}

// journalName matches the names that newJournalPath returns.
var journalName = regexp.MustCompile(fmt.Sprintf(`-[0-9a-f]{%d}-\d{8}T\d{6}-[0-9a-f]{%d}\%s$`, 2*digestBytes, 2*uniqueBytes, journalEnding))

// Remove removes the file unless a program uses it.
func (t *Trace) Remove() error {
	err := fileio.ErrLocked
	if !t.InUse {
		err = fileio.RemoveUnused(t.Path)
	}
	switch {
	case errors.Is(err, fileio.ErrLocked):
		return fmt.Errorf("%s was not removed: another program uses it; close that program first", t.Name)
	case err != nil:
		return fmt.Errorf("%s could not be removed: %w", t.Name, err)
	}
	return nil
}
