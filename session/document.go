package session

import (
	"io"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Document is a picture of a session at one moment: a value for exports and
// reports that run in the background.
type Document struct {
	Name     string
	Source   *Source
	Hash     string // of the data as they were read
	Scenario microdata.Scenario
	// Scenarios are all of the session, where there are several or they have names;
	// Scenario is the one in force.
	Scenarios []NamedScenario
	Base      *microdata.Dataset // as it was read
	Data      *microdata.Dataset
	Steps     []Step        // those that stand
	Measures  []MeasureSpec // those that are open, for reports
}

// Document returns the picture of the session as it is now.
func (s *Session) Document() Document {
	d := Document{Name: s.opened.Name, Source: s.opened.Source, Hash: s.identity.Hash, Scenario: s.scenario.Clone(),
		Base: s.opened.Data, Data: s.Data(), Steps: s.tree.steps(s.tree.path(s.tree.at)),
		Measures: s.Measures()}
	if all := s.Scenarios(); all[0].Name != "" {
		d.Scenarios = all
	}
	return d
}

// original returns the records of the data as they were read: what figures are
// compared with. Without steps that take records out, move them or make
// variables it is the base.
func (d *Document) original() *microdata.Dataset { return d.Data.Source() }

// WriteFile writes a file that was made from the session, such as the recode
// file of a variable. It appears when it is whole; one that exists is replaced
// only with force, and the source of the data never.
func (d Document) WriteFile(path string, force bool, write func(io.Writer) error) error {
	return fileio.Save(path, fileio.WriteOptions{Force: force, Source: d.Source.File()}, write)
}
