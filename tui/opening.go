package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/tui/pages"
	"github.com/sdcdesk/sdcdesk/views"
)

// openFirst opens what the options say.
func (m *Model) openFirst() {
	journal, there := m.namedJournal()
	switch {
	case there && journal.Err != nil:
		m.refuse(fmt.Sprintf("%s: %v", journal.Path, journal.Err))
		m.openStart()
	case there && m.options.Path == "":
		m.resumeWhole(journal)
	case there && !m.sameData(m.options.Path, journal.Source):
		m.refuse(fmt.Sprintf("%s belongs to %s; choose another session file", journal.Path, journal.Identity.Path))
		m.openStart()
	case there:
		m.offer(m.options.Path, journal)
	case m.options.Lesson != "":
		m.beginLesson(m.options.Lesson)
	case m.options.Demo:
		m.openDemonstration()
	case m.options.Path != "":
		m.openPath(m.options.Path)
	default:
		m.openStart()
	}
}

// namedJournal describes the session file named on the command line, if it exists. If it is not a session file,
// info.Err is set.
func (m *Model) namedJournal() (info session.JournalInfo, there bool) {
	if m.options.Journal == "" {
		return info, false
	}
	if stat, err := os.Stat(m.options.Journal); err != nil || stat.Size() == 0 {
		return info, false
	}
	info, err := session.ReadJournal(m.options.Journal, m.options.known())
	if err != nil {
		info = session.JournalInfo{Path: m.options.Journal, Err: err}
	}
	return info, true
}

// sameData reports whether an address is that of a source, or leads to its file.
func (m *Model) sameData(address string, source *session.Source) bool {
	typed := m.options.known().Source(address, fileio.Format{})
	if typed.Identity().Path == source.Identity().Path {
		return true
	}
	one, err := os.Stat(typed.File())
	if err != nil {
		return false
	}
	other, err := os.Stat(source.File())
	return err == nil && os.SameFile(one, other)
}

// startIfEmpty opens the start page, or the session replaced by a lesson, if nothing is open.
func (m *Model) startIfEmpty() {
	if m.page != nil || m.bench != nil || m.work != nil || m.dialog != nil {
		return
	}
	if m.left != nil {
		m.backToLeft()
		return
	}
	m.openStart()
}

func (m *Model) openStart() {
	recent, err := m.options.Recent(m.options.known())
	m.page = pages.NewStart(recent, err)
	m.sweep(recent)
}

// openPath offers to resume the last session on a file or address, or shows how the file will be read. It mentions
// a session that cannot be resumed.
func (m *Model) openPath(path string) {
	if source := m.options.known().Source(path, fileio.Format{}); source.Identity().Path == source.File() {
		var err error
		if path, err = fileio.DataFile(path); err != nil {
			m.fail(err)
			m.startIfEmpty()
			return
		}
	}
	if m.newJournal() != "" || m.options.NoTrace {
		m.importing(path)
		return // a new session, or one without journal, was requested
	}
	journals, err := session.FindJournals(path, m.options.known())
	if err != nil {
		m.fail(err) // the file can still be opened
	}
	for _, journal := range journals {
		switch {
		case errors.Is(journal.Err, session.ErrNewer):
			m.say(fmt.Sprintf("the last session on this file, %v; a new session was started", journal.Err))
		case journal.Err != nil || len(journal.Steps) == 0 && !journal.Roles && journal.Damage == nil:
			continue
		case journal.InUse:
			m.say("a session on this file is open in another program; a new session was started")
		case journal.Changed:
			m.say("the file has changed since its last session; a new session was started")
		default:
			m.offer(path, journal)
			return
		}
		break
	}
	m.importing(path)
}

// offer asks whether to resume a session.
func (m *Model) offer(path string, journal session.JournalInfo) {
	journal = journal.Reached(m.options.known().Source(path, fileio.Format{}))
	text := fmt.Sprintf("The last session on %s has %d of %d steps applied (%s).", session.Called(path),
		journal.Position, len(journal.Steps), journal.Modified.Local().Format("2 Jan 2006 15:04"))
	if len(journal.Steps) == 0 {
		text = fmt.Sprintf("The last session on %s has variable roles and no steps (%s).", session.Called(path),
			journal.Modified.Local().Format("2 Jan 2006 15:04"))
	}
	if d := journal.Damage; d != nil {
		text = fmt.Sprintf("Line %d of the session file cannot be read: %v. You can resume what precedes it: %s. The lines after it are "+
			"lost, with %s; the file is kept as %s.",
			d.Line, d.Err, wording.Counted(len(journal.Steps), "step"), wording.Counted(d.Lost, "more step"),
			filepath.Base(session.DamagedPath(journal.Path)))
	}
	newSession := views.Emits("n", "start a new session", dialogs.Call(func() {
		if journal.Source.File() == "" && !session.InDatabase(journal.Source) {
			m.openDemonstration()
			return
		}
		m.importing(path)
	}))
	m.dialog = dialogs.NewConfirm("Continue?", text, "continue", func() { m.resume(journal) }, newSession)
}

// importing examines a file in the background and shows how it will be read; a database table is opened at once.
func (m *Model) importing(address string) {
	source := m.options.known().Source(address, fileio.Format{})
	path, override := source.File(), m.options.Override
	if session.InDatabase(source) {
		format := source.Format()
		if err := override(&format); err != nil {
			m.refuse(err.Error())
			return
		}
		m.openSource(m.options.known().Source(address, format))
		return
	}
	if source.Identity().Path == path {
		path = address // as the user typed it
	}
	m.start(&work{title: "looking at " + filepath.Base(path), opening: true},
		func(ctx context.Context, meter *progress.Meter) (func(), error) {
			format, err := fileio.GuessFile(ctx, path, meter)
			if err != nil {
				return nil, err
			}
			if err := override(&format); err != nil {
				return nil, err
			}
			page := pages.NewImport(ctx, path, filepath.Base(path), format)
			return func() {
				m.page = page
			}, ctx.Err()
		})
}

// openSource reads the data of a source in the background and opens its Variables page.
func (m *Model) openSource(source *session.Source) {
	m.startNew("reading "+session.Called(source.Identity().Path), m.newJournal(), m.options.NoTrace, source.Open,
		m.opened, m.asksPassword(source, m.openSource))
}

// asksPassword returns a function that asks for the password of a source's server and opens the source with it.
func (m *Model) asksPassword(source *session.Source, open func(typed *session.Source)) func() {
	address := source.Identity().Path
	return func() {
		m.dialog = dialogs.NewPassword(address, func(password string) {
			open(m.options.known().Source(database.WithPassword(address, password), source.Format()))
		})
	}
}

// newJournal returns the journal path named on the command line if no journal exists there. Only the first session
// uses it; later ones have theirs in the state folder.
func (m *Model) newJournal() string {
	if _, there := m.namedJournal(); there {
		return ""
	}
	return m.options.Journal
}

// opened opens the Variables page of a new session.
func (m *Model) opened() {
	doc := m.bench.doc
	if doc.Base().Len() == 0 {
		m.refuse(doc.Name() + " has no records, so there is nothing to protect")
	} else if warnings := doc.Warnings(); len(warnings) > 0 {
		m.say(warnings[0])
	}
	m.openVariables(false)
}

// openDemonstration opens the embedded survey with its scenario.
func (m *Model) openDemonstration() {
	if m.options.OpenDemo == nil {
		m.refuse("there is no demonstration in this program")
		return
	}
	opener := m.options.OpenDemo
	var scenario microdata.Scenario
	m.startNew("opening the demonstration", m.newJournal(), m.options.NoTrace,
		func(ctx context.Context, meter *progress.Meter) (opening session.Opening, err error) {
			opening, scenario, err = opener(ctx, meter)
			return opening, err
		}, func() { m.setScenarios(dialogs.SetScenario{Scenario: scenario}) }, nil)
}

// leavePage goes back from the variables to the workbench if there is a scenario, otherwise to the start page;
// from there it quits.
func (m *Model) leavePage() {
	switch p := m.page.(type) {
	case *pages.Variables:
		if p.Reopened {
			m.page = nil
			return
		}
		m.idle(m.openAnother)
	case *pages.Start:
		m.quit()
	default:
		m.openStart()
	}
}

// openAnother closes the session, which can be resumed later, and opens the start page.
func (m *Model) openAnother() {
	m.letGo("open another", func() {
		m.closeSession()
		if err := m.left.close(); err != nil {
			m.fail(err)
		}
		m.left = nil
		m.openStart()
	})
}

// closeSession closes the session and its lesson.
func (m *Model) closeSession() {
	m.stopJobs()
	if err := m.bench.close(); err != nil {
		m.fail(err)
	}
	m.endLesson()
	m.bench, m.lessonOpen = nil, false
}

// resumeWhole resumes a session; a damaged one only if the user agrees.
func (m *Model) resumeWhole(journal session.JournalInfo) {
	if journal.Damage != nil {
		m.offer(journal.Identity.Path, journal)
		return
	}
	m.resume(journal)
}

// resume resumes a session in the background: it reads the file and replays the steps.
func (m *Model) resume(info session.JournalInfo) {
	methods, memory, scratch := m.options.Methods, m.options.Memory, m.options.Scratch
	open := func(ctx context.Context, meter *progress.Meter) (*session.Session, error) {
		return session.Continue(ctx, info, methods, memory, scratch, meter)
	}
	m.startOpening("continuing "+session.Called(info.Identity.Path), open, func() {
		err := m.bench.doc.Halted()
		if errors.Is(err, session.ErrEarlier) {
			m.refresh()
			m.askToRepeat(err, m.bench.doc.PrepareWithCurrentMethods)

			return
		}
		if err != nil {
			m.fail(err)
		}
		if len(m.bench.scenario.Keys) == 0 {
			m.openVariables(true)
			return
		}
		m.refresh()
	}, m.asksPassword(info.Source, func(typed *session.Source) { m.resume(info.Reached(typed)) }))
}

// openVariables opens the Variables page; a reopened one leads back to the workbench.
func (m *Model) openVariables(reopened bool) {
	page := pages.NewVariables(m.bench.doc.Data(), m.bench.doc.Base(), *m.bench.scenario, m.options.Patterns, reopened)
	page.Undoable, page.Measures = m.bench.doc.CanUndo(), m.options.Measures
	if reopened {
		page.Onto(m.bench.selected.Variable)
	}
	m.page = page
}

// openFacts opens the Variables page at the description of the file.
func (m *Model) openFacts() {
	m.openVariables(true)
	if page, ok := m.page.(*pages.Variables); ok {
		page.ShowFacts()
	}
}
