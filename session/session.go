package session

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// Errors of a session.
var (
	ErrMoved     = errors.New("the data have changed in the meantime")
	ErrPosition  = errors.New("there is no such position")
	ErrNotStored = errors.New("the session file cannot be written")
)

// Opening is what a session starts from.
type Opening struct {
	Source   *Source // nil: data made by the program
	Name     string  // name on the screen; "": the source's name
	Data     *microdata.Dataset
	Warnings []string // from reading the source

	Methods  method.Catalog // the available methods; nil: all
	Journal  string         // path of the journal; "": a new file in the state folder
	Volatile bool           // keep no journal: nothing remains after the program
	Repair   bool           // resume a damaged journal; a copy of it is kept in a file next to it
	Memory   int64          // bytes for the datasets of earlier positions; 0: one gigabyte
}

// Session is the document: base data, scenario, steps and a position. Its methods must be called by one goroutine;
// long work is done by jobs, which are values.
type Session struct {
	opened   Opening             // what it starts from, with defaults filled in
	identity Identity            // of the source, with the hash of the data
	scenario *microdata.Scenario // the active one; replaced as a whole, never modified
	state
	heldAtMost int64    // upper bound of the bytes of datasets in memory; heldBytes is exact
	version    uint64   // number of changes of data and scenario
	journal    *journal // nil: none
	halted     error    // why a resumed session stopped before a step; nil: it did not
	stood      int      // its node before that
}

// New starts a session on the data of a file. The journal's file is created with the first line, written by
// SetScenario or Commit; if it exists already, the error wraps ErrJournalExists.
func New(o Opening) (*Session, error) {
	s, err := newSession(o)
	if err != nil || o.Volatile {
		return s, err
	}
	s.journal, err = newJournal(s.identity.Path, o.Journal)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func newSession(o Opening) (*Session, error) {
	if o.Data == nil {
		return nil, errors.New("a session needs data")
	}
	if o.Source == nil {
		o.Source = NewDemonstration(o.Name, fileio.Format{})
	}
	identity := o.Source.Identity()
	identity.Hash = openedHash(o.Data)
	o.Name, o.Memory = cmp.Or(o.Name, strings.Trim(filepath.Base(identity.Path), "<>")), cmp.Or(o.Memory, defaultMemory)
	tree := newTree()
	return &Session{opened: o, identity: identity, scenario: tree.scenarios.inForce(), state: state{tree: tree}}, nil
}

// Name returns the name of the session's file on the screen.
func (s *Session) Name() string { return s.opened.Name }

// Source returns the source of the data.
func (s *Session) Source() *Source { return s.opened.Source }

// Warnings returns the warnings from reading the data.
func (s *Session) Warnings() []string { return s.opened.Warnings }

// BegunElsewhere reports whether another program changed variables of the data before they were read. Figures then
// compare them with their earlier values.
func (s *Session) BegunElsewhere() bool {
	return slices.ContainsFunc(s.opened.Data.Columns(), func(c *microdata.Column) bool { return c.Source() != c })
}

// Base returns the data as read.
func (s *Session) Base() *microdata.Dataset { return s.opened.Data }

// Data returns the data at the position.
func (s *Session) Data() *microdata.Dataset {
	if s.tree.at == 0 {
		return s.opened.Data
	}
	return s.tree.nodes[s.tree.at].data
}

// Steps returns the steps of the current branch, including undone ones. Nodes has all branches.
func (s *Session) Steps() []Step { return s.tree.steps(s.tree.branch()) }

// Position returns the number of applied steps.
func (s *Session) Position() int { return s.tree.position() }

// NotApplicable returns the reason why k-anonymity and risk do not apply to the data at a position under the
// scenario. It returns "" if they apply, and for steps that were not run since the session was opened.
func (s *Session) NotApplicable(position int) string {
	id, err := s.tree.nodeAt(position)
	if err != nil || id == 0 {
		return ""
	}
	return risk.NotApplicable(s.scenario, s.tree.nodes[id].origins)
}

// Halted returns why the session, when it was resumed, stopped before an applied step: the step gives other data
// than before, or is no longer possible. That step and later ones can be redone as far as possible. It returns nil
// if all steps were replayed.
func (s *Session) Halted() error { return s.halted }

// JournalPath returns the path of the journal, or "" if there is none. The file exists after the first line was
// written.
func (s *Session) JournalPath() string {
	if s.journal == nil {
		return ""
	}
	return s.journal.path
}

// Close closes the journal's file. The session can be resumed later.
func (s *Session) Close() error {
	if s.journal == nil {
		return nil
	}
	return s.journal.close()
}
