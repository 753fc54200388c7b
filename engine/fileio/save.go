package fileio

import (
	"context"
	"io"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// Write writes a dataset to a file; see WriteTo. The file appears when it is
// whole: it is written beside its place with mode 0600, synced and renamed. A
// file that exists is replaced only with Force, else the error wraps ErrExists;
// the source of the data is never replaced (ErrSource). A name that belongs to
// another kind of file is refused (ErrName). After an error there is
// no new file and the old one is untouched. The meter counts records.
func Write(ctx context.Context, path string, d *microdata.Dataset, f Format, o WriteOptions, meter *progress.Meter) (*WriteReport, error) {
	writer, err := writerOf(f)
	if err == nil {
		err = CheckName(path)
	}
	if err != nil {
		return nil, err
	}
	var report *WriteReport
	err = save(path, o, func(w io.Writer) (err error) {
		report, err = writer.write(ctx, w, d, f, o, meter)
		return err
	})
	if err != nil {
		return nil, err
	}
	return report, nil
}

// save stages and places a file.
func save(path string, o WriteOptions, write func(io.Writer) error) error {
	staged, err := Stage(path, o, write)
	if err != nil {
		return err
	}
	defer staged.Discard()
	return staged.Place()
}
