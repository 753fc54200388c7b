package session

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// maxLine is the maximum length of a line that is read or written: lists of labels can be long, but not unlimited.
const maxLine = 64 << 20

// ErrScript is wrapped by every error of reading a script or journal.
var ErrScript = errors.New("script")

// ScriptError is an error at a line of a script or journal.
type ScriptError struct {
	Line int // counted from 1
	Err  error
}

// Error returns "line 4: unknown step ...".
func (e *ScriptError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns ErrScript and the cause.
func (e *ScriptError) Unwrap() []error { return []error{ErrScript, e.Err} }

// Script is the result of the lines of a script or journal: the steps in their order after all moves and changes.
// Steps[:Position] are applied, the others can be redone.
type Script struct {
	Source   *Identity      // of a journal; nil for a script
	sum      string         // hash of its text, if read from a file
	Format   *fileio.Format // how the file is read; nil: guessed
	Scenario microdata.Scenario
	Steps    []Step // without data
	Position int
	Lines    int // number of lines read

	state
	methods      method.Catalog
	opened       bool // the first line was read
	scenarioLine int  // line of the scenario; 0: none
}

// ReadScript reads a script or journal. Blank lines, lines that begin with # and a byte order mark are skipped. An
// unknown step, field or parameter is an error that names it and the line; all errors are *ScriptError. methods
// are the available methods; nil: all.
func ReadScript(r io.Reader, methods method.Catalog) (*Script, error) {
	script := newScript(methods)
	if err := eachLine(r, script.read); err != nil {
		return nil, err
	}
	if !script.opened {
		return nil, &ScriptError{max(1, script.Lines), errNoHeader}
	}
	script.finish()
	return script, nil
}

func newScript(methods method.Catalog) *Script {
	return &Script{methods: methods, state: state{tree: newTree()}}
}

// finish sets the result of the lines: the steps of the current branch.
func (s *Script) finish() {
	s.Steps, s.Position, s.Scenario = s.tree.steps(s.tree.branch()), s.tree.position(), *s.tree.scenarios.inForce()
}

var errTooLong = fmt.Errorf("the line is longer than %d MB", maxLine>>20)

var errNoHeader = fmt.Errorf(`a script begins with the line {"format":%q,"version":%d}`, formatName, formatVersion)

// eachLine calls f for each line without its end. An error is a *ScriptError.
func eachLine(r io.Reader, f func(text []byte) error) error {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxLine+1)
	number := 1
	for ; scanner.Scan(); number++ {
		text := scanner.Bytes()
		if number == 1 {
			text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		}
		if err := f(text); err != nil {
			return &ScriptError{number, err}
		}
	}
	err := scanner.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = errTooLong
	}
	if err != nil {
		return &ScriptError{number, err}
	}
	return nil
}

// read obeys one line.
func (s *Script) read(text []byte) error {
	s.Lines++
	trimmed := bytes.TrimSpace(text)
	if len(trimmed) == 0 || trimmed[0] == '#' {
		return nil
	}
	if !utf8.Valid(trimmed) {
		return errors.New("the line is not UTF-8 text")
	}
	fields, err := objectFields(trimmed)
	if err != nil {
		return fmt.Errorf("the line %w", err)
	}
	if !s.opened {
		return s.readHeader(fields)
	}
	return s.readLine(fields)
}

// readLine obeys a line after the first.
func (s *Script) readLine(fields []field) error {
	before := s.tree.scenarios
	err := s.obey(fields)
	if s.tree.scenarios != before {
		s.scenarioLine = s.Lines
	}
	return err
}

func (s *Script) obey(fields []field) error {
	for _, kind := range []struct {
		name, what string
		line       order
	}{{"step", "a step", &stepLine{script: s}}, {"scenario", "a scenario line", &scenarioLine{script: s}},
		{"file", "a scenario line", &scenarioLine{script: s}}, {"scenarios", "a change of the scenarios", &scenariosLine{}},
		{"move", "a move", &moveLine{}}, {"change", "a change", &changeLine{script: s}}, {"measure", "a measure", &measureLine{}},
		{"tried", "a step that was tried", &triedLine{}}, {"export", "the settings of exports", &exportLine{}},
		{"branch", "a branch", &branchLine{}}} {
		if has(fields, kind.name) {
			if err := decodeFields(kind.what, fields, kind.line); err != nil {
				return err
			}
			return kind.line.obey(&s.state)
		}
	}
	switch {
	case has(fields, "format"):
		return errors.New("the first line of a script is repeated here")
	case len(fields) == 0:
		return errors.New(`the line is empty; it needs "scenario" or "step"`)
	}
	return fmt.Errorf(`unknown field %q; a line has "scenario", "scenarios", "step", "move", "change", "branch" or "measure"`,
		wording.Excerpt(fields[0].name))
}

func has(fields []field, name string) bool {
	return slices.ContainsFunc(fields, func(f field) bool { return f.name == name })
}

func (s *Script) readHeader(fields []field) error {
	if !has(fields, "format") {
		return errNoHeader
	}
	var line headerLine
	if err := decodeFields("the first line", fields, &line); err != nil {
		return err
	}
	if line.Format != formatName {
		return fmt.Errorf("the format is %q; it must be %q", wording.Excerpt(line.Format), formatName)
	}
	if !has(fields, "version") {
		return fmt.Errorf(`the version of the format is missing: write {"format":%q,"version":%d}`, formatName, formatVersion)
	}
	if line.Version != formatVersion {
		return fmt.Errorf("version %d of the format is unknown; this program reads version %d", line.Version, formatVersion)
	}
	s.Source, s.opened = line.Source, true
	return nil
}
