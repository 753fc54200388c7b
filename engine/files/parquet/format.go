package parquet

import (
	"bytes"
	"context"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Format reads and writes Parquet files.
type Format struct{}

// Info describes the file type.
func (Format) Info() statfile.Info {
	return statfile.Info{Name: "parquet", Program: "a Parquet file", Endings: []string{".parquet"}}
}

// Recognise reports whether a file begins like a Parquet file.
func (Format) Recognise(_ context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	known := bytes.HasPrefix(in.Head(), []byte("PAR1")) || bytes.HasPrefix(in.Head(), []byte("PARE"))
	if !known {
		return nil, false, nil
	}
	return statfile.Settings{}, true, nil
}
