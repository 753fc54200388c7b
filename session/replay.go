package session

import (
	"context"
	"io"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
)

// Replay applies the steps of a script up to its position to the data of an opening, and returns the resulting
// document. No journal is kept. warn receives each warning.
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

// WriteReport is ExportReport to a writer; of the path only the extension matters.
func (d Document) WriteReport(ctx context.Context, w io.Writer, o ReportOptions, analyst *Analyst) error {
	page, err := d.report(ctx, o, analyst)
	if err != nil {
		return err
	}
	return report.FormOf(o.Path).Write(w, page)
}

// Perform applies the steps of a script to a file as Run does, and writes nothing.
func Perform(ctx context.Context, o RunOptions) (Document, error) {
	script, err := o.script()
	if err != nil {
		return Document{}, err
	}
	d, _, err := o.perform(ctx, script)
	return d, err
}
