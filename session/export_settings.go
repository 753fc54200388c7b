package session

import (
	"errors"
	"maps"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/database"
)

// ExportSettings are what somebody chose for exports: settings of the session, no step. They have no acceptance,
// which is given anew for what is found then.
type ExportSettings struct {
	What           string            `json:"what,omitempty"`
	Paths          map[string]string `json:"paths,omitempty"` // those that were typed, by the suffix of the default name
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

// exportLine has the settings of exports, in place of those before.
type exportLine struct {
	Export *ExportSettings `json:"export"`
	At     *time.Time      `json:"at,omitempty"`
}

// ExportSettings returns what was kept last; ok is false if nothing was.
func (s *Session) ExportSettings() (settings ExportSettings, ok bool) {
	if s.export == nil {
		return ExportSettings{}, false
	}
	return *s.export, true
}

// KeepExportSettings keeps what was chosen for exports, in place of what was kept before. Of addresses of tables it keeps
// no passwords.
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
