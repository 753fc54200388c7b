package statfile

import (
	"context"
	"io"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// WriteWhole writes a file as one piece.
func WriteWhole(ctx context.Context, w io.Writer, f *File, p Pieces, meter *progress.Meter) error {
	p.Look(f)
	if err := p.Start(w); err != nil {
		return err
	}
	if err := p.Write(ctx, w, f, meter); err != nil {
		return err
	}
	return p.End(ctx, w)
}
