package fileio

import (
	"cmp"
	"context"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

func (k statfileKind) write(ctx context.Context, w io.Writer, d *microdata.Dataset, f Format, o WriteOptions,
	meter *progress.Meter) (report *WriteReport, err error) {
	err = k.prepared(ctx, d, f, o, func(file *statfile.File, lacks func() []string) error {
		if o.Lacking != nil {
			if err := o.Lacking(lacks()); err != nil {
				return err
			}
		}
		report = &WriteReport{Records: file.Rows}
		return k.Format.(statfile.Writer).Write(ctx, w, file, file.Settings, meter)
	})
	if err != nil {
		return nil, err
	}
	return report, nil
}

// lacks returns sentences on what changes when a dataset is written to this type of file.
func (k statfileKind) lacks(ctx context.Context, d *microdata.Dataset, f Format, o WriteOptions) (said []string, err error) {
	err = k.prepared(ctx, d, f, o, func(_ *statfile.File, lacks func() []string) error {
		said = lacks()
		return nil
	})
	return said, err
}

// prepared calls use with the dataset in the form to be written, and with a function that returns sentences on
// what changes. The cells are in temporary files if those of the dataset are, and are released afterwards.
func (k statfileKind) prepared(ctx context.Context, d *microdata.Dataset, f Format, o WriteOptions,
	use func(file *statfile.File, lacks func() []string) error) (err error) {
	var scratch *store.Store
	if folder := d.Store().Folder(); folder != "" {
		if scratch, err = store.New(folder); err != nil {
			return err
		}
		defer func() { err = cmp.Or(err, scratch.Close()) }()
	}
	file, makers, err := k.fileOf(ctx, scratch, d, f, o)
	if err := cmp.Or(err, scratch.Err()); err != nil {
		return err
	}
	return use(file, func() []string {
		return append(notesOf(makers), k.Format.(statfile.Writer).Lacks(file, file.Settings)...)
	})
}

// fileOf converts a dataset to the form to be written, with its cells in a store. It also returns the makers of
// the variables.
func (k statfileKind) fileOf(ctx context.Context, scratch *store.Store, d *microdata.Dataset, f Format,
	o WriteOptions) (*statfile.File, []variableMaker, error) {
	kept := o.kept(d)
	if len(kept) == 0 {
		return nil, nil, errNothing()
	}
	file := &statfile.File{Rows: d.Len(), Total: d.Len(), Encoding: f.Options[optionEncoding],
		Variables: make([]statfile.Variable, len(kept)), Settings: statfile.Settings{}}
	maps.Copy(file.Settings, f.Options)
	if file.Weight = f.Options[optionWeight]; !o.DropMetadata {
		file.Label, file.Notes = f.Metadata.Label, f.Metadata.Notes
	}
	makers := make([]variableMaker, len(kept))
	err := parallel.Each(ctx, len(kept), func(i int) error {
		makers[i] = variableMaker{scratch: scratch, data: d, column: kept[i], spelling: d.Spelling(kept[i].Name()), labelled: k.Info().Labelled,
			merged: f.Options[optionMissing] == declaredCategory}
		file.Variables[i] = makers[i].variable()
		if name, renamed := f.Renamed[kept[i].Name()]; renamed {
			file.Variables[i].Name = cmp.Or(name, file.Variables[i].Name)
		}
		return nil
	})
	return file, makers, err
}

// notesOf returns sentences on what the conversion changes.
func notesOf(makers []variableMaker) []string {
	var lost statfile.Losses
	for i := range makers {
		name := makers[i].column.Name()
		switch makers[i].became {
		case becameNumbers:
			lost.Add("categories without a code in the file get new codes, with labels",
				name+" ("+firstCodes(makers[i].given)+")")
		case becameText:
			lost.Add("numeric variables are written as text, because their categories are no longer numbers", name)
		}
	}
	return lost.Sentences()
}

// firstCodes lists the first newly assigned codes of a variable.
func firstCodes(given []string) string {
	const most = 3
	if more := len(given) - most; more > 1 {
		given = append(given[:most:most], wording.Number(more)+" more")
	}
	return strings.Join(given, ", ")
}

// argusEnding is the extension of mu-Argus data files.
const argusEnding = ".asc"

// FormatFor returns the format for writing a file: that of the extension of path, or f, the format of reading, if
// the extension is unknown.
func FormatFor(path string, f Format) Format { return formats().formatFor(path, f) }

func (r registry) formatFor(path string, f Format) Format {
	path, _ = zipEnding(path)
	ending := strings.ToLower(filepath.Ext(path))
	if ending == "" {
		return f
	}
	for _, k := range r {
		if !slices.Contains(k.info().Endings, ending) {
			continue
		}
		out := formatOfKind(k)
		out.Metadata = f.Metadata
		same := f.Type == out.Type
		if same {
			out.Renamed = f.Renamed
		}
		for name, value := range f.Options {
			if same || value != "" && slices.Contains([]string{optionWeight, optionMissing}, name) {
				out.Options[name] = value
			}
		}
		out.Options[statfile.Ending] = ending
		return out
	}
	isText := f.Text()
	if !isText && ending == ".txt" ||
		(!isText || f.Type == Fixed) && slices.Contains([]string{".csv", ".tsv", ".tab"}, ending) {
		out := NewFormat()
		if ending == ".tsv" || ending == ".tab" {
			out.Delimiter = "\t"
		}
		return out.declaring(f)
	}
	if ending == argusEnding && !f.described() && f.Options[statfile.Ending] != argusEnding {
		out := NewFormat()
		out.Type, out.Header, out.LineEnding = Fixed, false, CRLF
		return out.declaring(f)
	}
	return f
}

// declaring returns the format with the treatment of declared missing values of read, the format of reading.
func (f Format) declaring(read Format) Format {
	if value := read.Options[optionMissing]; value != "" {
		f.setOption(optionMissing, value)
	}
	return f
}

// MetadataIn returns the part of the format's metadata that a file with this name can hold.
func MetadataIn(path string, f Format) Metadata {
	k, err := formats().writer(FormatFor(path, f))
	if err != nil {
		return Metadata{}
	}
	m, info := f.Metadata, k.info()
	if !info.FileLabel {
		m.Label = ""
	}
	if !info.Notes {
		m.Notes = nil
	}
	return m
}

// WrittenName splits a file name into the stem and the extension for writing its data: its own, including that of
// a compression, or, if its type cannot be written, that of the type that holds most of it.
func WrittenName(name string, f Format) (stem, ending string) {
	inner, zip := zipEnding(name)
	own := filepath.Ext(inner)
	for _, ending := range []string{own + zip, own,
		map[string]string{"por": ".sav", "sas7bdat": ".xpt", "ods": ".xlsx", "rds": ".rds"}[f.Type]} {
		if ending != "" && CheckName("written"+ending, f) == nil {
			return strings.TrimSuffix(inner, own), ending
		}
	}
	return strings.TrimSuffix(inner, own), ".csv"
}

// Lacks returns sentences on what a file with this name cannot hold of a dataset read in format f, and what is
// written instead; nil if it holds everything. Errors are those that Write returns before it writes.
func Lacks(ctx context.Context, path string, d *microdata.Dataset, f Format, o WriteOptions) ([]string, error) {
	written := FormatFor(path, f)
	k, err := formats().writer(written)
	if err != nil {
		return nil, err
	}
	return k.lacks(ctx, d, written, o)
}

// lacks returns sentences on what text files cannot hold.
func (text) lacks(_ context.Context, d *microdata.Dataset, f Format, o WriteOptions) ([]string, error) {
	if f.described() {
		return describedLacks(d, f, &o), nil
	}
	var lost statfile.Losses
	for _, column := range o.kept(d) {
		said := column.Described()
		lost.NoFormat(column.Name(), said.Format)
		tellJoined(&lost, d, column, f)
		if said.Content != "" {
			lost.Add("dates, times and logical values are written as text, without their type", column.Name())
		}
		if o.Codebook != "" { // a codebook holds it
			if said.MissingRange != nil {
				sentence := "a codebook cannot declare ranges of missing values"
				if column.StoredAsNumbers() == nil || cmp.Or(f.Options[optionMissing], declaredMissing) == declaredMissing {
					sentence += ", only the codes that occur"
				}
				lost.Add(sentence, column.Name())
			}
			continue
		}
		if len(said.Labels) > 0 || said.Label != "" {
			lost.Add("variable labels and value labels are omitted", column.Name())
		}
		if f.Type == "" && (len(said.Missing) > 0 || said.MissingRange != nil) || spellsMissing(d.Spelling(column.Name())) {
			lost.Add("declared missing values are written as codes, without the declaration that they are missing",
				column.Name())
		}
	}
	return lost.Sentences(), nil
}

// joinedCodes returns the declared missing codes of a text file that no longer name a category, because they were
// read as one.
func joinedCodes(d *microdata.Dataset, column *microdata.Column, f Format) (codes []string) {
	if f.Options[optionMissing] != declaredCategory || column.StoredAsNumbers() != nil {
		return nil
	}
	for _, spelling := range d.Spelling(column.Name()).Missing {
		if spelling.Text != "" && !occurs(column, spelling.Text) {
			codes = append(codes, spelling.Text)
		}
	}
	return codes
}

// occurs reports whether records have a category with this name.
func occurs(column *microdata.Column, name string) bool {
	if column.StoredAsNumbers() != nil {
		return false
	}
	categories := column.Categories()
	code, known := categories.CodeOf(name)
	return known && categories.Counts()[code] > 0
}

// categoriesOfMissing returns the categories that occur and are declared missing.
func categoriesOfMissing(column *microdata.Column) (names []string) {
	if column.StoredAsNumbers() != nil {
		return nil
	}
	categories, declared := column.Categories(), column.Description().DeclaredMissing()
	for i, level := range categories.Levels {
		if categories.Counts()[i+1] > 0 && declared(level.Label) {
			names = append(names, level.Label)
		}
	}
	return names
}

// tellJoined adds a note that codes are written as that of their common category.
func tellJoined(lost *statfile.Losses, d *microdata.Dataset, column *microdata.Column, f Format) {
	was := column.Source().Described()
	if joined := joinedCodes(d, column, f); len(joined) > 0 && occurs(column, missingCategory(&was)) {
		lost.Add("declared missing values that were read as one category get its code",
			column.Name()+" ("+firstCodes(joined)+" as "+missingCategory(&was)+")")
	}
}

// describedLacks returns sentences on what files with a mu-Argus description and code lists cannot hold.
func describedLacks(d *microdata.Dataset, f Format, o *WriteOptions) []string {
	var lost statfile.Losses
	for _, column := range o.kept(d) {
		name := column.Name()
		if _, described := f.field(name); described {
			continue
		}
		lost.NoFormat(name, column.Described().Format)
		if column.Described().Label != "" {
			lost.Add("variable labels are omitted, because descriptions of mu-Argus have none", name)
		}
		tellJoined(&lost, d, column, f)
		declared := f.missingOf(column)
		if become := f.Options[optionMissing]; become == declaredCategory || become == declaredApart {
			if slices.ContainsFunc(categoriesOfMissing(column),
				func(name string) bool { return !slices.Contains(declared, name) }) {
				lost.Add("a variable can have two missing-value codes; other codes become ordinary values", name)
			}
			continue
		}
		if slices.ContainsFunc(d.Spelling(name).Missing, func(m microdata.MissingSpelling) bool {
			return m.Text != "" && column.Source().Description() != nil && !slices.Contains(declared, m.Text)
		}) {
			lost.Add("a variable can have two missing-value codes; cells with other codes get the first of them", name)
		}
	}
	return lost.Sentences()
}

// spellsMissing reports whether any missing cell has a code.
func spellsMissing(s *microdata.Spelling) bool {
	return slices.ContainsFunc(s.Missing, func(m microdata.MissingSpelling) bool { return m.Text != "" })
}
