package session

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// streamedExport reports what cannot be asked for where records are not held in memory.
func streamedExport(o ExportOptions) error {
	switch {
	case o.RandomOrder:
		return Unheld("records in random order; write them in the order of the file")
	case len(o.NewIdentifiers) > 0:
		return Unheld("new identifiers; leave their variables out")
	case o.Codebook != "":
		return Unheld("a codebook beside the protected file; leave it out")
	}
	return nil
}

// exportStreamed is Export for a source that is read in passes.
func (d *Document) exportStreamed(ctx context.Context, o ExportOptions, meter *progress.Meter) (*Exported, error) {
	if err := streamedExport(o); err != nil {
		return nil, err
	}
	s := fileio.Staging{Options: fileio.WriteOptions{Force: o.Force, Source: d.Source.File()}}
	defer s.Discard()
	done, err := d.release(ctx, o, &s, meter)
	if err != nil {
		return nil, err
	}
	return done, s.Place()
}

// release stages the protected file of a source that is read in passes.
func (d *Document) release(ctx context.Context, o ExportOptions, s *fileio.Staging, meter *progress.Meter) (*Exported,
	error) {
	passes := d.Source.(passing)
	if err := passes.writes(o.Path); err != nil {
		return nil, err
	}
	report, err := passes.release(ctx, d, o.Path, d.writing(o), s, meter)
	if err != nil {
		return nil, err
	}
	warnings := guardWarnings(report)
	if report.Warning != "" {
		warnings = append(warnings, report.Warning)
	}
	return &Exported{WriteReport: report, Dropped: d.dropped(), Warnings: warnings}, nil
}
