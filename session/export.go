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

// ExportOptions says how the protected file is written.
type ExportOptions struct {
	Path           string
	Force          bool     // replace a file that exists; the source file never is
	GuardFormulas  bool     // put an apostrophe before text that a spreadsheet would take for a formula
	RandomOrder    bool     // households in random order, and their members within
	Codebook       string   // path of a codebook to write beside a text file; "": none
	NewIdentifiers []string // variables whose values become random numbers, equal ones the same
	Unfixed        bool     // the check looks for no fixes that take long to find
	KeepNotes      bool     // keep notes, documents and the label of the data set
}

// Protected reports whether a step was made that changes values. A file without such a step is
// not called protected: another order and random IDs hide who is next to whom, and nothing else.
func (d Document) Protected() bool {
	return slices.ContainsFunc(d.Steps, func(step Step) bool {
		switch step.method.(type) {
		case *prepare.ShuffleRecords, *prepare.NewIdentifiers:
			return false
		}
		return true
	})
}

// DefaultName returns the name of a file that is written from the document: that of the source or its
// table, with a suffix such as "-report.html"; "": that of the protected file.
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

// Exported tells what was written.
type Exported struct {
	*fileio.WriteReport
	Dropped  []string // variables that were left out
	Warnings []string
}

// Export writes the protected file: the data of the document without the
// variables the scenario removes. The path can be the address of a table that is not there
// yet. The file, or the table, appears when it is whole. Random
// order and new identifiers come from the system's secure source and are kept
// nowhere.
func (d Document) Export(ctx context.Context, o ExportOptions, meter *progress.Meter) (*Exported, error) {
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

// stage stages what Export writes; a table is made when the files get their names. sum gets the
// bytes of a file; nil: nobody does.
func (d *Document) stage(ctx context.Context, s *fileio.Staging, o ExportOptions, sum io.Writer,
	meter *progress.Meter) (*Exported, error) {
	data, err := d.randomOrder(o)
	if err != nil {
		return nil, err
	}
	done := &Exported{WriteReport: &fileio.WriteReport{Records: data.Records()}, Dropped: d.dropped()}
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

// Writing says how a file with the data is written.
func (d *Document) Writing(o ExportOptions) fileio.WriteOptions {
	return fileio.WriteOptions{Drop: d.dropped(), DropMetadata: !o.KeepNotes, GuardFormulas: o.GuardFormulas, Codebook: o.Codebook,
		Source: d.Source.File()}
}

// Lacks says in sentences what of the protected file that Export would write with the options
// the file cannot hold, and what becomes of it.
func (d Document) Lacks(ctx context.Context, o ExportOptions) ([]string, error) {
	if database.Is(o.Path) || IsScript(o.Path, d.Source.Format()) {
		return nil, nil
	}
	return fileio.Lacks(ctx, o.Path, d.Data, d.Source.Format(), d.Writing(o))
}

// Notes returns the texts about the data set that a file of the name can have: its label, notes
// and documents. Export writes them only with KeepNotes.
func (d Document) Notes(path string) []string {
	if database.Is(path) {
		return nil
	}
	return fileio.MetadataIn(path, d.Source.Format()).Texts()
}

// CodebookFits reports whether there is something to say in a codebook beside a
// protected file of the name.
func (d Document) CodebookFits(path string) bool {
	return fileio.CodebookFits(path, d.Data, d.Source.Format(), d.Writing(ExportOptions{}))
}

// guardWarnings says that names and cells are not as they were.
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

// Companions returns the paths of the files that Export would write beside the
// protected file: the description and the code lists of some formats, and a codebook
// where one is named.
func (d Document) Companions(path, codebook string) ([]string, error) {
	companions, err := fileio.Companions(path, d.Data, d.Source.Format(), d.Writing(ExportOptions{Codebook: codebook}))
	paths := make([]string, len(companions))
	for i := range companions {
		paths[i] = companions[i].Path
	}
	return paths, err
}
