package tui

import (
	"context"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/session"
)

// resume continues a session in the background: the file is read anew and the
// steps are done again.
func (m *Model) resume(info session.JournalInfo) tea.Cmd {
	options := m.options
	open := func(ctx context.Context, meter *progress.Meter) (*session.Session, error) {
		return continued(ctx, info, &options, meter)
	}
	return m.startOpening("continuing "+filepath.Base(info.Source.Path), open, func(m *Model) tea.Cmd {
		if err := m.bench.doc.Halted(); err != nil {
			m.notify(err.Error(), true)
		}
		if len(m.bench.scenario.Keys) == 0 {
			return m.openVariables()
		}
		return m.refresh()
	})
}

// continued opens the session of a journal; that of the demonstration has no
// file, so the demonstration is made anew.
func continued(ctx context.Context, info session.JournalInfo, o *Options, meter *progress.Meter) (*session.Session, error) {
	if o.OpenDemo == nil || info.Source.Kind() != session.SourceDemonstration {
		return session.Continue(ctx, info.Path, o.Methods, meter)
	}
	opening, _, err := o.OpenDemo(ctx, meter)
	if err != nil {
		return nil, err
	}
	opening.Journal, opening.Methods = info.Path, o.Methods
	return session.Resume(ctx, opening, meter)
}
