package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Errors of journals.
var (
	ErrJournalExists = errors.New("this file already contains a session")
	ErrLocked        = errors.New("the session is open in another program")
)

// journalFile is the part of os.File that a journal uses.
type journalFile interface {
	io.Writer
	Stat() (os.FileInfo, error)
	Sync() error
	Truncate(size int64) error
	Close() error
}

// journal appends lines to a file, each synced before the next.
type journal struct {
	path  string
	file  journalFile // nil until the first line
	lines []byte      // its complete lines
	torn  bool        // a failed write after them could not be removed
}

// create creates the file, readable by its owner only, and locks it.
func (j *journal) create() error {
	if err := makeStateFolder(filepath.Dir(j.path)); err != nil {
		return err
	}
	file, err := os.OpenFile(j.path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	size, err := j.take(file)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	if size > 0 {
		return errors.Join(fmt.Errorf("%w: %s", ErrJournalExists, j.path), j.close())
	}
	fileio.SyncFolder(filepath.Dir(j.path))
	return nil
}

// take locks an open file, makes it that of the journal, and returns its size.
func (j *journal) take(file *os.File) (int64, error) {
	// A list of sessions tries every lock for a moment: wait that long.
	err := lock(file)
	for tries := 0; errors.Is(err, ErrLocked) && tries < 5; tries++ {
		time.Sleep(20 * time.Millisecond)
		err = lock(file)
	}
	if err != nil {
		return 0, err
	}
	if err := file.Chmod(0o600); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	j.file = file
	return info.Size(), nil
}

// append writes whole lines and syncs them. After an error, which wraps ErrNotStored, the file is truncated to its
// former size.
func (j *journal) append(text []byte) error {
	if err := j.present(); err != nil {
		return j.failure(err)
	}
	if err := j.cutBack(); err != nil {
		return j.failure(err)
	}
	if err := j.write(text); err != nil {
		j.torn = true
		return j.failure(errors.Join(err, j.cutBack()))
	}
	return nil
}

// write appends lines and syncs them.
func (j *journal) write(text []byte) error {
	_, err := j.file.Write(text)
	if err == nil {
		err = j.file.Sync()
	}
	if err == nil {
		j.lines = append(j.lines, text...)
	}
	return err
}

// present ensures that the path leads to the file being written. If the file was deleted while it was open, it is
// written again; another file in its place is not touched.
func (j *journal) present() error {
	if j.file == nil {
		return j.create()
	}
	open, err := j.file.Stat()
	if err != nil {
		return err
	}
	there, err := os.Stat(j.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return j.restore()
	case err != nil:
		return err
	case !os.SameFile(open, there):
		return fmt.Errorf("%w: another file replaced %s; move it away, then try again", ErrNotStored,
			j.path)
	case there.Size() < int64(len(j.lines)):
		return fmt.Errorf("%w: another program truncated %s; move it away, then try again", ErrNotStored, j.path)
	}
	return nil
}

// restore writes the lines of a deleted file to a new one.
func (j *journal) restore() error {
	repeated := &journal{path: j.path}
	if err := repeated.create(); err != nil {
		return err
	}
	if err := repeated.write(j.lines); err != nil {
		return errors.Join(err, repeated.close(), os.Remove(j.path))
	}
	_ = j.close() // no path leads to it any more
	*j = *repeated
	return nil
}

// cutBack removes the rest of a failed write.
func (j *journal) cutBack() error {
	if !j.torn {
		return nil
	}
	if err := j.file.Truncate(int64(len(j.lines))); err != nil {
		return err
	}
	j.torn = false
	return nil
}

func (j *journal) failure(err error) error {
	if errors.Is(err, ErrLocked) || errors.Is(err, ErrJournalExists) || errors.Is(err, ErrNotStored) {
		return err
	}
	return fmt.Errorf("%w: %w; free some space, or give another file with --session", ErrNotStored, err)
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	err := j.file.Close() // this also releases the lock
	j.file = nil
	return err
}

// store writes lines to the journal. The first time it writes the opening lines before them; a scenario as the
// first line is combined with the file format.
func (s *Session) store(lines ...any) error {
	if s.journal == nil {
		return nil
	}
	if len(s.journal.lines) == 0 {
		format := s.opened.Source.Format()
		opening := said(s.scenario, &format, nil)
		if first, ok := lines[0].(scenarioOutput); ok {
			opening.Scenario, opening.Name, lines = first.Scenario, first.Name, lines[1:]
		}
		lines = append([]any{headerLine{Format: formatName, Version: formatVersion, Started: now(), Source: &s.identity},
			opening}, lines...)
	}
	text, err := marshalLines(lines...)
	if err != nil {
		return err
	}
	return s.journal.append(text)
}

// marshalLines writes values as lines of JSON.
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

// marshal writes JSON on one line and does not escape <, > and &, because people read labels too.
func marshal(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}
