package session

import (
	"errors"
	"maps"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/database"
)

// ExportSettings are the user's choices for exports: settings of the session, not a step. They exclude
// acceptances, which must be given for the findings of each export.
type ExportSettings struct {
	What           string            `json:"what,omitempty"`
	Paths          map[string]string `json:"paths,omitempty"` // those typed by the user, by suffix of the default name
	GuardFormulas  bool              `json:"guard_formulas"`
	RandomOrder    bool              `json:"random_order,omitempty"`
	KeepNotes      bool              `json:"keep_notes,omitempty"`
	Codebook       string            `json:"codebook,omitempty"` // extension
	NewIdentifiers []string          `json:"new_identifiers,omitempty"`
	ForUsers       bool              `json:"for_users,omitempty"` // the report
	WithSeeds      bool              `json:"with_seeds,omitempty"`
	Responsible    string            `json:"responsible,omitempty"`
	Contact        string            `json:"contact,omitempty"`
}

// exportLine replaces the settings of exports.
type exportLine struct {
	Export *ExportSettings `json:"export"`
	At     *time.Time      `json:"at,omitempty"`
}

// ExportSettings returns the last stored settings; ok is false if there are none.
func (s *Session) ExportSettings() (settings ExportSettings, ok bool) {
	if s.export == nil {
		return ExportSettings{}, false
	}
	return *s.export, true
}

// KeepExportSettings stores the settings of exports, without passwords in addresses of tables.
func (s *Session) KeepExportSettings(settings ExportSettings) error {
	settings.Paths = maps.Clone(settings.Paths)
	for suffix, path := range settings.Paths {
		if !database.Is(path) {
			continue
		}
		if address, err := database.Parse(path); err == nil {
			settings.Paths[suffix] = address.String()
		} else {
			delete(settings.Paths, suffix)
		}
	}
	return s.do(&exportLine{Export: &settings, At: now()})
}

func (l *exportLine) obey(s *state) error {
	if l.Export == nil {
		return errors.New(`"export" must be a JSON object: {...}`)
	}
	s.export = l.Export
	return nil
}
