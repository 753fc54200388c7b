package session

import (
	"context"
	"io"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
)

// Replay does the steps of a script that stand on the data that a session would start
// from, and returns what they come to; no journal is kept. warn gets each warning.
func Replay(ctx context.Context, opening Opening, script *Script, warn func(string)) (Document, error) {
	opening.Volatile = true
	s, err := New(opening)
	if err != nil {
		return Document{}, err
	}
	if err := s.follow(ctx, script, warn); err != nil {
		return Document{}, err
	}
	d := s.Document()
	d.Measures = script.measures
	return d, nil
}

// WriteReport is ExportReport to a writer; of the path the ending counts.
func (d Document) WriteReport(ctx context.Context, w io.Writer, o ReportOptions, analyst *Analyst) error {
	page, err := d.report(ctx, o, analyst)
	if err != nil {
		return err
	}
	return report.FormOf(o.Path).Write(w, page)
}

// Perform does the steps of a script that stand on a file, as Run does, and writes nothing.
func Perform(ctx context.Context, o RunOptions) (Document, error) {
	script, err := o.script()
	if err != nil {
		return Document{}, err
	}
	d, _, err := o.perform(ctx, script)
	return d, err
}
