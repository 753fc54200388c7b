package muargus

import (
	"errors"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// Errors of the files of mu-Argus. What is returned wraps one of them and says
// where: "line 3, position 7: syntax error: a comma is missing".
var (
	ErrSyntax      = errors.New("syntax error")
	ErrRange       = errors.New("invalid range")
	ErrCodeLength  = errors.New("wrong code length")
	ErrEmpty       = errors.New("empty specification")
	ErrMissingCode = errors.New("a missing code is recoded")
	ErrDescription = errors.New("the description of the variables is not usable")
)

// problem returns an error at a character of a line of one of the texts, from 1;
// without a position it is the line as a whole, without a line the text.
func problem(err error, line, position int, format string, args ...any) error {
	place := ""
	if line > 0 {
		place = "line " + wording.Number(line)
	}
	if position > 0 {
		place += ", position " + wording.Number(position)
	}
	if place != "" {
		place += ": "
	}
	return fmt.Errorf("%s%w: %s", place, err, fmt.Sprintf(format, args...))
}
