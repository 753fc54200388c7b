package fileio

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/dbase"
	"github.com/sdcdesk/sdcdesk/engine/files/parquet"
	"github.com/sdcdesk/sdcdesk/engine/files/rdata"
	"github.com/sdcdesk/sdcdesk/engine/files/sas"
	"github.com/sdcdesk/sdcdesk/engine/files/spreadsheet"
	"github.com/sdcdesk/sdcdesk/engine/files/spss"
	"github.com/sdcdesk/sdcdesk/engine/files/stata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// statfileKind is the type of a file of another program, read by package statfile.
type statfileKind struct{ statfile.Format }

var _ kind = statfileKind{}

// statfiles returns the formats of statistical packages, databases and spreadsheets, in the order in which they
// try to recognise a file.
func statfiles() []statfile.Format {
	return []statfile.Format{
		spss.System{},
		spss.Portable{},
		sas.Transport{},
		sas.DataFile{},
		stata.Format{},
		parquet.Format{},
		spreadsheet.Excel{},
		spreadsheet.OpenDocument{},
		spreadsheet.OldExcel{},
		dbase.Format{},
		rdata.Format{},
	}
}

// Names of options that apply to all formats.
const (
	optionMissing  = "missing"
	optionEncoding = "encoding"
	optionWeight   = "weight"
)

// Treatment of values that a file declares missing.
const (
	declaredMissing  = "missing"  // missing cells, the default
	declaredCategory = "category" // one category, with the first code that occurs
	declaredApart    = "apart"    // values like any others
)

func (k statfileKind) info() statfile.Info { return k.Info() }

// source returns the file for a format to read, still compressed if the format unpacks it.
func (k statfileKind) source(in *input) *statfile.Source {
	source := statfile.NewSource(in.name, in.content, in.size)
	if z, compressed := in.content.(*zipReader); compressed && k.Info().Packed {
		source = statfile.NewSource(in.name, z.file, z.size)
	}
	source.Scratch = in.scratch
	return source.Within(in.budget)
}

// formatOfKind returns a format of a file type without options.
func formatOfKind(k kind) Format {
	return Format{Type: k.info().Name, Header: true, Missing: []string{""}, Options: map[string]string{}}
}

func (k statfileKind) recognise(ctx context.Context, in *input, _ *progress.Meter) (Format, bool, error) {
	settings, known, err := k.Recognise(ctx, k.source(in))
	if !known || err != nil {
		return Format{}, false, err
	}
	f := formatOfKind(k)
	maps.Copy(f.Options, settings)
	if ending := k.Info().Catalogue; ending != "" {
		if _, found := sibling(in.path, ending); found {
			f.Options[optionCatalogue] = catalogueInFolder
		}
	}
	return f, true, nil
}

// options returns the options of all file types, followed by those of this type.
func (k statfileKind) options(f *Format) []Option {
	var all []statfile.Option
	info := k.Info()
	if info.Declares {
		all = append(all, statfile.Option{Setting: optionMissing, Name: "declared missing",
			Help: "How to read values that the file declares missing, such as \"refused\". As a category or as values they " +
				"count like all others, even in means, top coding and noise. Values that no step changes are written as they " +
				"were read.",
			Choices: statfile.Choices(declaredMissing, "are missing", declaredCategory, "are one category", declaredApart,
				"are separate values")})
	}
	if info.Encoded {
		all = append(all, statfile.Option{Setting: optionEncoding, Name: "encoding",
			Help: "Character encoding. Older files do not declare it.",
			Choices: append(statfile.Choices("", "as the file declares"),
				statfile.Plain("utf-8", "windows-1252", "iso-8859-1", "iso-8859-15", "windows-1250", "windows-1251", "windows-1253",
					"windows-1254", "ibm850", "ibm437", "shift_jis", "gbk", "big5", "euc-kr")...)})
	}
	if f.Options[optionCatalogue] != "" {
		all = append(all, statfile.Option{Setting: optionCatalogue, Name: "value labels",
			Help:    "Whether to take value labels from the catalogue with the same name as the file.",
			Choices: statfile.Choices(catalogueInFolder, "from the catalogue next to the file", catalogueNone, "none")})
	}
	if info.Options != nil {
		all = append(all, info.Options(f.Options)...)
	}
	slices.SortStableFunc(all, func(a, b statfile.Option) int {
		switch {
		case a.First == b.First:
			return 0
		case a.First:
			return -1
		}
		return 1
	})
	out := make([]Option, len(all))
	for i, o := range all {
		out[i] = Option{Name: o.Name, Help: o.Help, Choices: o.Choices,
			Set: func(value string) error { f.setOption(o.Setting, value); return nil },
			Get: func() string {
				if value, set := f.Options[o.Setting]; set || len(o.Choices) == 0 {
					return value
				}
				return o.Choices[0].Value
			}}
	}
	return out
}

// SetEncoding sets the encoding of a file: one of Encodings for text, any usual name for other types, or "" for
// the encoding that the file declares or suggests.
func (f *Format) SetEncoding(name string) {
	if !f.Text() {
		f.setOption(optionEncoding, name)
	} else {
		f.Encoding = name
	}
}

// setOption sets an option without modifying a map shared with other formats.
func (f *Format) setOption(name, value string) {
	changed := map[string]string{}
	maps.Copy(changed, f.Options)
	changed[name] = value
	f.Options = changed
}

// readOptions returns the options of the format for package statfile.
func (f *Format) readOptions() statfile.ReadOptions {
	o := statfile.ReadOptions{Encoding: f.Options[optionEncoding], Settings: f.Options, Compact: true}
	if len(f.Columns) > 0 {
		o.Columns = map[string]bool{}
		for _, name := range f.Columns {
			o.Columns[name] = true
			if spelled, renamed := f.Renamed[name]; renamed {
				o.Columns[spelled] = true
			}
		}
	}
	return o
}

func (k statfileKind) preview(ctx context.Context, in *input, f Format, records int) (*Table, error) {
	o := f.readOptions()
	o.Rows = max(records, kindRecords)
	file, err := k.labelled(ctx, in, f, o, nil)
	if err != nil {
		return nil, err
	}
	data, report, err := datasetOf(ctx, file, f)
	if err != nil {
		return nil, prefixed(in.name, err)
	}
	table := &Table{Rows: make([][]string, min(records, data.Len())), Warnings: report.Warnings}
	for _, column := range data.Columns() {
		table.Names, table.Kinds, table.said = append(table.Names, column.Name()), append(table.Kinds,
			column.Kind()), append(table.said, column.Description())
		for row := range table.Rows {
			table.Rows[row] = append(table.Rows[row], column.Text(row))
		}
	}
	return table, nil
}

func (k statfileKind) read(ctx context.Context, in *input, f Format,
	meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	file, err := k.labelled(ctx, in, f, f.readOptions(), meter)
	if err != nil {
		return nil, nil, err
	}
	data, report, err := datasetOf(ctx, file, f)
	if err != nil {
		return nil, nil, prefixed(in.name, err)
	}
	return data, report, nil
}

// datasetOf converts a file to a dataset, and returns the format that reproduces it. It releases the memory of the
// file's columns.
func datasetOf(ctx context.Context, file *statfile.File, f Format) (*microdata.Dataset, *ReadReport, error) {
	spelled := file.Names()
	if err := checkNames(spelled); err != nil {
		return nil, nil, err
	}
	names, warnings := uniqueNames(spelled)
	if err := f.wantedAmong(names); err != nil {
		return nil, nil, err
	}
	if len(names) == 0 {
		return nil, nil, failure(ErrEmpty, "the file has no variables")
	}
	var unkept statfile.Losses
	for i := range file.Variables {
		if slices.ContainsFunc(file.Variables[i].Labels,
			func(l statfile.ValueLabel) bool { return l.Value.IsText && l.Value.Text == "" }) {
			unkept.Add("labels of empty text values are omitted", spelled[i])
		}
	}
	apart := make([]bool, len(names))
	data, err := datasetMadeOf(ctx, f.Scratch, names, func(i int) (column *microdata.Column, s *microdata.Spelling, err error) {
		v := &file.Variables[i]
		m := statfileMaker{columnMaker: columnMaker{ctx: ctx, scratch: f.Scratch, name: names[i]}, variable: v,
			declared: cmp.Or(f.Options[optionMissing], declaredMissing)}
		if column, err = m.column(); v.Was != nil && err == nil {
			m.variable = v.Was
			column, err = m.later(column)
		}
		apart[i], v.Column, v.Was = m.apart, statfile.Column{}, nil
		return column, &m.spelling, err
	})
	if err != nil {
		return nil, nil, err
	}
	for i, column := range data.Columns() {
		if column.Source() != column {
			unkept.Add("variables already protected by another program are compared with their original values, which the file also "+
				"contains", spelled[i])
		}
		if apart[i] {
			unkept.Add("declared missing values stay separate numbers, because there are very many different ones", spelled[i])
		}
	}
	report := &ReadReport{Format: f.with(file), Warnings: slices.Concat(warnings, unkept.Sentences(), file.Warnings)}
	report.Format.Renamed = otherSpellings(names, spelled)
	if file.Truncated != "" {
		report.Warnings = append([]string{file.Truncated}, report.Warnings...)
	}
	return data, report, nil
}

// with returns the format with the metadata of the file.
func (f Format) with(file *statfile.File) Format {
	options := maps.Clone(f.Options)
	if options == nil {
		options = map[string]string{}
	}
	maps.Copy(options, file.Settings)
	for _, name := range []string{"label", "notes"} { // scripts of earlier versions contain this metadata
		delete(options, name)
	}
	if file.Weight != "" {
		options[optionWeight] = file.Weight
	}
	f.Options, f.Metadata = options, Metadata{file.Label, file.Notes}
	return f
}
