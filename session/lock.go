package session

import (
	"errors"
	"os"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// lock takes a file, such as a journal, for this program; ErrLocked: another has it. A file
// system that knows no locks is used without.
func lock(file *os.File) error {
	if errors.Is(fileio.Lock(file), fileio.ErrLocked) {
		return ErrLocked
	}
	return nil
}
