package session

import (
	"errors"
	"os"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// lock locks a file, such as a journal. It returns ErrLocked if another program has the lock. File systems without
// locks are used without one.
func lock(file *os.File) error {
	if errors.Is(fileio.Lock(file), fileio.ErrLocked) {
		return ErrLocked
	}
	return nil
}
