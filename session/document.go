package session

import (
	"io"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Document is a snapshot of a session: a value for exports and reports in the background.
type Document struct {
	Name     string
	Source   *Source
	Hash     string // of the data as read
	Scenario microdata.Scenario
	// Scenarios are all scenarios of the session, if there are several or they have names; Scenario is the active
	// one.
	Scenarios []NamedScenario
	Base      *microdata.Dataset // the data as read
	Data      *microdata.Dataset
	Steps     []Step        // the applied ones
	Measures  []MeasureSpec // the active ones, for reports
}

// Document returns a snapshot of the session.
func (s *Session) Document() Document {
	d := Document{Name: s.opened.Name, Source: s.opened.Source, Hash: s.identity.Hash, Scenario: s.scenario.Clone(),
		Base: s.opened.Data, Data: s.Data(), Steps: s.tree.steps(s.tree.path(s.tree.at)),
		Measures: s.Measures()}
	if all := s.Scenarios(); all[0].Name != "" {
		d.Scenarios = all
	}
	return d
}

// original returns the current records with their original values, to which figures are compared. It is the base
// unless steps remove or move records or add variables.
func (d *Document) original() *microdata.Dataset { return d.Data.Source() }

// WriteFile writes a file made from the session, such as the recode file of a variable. The file appears when it
// is complete. An existing file is replaced only with force, the source of the data never.
func (d Document) WriteFile(path string, force bool, write func(io.Writer) error) error {
	return fileio.Save(path, fileio.WriteOptions{Force: force, Source: d.Source.File()}, write)
}
