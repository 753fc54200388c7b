package muargus

import (
	"errors"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Errors of the files of mu-Argus. What is returned is a *Problem that wraps
// one of them.
var (
	ErrSyntax      = errors.New("syntax error")
	ErrRange       = errors.New("invalid range")
	ErrCodeLength  = errors.New("wrong code length")
	ErrEmpty       = errors.New("empty specification")
	ErrMissingCode = errors.New("a missing code is recoded")
	ErrDescription = errors.New("the description of the variables is not usable")
)

// Problem is an error at a place in one of the texts.
type Problem struct {
	Line     int // from 1; 0: the text as a whole
	Position int // character of the line, from 1; 0: the line as a whole
	Message  string
	Err      error // the sentinel
}

// Error returns "line 3, position 7: syntax error: a comma is missing".
func (p *Problem) Error() string {
	text := fmt.Sprintf("%v: %s", p.Err, p.Message)
	switch {
	case p.Line == 0:
		return text
	case p.Position == 0:
		return fmt.Sprintf("line %s: %s", wording.Number(p.Line), text)
	default:
		return fmt.Sprintf("line %s, position %s: %s", wording.Number(p.Line), wording.Number(p.Position), text)
	}
}

// Unwrap returns the sentinel.
func (p *Problem) Unwrap() error { return p.Err }

func problem(err error, line, position int, format string, args ...any) *Problem {
	return &Problem{Line: line, Position: position, Message: fmt.Sprintf(format, args...), Err: err}
}
