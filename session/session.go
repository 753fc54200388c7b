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

// Opening says what a session starts from.
type Opening struct {
	Source   *Source // nil: data that are made, of the name
	Name     string  // what the screen calls it; "": the source's name
	Data     *microdata.Dataset
	Warnings []string // of reading the source

	Methods  method.Catalog // of which steps are made; nil: all that there are
	Journal  string         // where the journal is kept; "": a new file in the state folder
	Volatile bool           // keep no journal: nothing outlives the program
	Repair   bool           // continue a journal with damage, of which the whole is kept in a file beside it
	Memory   int64          // bytes for the datasets of earlier positions; 0: a gigabyte
}

// Session is the document: base data, scenario, steps and a position. Its
// methods are for one goroutine; long work is done by jobs, which are values.
type Session struct {
	opened   Opening             // what it starts from, completed
	identity Identity            // of the source, with the hash of the data
	scenario *microdata.Scenario // the one in force; replaced as a whole, never modified
	state
	heldAtMost int64    // bytes of the datasets held, or more: heldBytes counts them
	version    uint64   // counts changes of data and scenario
	journal    *journal // nil: none
	halted     error    // why a continued session stands before a step; nil: it does not
	stood      int      // where it stood before that
}

// New starts a session on the data of a file. The journal's file is made with
// the first line, which SetScenario or Commit writes; a file that is at the
// given place already is an error that wraps ErrJournalExists.
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

// Name returns what the screen calls the session's file.
func (s *Session) Name() string { return s.opened.Name }

// Source returns where the data come from.
func (s *Session) Source() *Source { return s.opened.Source }

// Warnings returns what reading the data gave to say.
func (s *Session) Warnings() []string { return s.opened.Warnings }

// BegunElsewhere reports whether another program changed variables of the data before they were
// read: figures compare them with what they were.
func (s *Session) BegunElsewhere() bool {
	return slices.ContainsFunc(s.opened.Data.Columns(), func(c *microdata.Column) bool { return c.Source() != c })
}

// Base returns the data as they were read.
func (s *Session) Base() *microdata.Dataset { return s.opened.Data }

// Data returns the data at the position.
func (s *Session) Data() *microdata.Dataset {
	if s.tree.at == 0 {
		return s.opened.Data
	}
	return s.tree.nodes[s.tree.at].data
}

// Steps returns the steps of the current branch, those ahead of the position
// included. Nodes has all branches.
func (s *Session) Steps() []Step { return s.tree.steps(s.tree.branch()) }

// Position returns the number of steps that stand.
func (s *Session) Position() int { return s.tree.position() }

// NotApplicable says why the figures of k-anonymity and risk cannot be told of
// the data at a position under the scenario; "" where they can, and for steps
// that were not done since the session was opened.
func (s *Session) NotApplicable(position int) string {
	id, err := s.tree.nodeAt(position)
	if err != nil || id == 0 {
		return ""
	}
	return risk.NotApplicable(s.scenario, s.tree.nodes[id].origins)
}

// Halted says why the session, when it was continued, came to stand before a step
// that stood: the step gives other data than before, or cannot be done any more. It
// and later ones can be redone, as far as they can. nil: all steps stood.
func (s *Session) Halted() error { return s.halted }

// JournalPath returns where the journal is kept; "" where there is none. The
// file is there once a line was written.
func (s *Session) JournalPath() string {
	if s.journal == nil {
		return ""
	}
	return s.journal.path
}

// Close lets go of the journal's file. The session can be continued later.
func (s *Session) Close() error {
	if s.journal == nil {
		return nil
	}
	return s.journal.close()
}
