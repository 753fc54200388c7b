package parquet

import (
	"bytes"
	"context"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Format reads and writes Parquet.
type Format struct{}

// Info describes the kind of file.
func (Format) Info() statfile.Info {
	return statfile.Info{Name: "parquet", Program: "a Parquet file", Endings: []string{".parquet"}}
}

// Recognise reports whether a file starts as Parquet does.
func (Format) Recognise(_ context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	known := bytes.HasPrefix(in.Head(), []byte("PAR1")) || bytes.HasPrefix(in.Head(), []byte("PARE"))
	if !known {
		return nil, false, nil
	}
	return statfile.Settings{}, true, nil
}
