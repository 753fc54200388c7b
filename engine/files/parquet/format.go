package parquet

import (
	"bytes"
	"context"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Format reads and writes Parquet.
type Format struct{ statfile.NoChoices }

// Name returns the name in scripts.
func (Format) Name() string { return "parquet" }

// Title returns the name on the screen.
func (Format) Title() string { return "Parquet" }

// Endings returns the endings of the names of such files.
func (Format) Endings() []string { return []string{".parquet"} }

// Encoded reports that texts are UTF-8 always.
func (Format) Encoded() bool { return false }

// Declares reports that no value is declared missing.
func (Format) Declares() bool { return false }

// Recognise reports whether a file starts as Parquet does.
func (Format) Recognise(_ context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	known := bytes.HasPrefix(in.Head(), []byte("PAR1")) || bytes.HasPrefix(in.Head(), []byte("PARE"))
	if !known {
		return nil, false, nil
	}
	return statfile.Settings{}, true, nil
}
