package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// ErrSource is wrapped where a journal belongs to other data than those given.
var ErrSource = errors.New("the file is not the one the session was made on")

// ending is how a journal's text ends.
type ending struct {
	whole int  // bytes of the lines that count
	open  bool // the last of them lacks its line end
}

// readJournal reads a journal up to its last whole line. A program that was
// ended while it wrote leaves a line cut off, which nobody has seen: it does
// not count. The script is never nil; an error is a *ScriptError.
func readJournal(text []byte, methods method.Catalog) (*Script, ending, error) {
	script := newScript(methods)
	defer func() { script.settle() }()
	end := ending{whole: bytes.LastIndexByte(text, '\n') + 1}
	if err := eachLine(bytes.NewReader(text[:end.whole]), script.read); err != nil {
		return script, end, err
	}
	if tail := text[end.whole:]; len(bytes.TrimSpace(tail)) > 0 {
		trial := *script
		trial.tree = script.tree.clone()
		if trial.read(tail) == nil {
			script, end = &trial, ending{len(text), true}
		}
	}
	if !script.opened {
		return script, end, &ScriptError{max(1, script.Lines), errNoHeader}
	}
	return script, end, nil
}

// Resume continues the session of the journal o.Journal on o.Data, the source
// file read anew as JournalInfo.Format says. The steps that stand are done
// again and checked by their hashes; steps ahead of the position are done when
// they are moved to. Where a step does not give what it gave, the steps before it
// stand: see Halted. Errors: ErrLocked, ErrSource, ErrScript.
func Resume(ctx context.Context, o Opening, meter *progress.Meter) (*Session, error) {
	s, err := newSession(o)
	if err != nil {
		return nil, err
	}
	s.journal = &journal{path: o.Journal}
	script, err := s.journal.resume(o.Methods)
	if err == nil {
		err = s.restore(ctx, script, meter)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", filepath.Base(o.Journal), err), s.journal.close())
	}
	return s, nil
}

// Continue is Resume for a journal whose source is where it was. methods are those
// of which steps are made; nil: all that there are.
func Continue(ctx context.Context, journalPath string, methods method.Catalog, meter *progress.Meter) (*Session, error) {
	info, err := ReadJournal(journalPath, methods)
	if err != nil {
		return nil, err
	}
	if info.Err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(journalPath), info.Err)
	}
	opening, err := info.Source.open(ctx, info.Format, meter)
	if err != nil {
		return nil, err
	}
	opening.Journal, opening.Methods = journalPath, methods
	return Resume(ctx, opening, meter)
}

// resume opens and locks an existing journal, reads it, and takes away a line
// that was cut off.
func (j *journal) resume(methods method.Catalog) (*Script, error) {
	file, err := os.OpenFile(j.path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, err
	}
	if err := j.take(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	script, end, err := readJournal(text, methods)
	if err != nil {
		return nil, err
	}
	if script.Source == nil {
		return nil, errors.New("the file is a script, not a journal; run it, or start a new session")
	}
	if script.scenarioLine == 0 {
		end.whole = 0 // cut off before anything was shown: both first lines are written anew
	}
	j.size = int64(end.whole)
	j.torn = end.whole < len(text)
	if err := j.cutBack(); err != nil {
		return nil, j.failure(err)
	}
	if end.open {
		return script, j.append([]byte("\n"))
	}
	return script, nil
}

// restore makes the session what the script of its journal says.
func (s *Session) restore(ctx context.Context, script *Script, meter *progress.Meter) error {
	if script.Source.Hash != s.opened.Source.Hash {
		return fmt.Errorf("%w: %s has other contents now, or was read in another way", ErrSource, filepath.Base(script.Source.Path))
	}
	if script.Format != nil {
		s.opened.Format = *script.Format
	}
	s.tree, s.measures = script.tree, script.measures
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

// halt moves the session to before a step that cannot be done as it was, and says so
// in the journal.
func (s *Session) halt(id int, reason error) error {
	line, was := s.lineOfMove(id), s.scenario
	s.stood = s.tree.at
	s.halted = fmt.Errorf("%w; only the steps before it stand: %d", reason, line.Position)
	s.tree.move(id)
	s.forget()
	if s.scenario = Fitted(was, s.Data()); s.scenario == was {
		return s.store(line)
	}
	s.tree.put(s.tree.scenarios.put("", s.scenario))
	return s.store(line, said(s.scenario, nil, now()))
}

// accept takes over what following a chain has made.
func (s *Session) accept(c chain) {
	for i := range c.steps {
		s.tree.nodes[c.nodes[i+1]].Step = c.steps[i]
	}
}
