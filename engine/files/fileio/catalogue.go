package fileio

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// optionCatalogue specifies whether value labels come from the catalogue with the same name as the file. It is not
// set if there was no such catalogue when the format was guessed.
const (
	optionCatalogue   = "catalogue"
	catalogueInFolder = "beside"
	catalogueNone     = "none"
)

// catalogueEnding returns the extension of the catalogues of a format, files with the value labels of other files,
// or "" if it has none.
func catalogueEnding(f Format) string {
	k, err := formats().of(f)
	if err != nil {
		return ""
	}
	return k.info().Catalogue
}

// TakesCodebook reports whether Format.Codebook can name a file with labels for this format: a codebook of a text
// file, or a catalogue.
func TakesCodebook(f Format) bool { return takesCodebook(f) || catalogueEnding(f) != "" }

// codebookHelp returns the help for Format.Codebook.
func codebookHelp(f Format) string {
	if ending := catalogueEnding(f); ending != "" {
		return "Path of a catalogue (" + ending +
			") with the value labels, if its name differs from that of the data file. Empty: none."
	}
	return "Path of a file with variable labels, value labels and missing-value codes: CSV or DDI-Codebook XML. Empty: " +
		"none."
}

// labelled reads a file with the labels of its catalogue, if it has one. Errors in a catalogue that the user did
// not name are only warnings.
func (k statfileKind) labelled(ctx context.Context, in *input, f Format, o statfile.ReadOptions,
	meter *progress.Meter) (*statfile.File, error) {
	file, err := k.readParts(ctx, in, o, meter)
	catalogued, ok := k.Format.(statfile.CatalogFormat)
	if err != nil || !ok {
		return file, err
	}
	if f.Codebook != "" {
		return file, label(ctx, catalogued, f.Codebook, file, o)
	}
	if f.Options[optionCatalogue] != catalogueInFolder {
		return file, nil
	}
	path, found := sibling(in.path, k.Info().Catalogue)
	if !found {
		path = baseName(in.path) + k.Info().Catalogue
		file.Warnings = append(file.Warnings, fmt.Sprintf("the catalogue %s no longer exists; values have no labels", path))
		return file, nil
	}
	if err := label(ctx, catalogued, path, file, o); err != nil {
		file.Warnings = append(file.Warnings, fmt.Sprintf("values have no labels: %v", err))
	}
	return file, ctx.Err()
}

// label gives the variables of a file the labels of a catalogue.
func label(ctx context.Context, kind statfile.CatalogFormat, path string, file *statfile.File, o statfile.ReadOptions) error {
	catalogue, size, err := openOrdinary(path)
	if err != nil {
		return err
	}
	defer catalogue.Close()
	return kind.Label(ctx, statfile.NewSource(filepath.Base(path), contextReader{catalogue, ctx}, size), file, o)
}
