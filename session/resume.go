package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// ErrSource is wrapped if a journal belongs to other data than those given.
var ErrSource = errors.New("the file is not the one of the session")

// journalEnd is how a journal's text ends.
type journalEnd struct {
	whole  int     // bytes of the valid lines
	open   bool    // the last of them has no newline
	damage *Damage // nil: none
}

// Damage is a line of a journal that cannot be read. The lines before it can be resumed.
type Damage struct {
	Line int // counted from 1
	Err  error
	Lost int // number of steps in the lines after it
}

// damagedAt describes a journal with a line that cannot be read; rest begins with that line.
func damagedAt(line int, reason error, rest []byte) *Damage {
	d := &Damage{Line: line, Err: reason}
	_, later, _ := bytes.Cut(rest, []byte("\n"))
	for text := range bytes.Lines(later) {
		var made struct {
			Step  string            `json:"step"`
			Steps []json.RawMessage `json:"steps"`
		}
		if json.Unmarshal(text, &made) != nil {
			continue
		}
		if d.Lost += len(made.Steps); made.Step != "" {
			d.Lost++
		}
	}
	return d
}

// readJournal reads a journal up to its last whole line. An incomplete last line, left by a program that was
// killed while writing, was never shown and does not count. The script is never nil; an error is a *ScriptError.
// If the first line can be read, the valid part ends before the first line that cannot be read; a step of a newer
// program is an error instead.
func readJournal(text []byte, methods method.Catalog) (*Script, journalEnd, error) {
	script := newScript(methods)
	defer func() { script.finish() }()
	end, read := journalEnd{whole: bytes.LastIndexByte(text, '\n') + 1}, 0
	err := eachLine(bytes.NewReader(text[:end.whole]), func(line []byte) error {
		err := script.read(line)
		if err == nil {
			read += bytes.IndexByte(text[read:], '\n') + 1
		}
		return err
	})
	var damaged *ScriptError
	switch {
	case script.Source != nil && errors.As(err, &damaged) && !errors.Is(err, ErrNewer):
		return script, journalEnd{whole: read, damage: damagedAt(damaged.Line, damaged.Err, text[read:])}, nil
	case err != nil:
		return script, end, err
	}
	if tail := text[end.whole:]; len(bytes.TrimSpace(tail)) > 0 {
		trial := *script
		trial.tree = script.tree.clone()
		if trial.read(tail) == nil {
			script, end = &trial, journalEnd{whole: len(text), open: true}
		}
	}
	if !script.opened {
		return script, end, &ScriptError{max(1, script.Lines), errNoHeader}
	}
	return script, end, nil
}

// Resume resumes the session of the journal o.Journal on o.Data, the source file read again as JournalInfo.Format
// says. The applied steps are replayed and checked by their hashes; undone steps are replayed when they are
// redone. If a step gives another result, only the steps before it are applied: see Halted. Errors: ErrLocked,
// ErrSource, ErrScript. A damaged journal is resumed only with o.Repair.
func Resume(ctx context.Context, o Opening, meter *progress.Meter) (*Session, error) {
	s, err := newSession(o)
	if err != nil {
		return nil, err
	}
	s.journal = &journal{path: o.Journal}
	script, err := s.journal.resume(&o)
	if err == nil {
		err = s.restore(ctx, script, meter)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", filepath.Base(o.Journal), err), s.journal.close())
	}
	return s, nil
}

// Continue is Resume for a journal whose source has not moved. methods are the available methods; nil: all. memory
// is the number of bytes that reading a file may use; 0: the default. scratch stores the records; nil: they are in
// memory.
func Continue(ctx context.Context, journal JournalInfo, methods method.Catalog, memory int64, scratch *store.Store,
	meter *progress.Meter) (*Session, error) {
	opening, err := journal.Source.within(memory, scratch).Open(ctx, meter)
	if err != nil {
		return nil, err
	}
	opening.Journal, opening.Methods, opening.Repair = journal.Path, methods, journal.Damage != nil
	return Resume(ctx, opening, meter)
}

// resume opens and locks an existing journal, reads it, and removes an incomplete last line, or everything from a
// damaged line on.
func (j *journal) resume(o *Opening) (*Script, error) {
	file, err := os.OpenFile(j.path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	if _, err := j.take(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	script, end, err := readJournal(text, o.Methods)
	if err == nil && end.damage != nil {
		err = j.keepDamaged(text, end.damage, o.Repair)
	}
	if err != nil {
		return nil, err
	}
	if script.Source == nil {
		return nil, errors.New("the file is a script, not a journal; run it, or start a new session")
	}
	if script.scenarioLine == 0 {
		end.whole = 0 // killed before anything was shown: write the first two lines again
	}
	j.lines, j.torn = text[:end.whole:end.whole], end.whole < len(text)
	if err := j.cutBack(); err != nil {
		return nil, j.failure(err)
	}
	if end.open {
		return script, j.append([]byte("\n"))
	}
	return script, nil
}

// keepDamaged copies a damaged journal to a file next to it, before the unreadable part is removed.
func (j *journal) keepDamaged(text []byte, damage *Damage, repair bool) error {
	if !repair {
		return &ScriptError{damage.Line, damage.Err}
	}
	path := DamagedPath(j.path)
	for n := 2; ; n++ {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			path = fmt.Sprintf("%s-%d", DamagedPath(j.path), n)
			continue
		}
		if err != nil {
			return j.failure(err)
		}
		_, err = file.Write(text)
		if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
			return j.failure(errors.Join(err, os.Remove(path)))
		}
		return nil
	}
}

// DamagedPath returns the path of the copy of a damaged journal.
func DamagedPath(journal string) string { return journal + damagedEnding }

// restore restores the session from the script of its journal.
func (s *Session) restore(ctx context.Context, script *Script, meter *progress.Meter) error {
	if script.Source.Hash != s.identity.Hash {
		return fmt.Errorf("%w: %s has changed, or was read with other settings", ErrSource,
			Called(script.Source.Path))
	}
	s.state = script.state
	s.scenario = s.tree.scenarios.inForce()
	_, followed, err := s.chainTo(s.tree.at).follow(ctx, meter)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.accept(followed)
	if err != nil {
		return s.halt(followed.end(), err)
	}
	s.forget()
	return s.scenario.Check(s.Data())
}

// halt moves the session to before a step that cannot be replayed, and writes that to the journal.
func (s *Session) halt(id int, reason error) error {
	line, was := s.lineOfMove(id), s.scenario
	s.stood = s.tree.at
	s.halted = fmt.Errorf("%w; only the steps before it are applied: %d", reason, *line.Position)
	s.tree.move(id)
	s.forget()
	if s.scenario = Fitted(was, s.Data()); s.scenario == was {
		return s.store(line)
	}
	s.tree.setScenarios(s.tree.scenarios.put("", s.scenario))
	return s.store(line, said(s.scenario, nil, now()))
}

// accept takes over the data of a followed chain.
func (s *Session) accept(c chain) {
	for i := range c.steps {
		s.tree.nodes[c.nodes[i+1]].Step = c.steps[i]
		s.hold(c.nodes[i+1])
	}
}
