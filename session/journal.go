package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Errors of journals.
var (
	ErrJournalExists = errors.New("there is a session in this file already")
	ErrLocked        = errors.New("the session is open in another program")
)

// journalFile is what a journal needs of its file.
type journalFile interface {
	io.Writer
	Sync() error
	Truncate(size int64) error
	Close() error
}

// journal appends lines to a file, each synced before the next.
type journal struct {
	path string
	file journalFile // nil until the first line
	size int64       // bytes of the whole lines
	torn bool        // something stands behind them that could not be taken back
}

// create makes the file, readable by its owner only, and locks it.
func (j *journal) create() error {
	if err := makeStateFolder(filepath.Dir(j.path)); err != nil {
		return err
	}
	file, err := os.OpenFile(j.path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	if err := j.take(file); err != nil {
		return errors.Join(err, file.Close())
	}
	if j.size > 0 {
		return errors.Join(fmt.Errorf("%w: %s", ErrJournalExists, j.path), j.close())
	}
	fileio.SyncFolder(filepath.Dir(j.path))
	return nil
}

// take locks an open file and makes it the journal's.
func (j *journal) take(file *os.File) error {
	// A list of sessions tries every lock for a moment: wait that long.
	err := lock(file)
	for tries := 0; errors.Is(err, ErrLocked) && tries < 5; tries++ {
		time.Sleep(20 * time.Millisecond)
		err = lock(file)
	}
	if err != nil {
		return err
	}
	if err := file.Chmod(0o600); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	j.file, j.size = file, info.Size()
	return nil
}

// append writes whole lines and syncs them. Where that fails, the file is cut
// back to what it was and the error wraps ErrNotStored.
func (j *journal) append(text []byte) error {
	if j.file == nil {
		if err := j.create(); err != nil {
			return j.failure(err)
		}
	}
	if err := j.cutBack(); err != nil {
		return j.failure(err)
	}
	_, err := j.file.Write(text)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		j.torn = true
		return j.failure(errors.Join(err, j.cutBack()))
	}
	j.size += int64(len(text))
	return nil
}

// cutBack removes what a failed write left behind the whole lines.
func (j *journal) cutBack() error {
	if !j.torn {
		return nil
	}
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	j.torn = false
	return nil
}

func (j *journal) failure(err error) error {
	if errors.Is(err, ErrLocked) || errors.Is(err, ErrJournalExists) {
		return err
	}
	return fmt.Errorf("%w: %w; make room, or name another file with --session", ErrNotStored, err)
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	err := j.file.Close() // this gives up the lock too
	j.file = nil
	return err
}

// store writes lines to the journal. The first time the lines that open a journal go
// before them; a scenario that is the first line says how the file is read, too.
func (s *Session) store(lines ...any) error {
	if s.journal == nil {
		return nil
	}
	if s.journal.size == 0 {
		opening := said(s.scenario, &s.opened.Format, nil)
		if first, ok := lines[0].(scenarioSaid); ok {
			opening.Scenario, opening.Name, lines = first.Scenario, first.Name, lines[1:]
		}
		lines = append([]any{headerLine{Format: formatName, Version: formatVersion, Started: now(), Source: &s.opened.Source}, opening}, lines...)
	}
	text, err := marshalLines(lines...)
	if err != nil {
		return err
	}
	return s.journal.append(text)
}

// marshalLines writes one line of JSON each.
func marshalLines(lines ...any) ([]byte, error) {
	var text []byte
	for _, line := range lines {
		one, err := marshal(line)
		if err != nil {
			return nil, err
		}
		if len(one) >= maxLine {
			return nil, errTooLong // it could not be read again
		}
		text = append(append(text, one...), '\n')
	}
	return text, nil
}

// marshal writes JSON on one line, with <, > and & as they are: labels are
// read by people too.
func marshal(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}
