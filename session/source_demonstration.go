package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Maker makes the data of a name, the same every time.
type Maker func(ctx context.Context, name string, meter *progress.Meter) (Opening, error)

// demonstration is data that the program makes.
type demonstration struct {
	origin
	remake Maker // nil: they are there, and cannot be made again
}

// demonstrations is the kind of source whose address is a name in angle brackets.
func demonstrations(remake Maker) Kind {
	return func(identity Identity, format fileio.Format) Source {
		if !strings.HasPrefix(identity.Path, "<") || !strings.HasSuffix(identity.Path, ">") {
			return nil
		}
		return &demonstration{origin{identity, format}, remake}
	}
}

// NewDemonstration describes data of a name that the program made, and how they are
// spelled in files.
func NewDemonstration(name string, format fileio.Format) Source {
	return &demonstration{origin: origin{Identity{Path: "<" + name + ">"}, format}}
}

// Changed reports that what is made is always the same.
func (d *demonstration) Changed() bool { return false }

// File returns that the data are in no file.
func (d *demonstration) File() string { return "" }

// Open makes the data.
func (d *demonstration) Open(ctx context.Context, meter *progress.Meter) (Opening, error) {
	if d.remake == nil {
		return Opening{}, fmt.Errorf("%s is no file: open the demonstration", d.identity.Path)
	}
	return d.remake(ctx, strings.Trim(d.identity.Path, "<>"), meter)
}
