package fileio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// kind is a type of file. A new one is a file or a package with an implementation and a line in formats; its
// options define everything that can be chosen about reading it.
type kind interface {
	info() statfile.Info // its name is the value of Format.Type

	// recognise returns the format that a file of this type suggests; ok is false for files of other types.
	recognise(ctx context.Context, in *input, meter *progress.Meter) (f Format, ok bool, err error)
	// options returns the options of a format, bound to it.
	options(f *Format) []Option
	// preview reads about the given number of records from the start.
	preview(ctx context.Context, in *input, f Format, records int) (*Table, error)
	read(ctx context.Context, in *input, f Format, meter *progress.Meter) (*microdata.Dataset, *ReadReport, error)
	// size returns the maximum bytes of memory for reading, and the size of the file in words; need is 0 if
	// unknown.
	size(ctx context.Context, in *input, f Format) (need int64, what string)
	// lacks returns sentences on what the file cannot hold of a dataset. It and write are called only for text and
	// for types with extensions.
	lacks(ctx context.Context, d *microdata.Dataset, f Format, o WriteOptions) ([]string, error)
	write(ctx context.Context, w io.Writer, d *microdata.Dataset, f Format, o WriteOptions,
		meter *progress.Meter) (*WriteReport, error)
}

// Option is an option of reading a file. Its initial value is guessed or a default.
type Option struct {
	Name    string   // on the command line
	Label   string   // on the screen; "": the name
	Help    string   // one or two sentences
	Choices []Choice // possible values; nil for any text
	Get     func() string
	Set     func(value string) error // nil if read-only
	Picked  *[]string                // the list of variables that the option sets; nil for other options
}

// Choice is a value of an option.
type Choice = statfile.Choice

// Options returns the options of a format, bound to it, or nil for an unknown type of file.
func Options(f *Format) []Option {
	k, err := formats().of(*f)
	if err != nil {
		return nil
	}
	options := append(k.options(f),
		Option{Name: "variables", Help: "Variables to read, separated by commas. Empty: all variables.",
			Picked: &f.Columns,
			Get: func() string {
				return wording.Joined(f.Columns, ", ", func(name string) string { return notation.Quote(name, ",") })
			},
			Set: func(text string) error {
				rows, ok := notation.Rows(text, ',', '\n')
				if !ok {
					return failure(ErrFormat, "a double quote is not closed")
				}
				f.Columns = slices.DeleteFunc(slices.Concat(rows...), func(name string) bool { return name == "" })
				return nil
			}})
	options = append(options, Option{Name: "count", Label: "count variable",
		Help: "For a frequency table, the variable with the number of records of each row. Empty: each row is one record.",
		Get:  func() string { return f.Count },
		Set:  func(name string) error { f.Count = strings.TrimSpace(name); return nil }})
	if TakesCodebook(*f) {
		options = append(options,
			Option{Name: "codebook", Help: codebookHelp(*f),
				Get: func() string { return f.Codebook },
				Set: func(path string) error { f.Codebook = strings.TrimSpace(path); return nil }})
	}
	return options
}

// Choose sets an option from "NAME=VALUE", where VALUE is a value or its name. Errors wrap ErrFormat.
func Choose(f *Format, choice string) error {
	name, value, _ := strings.Cut(choice, "=")
	options := slices.DeleteFunc(Options(f), func(o Option) bool { return o.Set == nil })
	at := slices.IndexFunc(options, func(o Option) bool { return strings.EqualFold(o.Name, strings.TrimSpace(name)) })
	if at < 0 {
		return failure(ErrFormat, "unknown option %s; the options of this file are %s", quotedName(name),
			wording.Joined(options, ", ", func(o Option) string { return o.Name }))
	}
	choices := options[at].Choices
	if len(choices) == 0 {
		return options[at].Set(value)
	}
	for _, c := range choices {
		if value = strings.TrimSpace(value); strings.EqualFold(c.Value, value) || strings.EqualFold(c.Name, value) {
			return options[at].Set(c.Value)
		}
	}
	return failure(ErrFormat, "%s is not a value of %q; its values are: %s", quotedName(value), options[at].Name,
		wording.Joined(choices, ", ", func(c Choice) string { return c.Name }))
}

// registry lists the file types in the order in which they try to recognise a file.
type registry []kind

// formats returns all file types. Delimited text is last, because it accepts anything that is not recognised as
// something else.
func formats() registry {
	var kinds registry
	for _, format := range statfiles() {
		kinds = append(kinds, statfileKind{format})
	}
	return append(kinds, text(Fixed), text(Free), text(delimitedText))
}

// of returns the file type of a format, text if it names none; the error wraps ErrFormat.
func (r registry) of(f Format) (kind, error) {
	for _, k := range r {
		if cmp.Or(f.Type, delimitedText) == k.info().Name {
			return k, nil
		}
	}
	return nil, failure(ErrFormat, "unknown file type %s; omit the type for text", quotedName(f.Type))
}

// recognise returns the format that a file suggests. The error wraps ErrNotText if no type recognises it.
func (r registry) recognise(ctx context.Context, in *input, meter *progress.Meter) (Format, error) {
	if err := in.check(); err != nil {
		return Format{}, err
	}
	ctx, done := in.within(ctx, &Format{})
	defer done()
	for _, k := range r {
		if !in.takenBy(k) {
			continue
		}
		f, ok, err := k.recognise(ctx, in, meter)
		if err = cmp.Or(context.Cause(ctx), err); ok || err != nil {
			return f, err
		}
	}
	return Format{}, in.notText()
}

// reader returns the type of a file that is not empty; errors wrap ErrFormat, ErrEmpty, or ErrNotText if the file
// is compressed and the type is not text.
func (r registry) reader(in *input, f Format) (kind, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	k, err := r.of(f)
	if err == nil && !in.takenBy(k) {
		return nil, in.notText()
	}
	return k, err
}

func (r registry) preview(ctx context.Context, in *input, f Format, records int) (*Table, error) {
	k, err := r.reader(in, f)
	if err != nil {
		return nil, err
	}
	ctx, done := in.within(ctx, &f)
	defer done()
	all := f
	all.Columns = nil
	table, err := k.preview(ctx, in, all, records)
	if err != nil && len(f.Columns) > 0 && ctx.Err() == nil { // the error may be in a variable that was not selected
		table, err = k.preview(ctx, in, f, records)
	}
	if err = cmp.Or(context.Cause(ctx), err); err != nil {
		return nil, err
	}
	if err := f.wantedAmong(table.Names); err != nil {
		return nil, prefixed(in.name, err)
	}
	return table.kept(&f), nil
}

func (r registry) read(ctx context.Context, in *input, f Format,
	meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	k, err := r.reader(in, f)
	if err != nil {
		return nil, nil, err
	}
	if f.Scratch == nil && f.MostMemory <= 0 { // otherwise the actual use of memory is limited
		if err := roomFor(ctx, k, in, f); err != nil {
			return nil, nil, err
		}
	}
	data, report, err := in.read(ctx, k, f, meter)
	if errors.Is(err, ErrMemory) && f.MostMemory > 0 {
		if need, what := needed(context.WithoutCancel(ctx), k, in, f); need > f.MostMemory {
			err = fmt.Errorf("%w; the file %s", err, what)
		}
	}
	return data, report, err
}

// read reads a file of a type within the memory limit of the format.
func (in *input) read(ctx context.Context, k kind, f Format, meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	ctx, done := in.within(ctx, &f)
	defer done()
	data, report, err := k.read(ctx, in, f, meter)
	if err == nil {
		err = f.Scratch.Err()
	}
	if err == nil {
		data, err = f.counted(data)
	}
	if ctx.Err() != nil { // cancellation can look like the end of the file
		return nil, nil, context.Cause(ctx)
	}
	return data, report, err
}

// writer returns the file type of a format that can be written; the error wraps ErrFormat.
func (r registry) writer(f Format) (kind, error) {
	if k, err := r.of(f); err == nil && (f.Text() || k.info().Endings != nil) {
		return k, nil
	}
	return nil, failure(ErrFormat, "files of type %s cannot be written; omit the type to write text",
		quotedName(f.Type))
}
