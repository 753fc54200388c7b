package session

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
)

// ExportOptions are the options for writing the protected file.
type ExportOptions struct {
	Path           string
	Force          bool     // replace an existing file; the source file never is
	GuardFormulas  bool     // put an apostrophe before text that a spreadsheet would read as a formula
	RandomOrder    bool     // households in random order, with their members in random order
	Codebook       string   // path of a codebook for a text file; "": none
	NewIdentifiers []string // variables whose values are replaced by random IDs, equal values by the same
	Unfixed        bool     // the check does not search fixes that take long to find
	KeepNotes      bool     // keep notes, documents and the label of the dataset
}

// Protected reports whether a step was applied that changes values. A file without such a step is not called
// protected: random order and random IDs only hide which records were adjacent.
func (d Document) Protected() bool {
	return slices.ContainsFunc(d.Steps, func(step Step) bool {
		switch step.method.(type) {
		case *prepare.ShuffleRecords, *prepare.NewIdentifiers:
			return false
		}
		return true
	})
}

// DefaultName returns the default name of a file written from the document: that of the source or its table with a
// suffix such as "-report.html"; the suffix "" is for the protected file.
func (d Document) DefaultName(suffix string) string {
	stem, extension := d.Name, ".csv"
	if InDatabase(d.Source) {
		first, _, _ := strings.Cut(d.Name, ", ") // of several tables
		stem = wording.FileWord(first[strings.LastIndex(first, ".")+1:], "-")
	} else {
		stem, extension = fileio.WrittenName(filepath.Base(stem), d.Source.Format())
	}
	switch {
	case suffix != "":
		return stem + suffix
	case d.Source.Format().Count != "":
		return stem + "-protected.sql"
	case d.Protected():
		return stem + "-protected" + extension
	}
	return stem + "-copy" + extension
}

// ExportResult is the result of an export.
type ExportResult struct {
	*fileio.WriteReport
	Dropped  []string // variables that were left out
	Warnings []string
}

// Export writes the protected file: the data of the document without the variables that the scenario removes. The
// path can be the address of a new database table. The file, or the table, appears when it is complete. Random
// order and new IDs come from the system's secure source and are not stored.
func (d Document) Export(ctx context.Context, o ExportOptions, meter *progress.Meter) (*ExportResult, error) {
	s := fileio.Staging{Options: fileio.WriteOptions{Force: o.Force, Source: d.Source.File()}}
	defer s.Discard()
	done, err := d.stage(ctx, &s, o, nil, meter)
	if err == nil {
		err = s.Place()
	}
	if err != nil {
		return nil, err
	}
	return done, nil
}

// stage stages what Export writes; a table is created when the files get their names. sum, if not nil, receives
// the bytes of a file.
func (d *Document) stage(ctx context.Context, s *fileio.Staging, o ExportOptions, sum io.Writer,
	meter *progress.Meter) (*ExportResult, error) {
	data, err := d.randomOrder(o)
	if err != nil {
		return nil, err
	}
	done := &ExportResult{WriteReport: &fileio.WriteReport{Records: data.Records()}, Dropped: d.dropped()}
	switch {
	case database.Is(o.Path):
		s.Before(func() error { return d.createTable(ctx, o.Path, data, meter) })
	case IsScript(o.Path, d.Source.Format()):
		err = s.Add(o.Path, func(w io.Writer) error { return database.WriteScript(w, d.counted()) })
	default:
		writing := d.Writing(o)
		writing.Copy = sum
		if done.WriteReport, err = s.AddData(ctx, o.Path, data, d.Source.Format(), writing, meter); err == nil {
			done.Warnings = guardWarnings(done.WriteReport)
		}
	}
	return done, err
}

// Writing returns the options for writing a file with the data.
func (d *Document) Writing(o ExportOptions) fileio.WriteOptions {
	return fileio.WriteOptions{Drop: d.dropped(), DropMetadata: !o.KeepNotes, GuardFormulas: o.GuardFormulas, Codebook: o.Codebook,
		Source: d.Source.File()}
}

// Lacks returns in sentences what the file format cannot hold of the protected file, and what happens to it.
func (d Document) Lacks(ctx context.Context, o ExportOptions) ([]string, error) {
	if database.Is(o.Path) || IsScript(o.Path, d.Source.Format()) {
		return nil, nil
	}
	return fileio.Lacks(ctx, o.Path, d.Data, d.Source.Format(), d.Writing(o))
}

// Notes returns the texts about the dataset that a file with this name can contain: its label, notes and
// documents. Export writes them only with KeepNotes.
func (d Document) Notes(path string) []string {
	if database.Is(path) {
		return nil
	}
	return fileio.MetadataIn(path, d.Source.Format()).Texts()
}

// CodebookFits reports whether a codebook for a protected file with this name would have content.
func (d Document) CodebookFits(path string) bool {
	return fileio.CodebookFits(path, d.Data, d.Source.Format(), d.Writing(ExportOptions{}))
}

// guardWarnings returns warnings that names and cells were changed to guard against formulas.
func guardWarnings(report *fileio.WriteReport) (warnings []string) {
	for _, guarded := range []struct {
		count     int
		one, many string
	}{{report.Renamed, "name of a variable", "names of variables"}, {report.Guarded, "cell", "cells"}} {
		if guarded.count > 0 {
			them := "them for formulas"
			if guarded.count == 1 {
				them = "it for a formula"
			}
			warnings = append(warnings, wording.CountedAs(guarded.count, guarded.one, guarded.many)+
				" was prefixed with an apostrophe, because a spreadsheet would take "+them)
		}
	}
	return warnings
}

// dropped returns the removed variables in file order.
func (d *Document) dropped() []string {
	var names []string
	for _, column := range d.Data.Columns() {
		if slices.Contains(d.Scenario.Remove, column.Name()) {
			names = append(names, column.Name())
		}
	}
	return names
}

// released returns the data without the removed variables.
func (d *Document) released() *microdata.Dataset { return d.Data.Without(d.dropped()) }

// Companions returns the paths of the files that Export would write next to the protected file: the description
// and the code lists of some formats, and the codebook.
func (d Document) Companions(path, codebook string) ([]string, error) {
	companions, err := fileio.Companions(path, d.Data, d.Source.Format(), d.Writing(ExportOptions{Codebook: codebook}))
	paths := make([]string, len(companions))
	for i := range companions {
		paths[i] = companions[i].Path
	}
	return paths, err
}
