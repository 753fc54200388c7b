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
	opener := m.options.OpenDemo
	open := func(ctx context.Context, meter *progress.Meter) (*session.Session, error) {
		return continued(ctx, info, opener, meter)
	}
	return m.startOpening("continuing "+filepath.Base(info.Source.Path), open, func(m *Model) tea.Cmd {
		if len(m.bench.scenario.Keys) == 0 {
			return m.openVariables()
		}
		return m.refresh()
	})
}

// continued opens the session of a journal; that of the demonstration has no
// file, so the demonstration is made anew.
func continued(ctx context.Context, info session.JournalInfo, opener Opener, meter *progress.Meter) (*session.Session, error) {
	if opener == nil || info.Source.Kind() != session.SourceDemonstration {
		return session.Continue(ctx, info.Path, meter)
	}
	opening, _, err := opener(ctx, meter)
	if err != nil {
		return nil, err
	}
	opening.Journal = info.Path
	return session.Resume(ctx, opening, meter)
}
