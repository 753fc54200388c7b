package tui

import (
	"context"
	"errors"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/progress"
	"github.com/sdcdesk/sdcdesk/session"
)

// resume continues a session in the background: the file is read anew and the
// steps are done again.
func (m *Model) resume(info session.JournalInfo) tea.Cmd {
	if m.waits(func(m *Model) tea.Cmd { return m.resume(info) }) {
		return nil
	}
	opener := m.options.OpenDemo
	return m.startOpening("continuing "+filepath.Base(info.Source.Path), func(ctx context.Context, meter *progress.Meter) (func(*Model) tea.Cmd, error) {
		doc, err := continued(ctx, info, opener, meter)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, errors.Join(ctx.Err(), doc.Close())
		}
		return func(m *Model) tea.Cmd {
			m.bench, m.options.Journal = newWorkbench(doc, m.options.Measures), ""
			m.page = nil
			if len(m.bench.scenario.Keys) == 0 {
				return m.openVariables()
			}
			return m.refresh()
		}, nil
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
