package cli

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
)

// formatFlags override the guessed format of a file.
type formatFlags struct {
	delimiter, decimal, encoding string
	missing, columns, choices    []string
	codebook, memory, count      string
	noHeader                     bool
	scratch                      *store.Store // store of --scratch; nil: none
}

func (f *formatFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.delimiter, "delimiter", "", "field delimiter: one character, or tab")
	flags.StringVar(&f.decimal, "decimal", "", "decimal mark: . or ,")
	flags.StringVar(&f.encoding, "encoding", "", "text encoding: "+strings.Join(fileio.Encodings(), ", "))
	flags.StringSliceVar(&f.missing, "missing", nil, "missing-value codes, such as NA,-9")
	flags.StringSliceVar(&f.columns, "columns", nil,
		"variables to read, such as region,sex,age (default: all)")
	flags.StringVar(&f.count, "count", "",
		"the file is a frequency table; this variable holds the number of records of each row")
	flags.StringVar(&f.codebook, "codebook", "",
		"file with labels and missing-value codes: CSV (variable, label, value, value_label, "+
			"missing) or DDI-Codebook XML; for a .sas7bdat file, its catalogue (.sas7bcat)")
	flags.StringArrayVar(&f.choices, "read", nil,
		"option of the Import page, such as "+
			"sheet=2 or \"declared missing=are one category\"")
	flags.StringVar(&f.memory, "max-memory", "",
		"memory limit, such as 500MB or 8GB (default: free memory; less for files with a suspiciously high compression ratio)")
	flags.Func("scratch",
		"for files larger than memory: keep the records in unnamed temporary files in this folder",
		func(folder string) (err error) {
			f.scratch, err = store.New(folder)
			return err
		})
	flags.BoolVar(&f.noHeader, "no-header", false, "the first line is a record, not variable names")
	completes(cmd, "encoding", fileio.Encodings()...)
}

// ofFiles returns an error if flags for the format of a file are used with a database table.
func (f *formatFlags) ofFiles(cmd *cobra.Command, file string) error {
	for _, name := range []string{"delimiter", "decimal", "encoding", "codebook", "no-header", "read", "count"} {
		if database.Is(file) && cmd.Flags().Changed(name) {
			return badUsage("--%s is only for files; database tables take --columns, --missing and --max-memory", name)
		}
	}
	return nil
}

// source returns the source of a file, read with the guessed format, or of a table.
func (f *formatFlags) source(ctx context.Context, cmd *cobra.Command, file string) (*session.Source, error) {
	change, err := f.override(cmd)
	if err == nil {
		err = cmp.Or(f.ofFiles(cmd, file), reachable(ctx, cmd, &file))
	}
	if err != nil {
		return nil, err
	}
	return session.SourceOf(ctx, file, nil, change)
}

// read reads a file or a table, and prints warnings.
func (f *formatFlags) read(ctx context.Context, cmd *cobra.Command, file string) (*microdata.Dataset, error) {
	source, err := f.source(ctx, cmd, file)
	if err != nil {
		return nil, err
	}
	opening, err := open(ctx, cmd, source)
	return opening.Data, err
}

// open reads the data of a source, and prints warnings.
func open(ctx context.Context, cmd *cobra.Command, source *session.Source) (opening session.Opening, err error) {
	if !session.InDatabase(source) {
		opening, err = source.Open(ctx, nil)
	} else {
		err = underway(cmd, "reading", func(meter *progress.Meter) (err error) {
			opening, err = source.Open(ctx, meter)
			return err
		})
	}
	warn(cmd, opening.Warnings...)
	return opening, err
}

// ofText are the flags for text files only.
var ofText = []string{"delimiter", "decimal", "missing", "codebook", "no-header"}

// override returns a function that applies the flags to a guessed format.
func (f *formatFlags) override(cmd *cobra.Command) (func(*fileio.Format) error, error) {
	trial := fileio.NewFormat()
	f.change(cmd, &trial)
	if err := trial.Validate(); err != nil {
		return nil, usageError{err}
	}
	memory, err := bytesOf(f.memory)
	if err != nil {
		return nil, badUsage("--max-memory %s: it must be a number of megabytes or gigabytes, such as 500MB or 8GB", f.memory)
	}
	return func(format *fileio.Format) error {
		for _, name := range ofText {
			if cmd.Flags().Changed(name) && !format.Text() && !(name == "codebook" && fileio.TakesCodebook(*format)) {
				return badUsage("--%s is only for text files, and this is a different kind: %s; "+
					"use --read NAME=VALUE", name, format)
			}
		}
		f.change(cmd, format)
		format.MostMemory, format.Scratch = memory, f.scratch
		for _, choice := range f.choices {
			if err := fileio.Choose(format, choice); err != nil {
				return usageError{err}
			}
		}
		return nil
	}, nil
}

// bytesOf parses a number of bytes such as "500MB" or "8 GB"; "" is 0.
func bytesOf(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	text = strings.ToUpper(strings.TrimSpace(text))
	digits, gigabytes := strings.CutSuffix(text, "GB")
	digits, megabytes := strings.CutSuffix(digits, "MB")
	number, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || gigabytes == megabytes || !(number > 0 && number < 1<<20) {
		return 0, fmt.Errorf("%q is not a size", text)
	}
	if gigabytes {
		number *= 1 << 10
	}
	return int64(number * (1 << 20)), nil
}

// forScript sets how the file of a script is read, and where warnings go. It adds missing passwords to the address
// of its file and to other addresses.
func (f *formatFlags) forScript(ctx context.Context, cmd *cobra.Command, o *session.RunOptions, others ...*string) (err error) {
	o.Warn = func(message string) { warn(cmd, message) }
	if o.Reading, err = f.override(cmd); err != nil {
		return err
	}
	if err = f.ofFiles(cmd, o.File); err != nil {
		return err
	}
	return reachable(ctx, cmd, append([]*string{&o.File}, others...)...)
}

// change applies the flags that set a single field of a format.
func (f *formatFlags) change(cmd *cobra.Command, format *fileio.Format) {
	given := cmd.Flags().Changed
	if f.delimiter == "tab" || f.delimiter == `\t` {
		f.delimiter = "\t"
	}
	if given("delimiter") {
		format.Delimiter = f.delimiter
	}
	if given("decimal") {
		format.Decimal = f.decimal
	}
	if given("encoding") {
		format.SetEncoding(f.encoding)
	}
	if given("missing") {
		format.Missing = append([]string{""}, f.missing...)
	}
	if given("codebook") {
		format.Codebook = f.codebook
	}
	if given("columns") {
		format.Columns = f.columns
	}
	if given("count") {
		format.Count = f.count
	}
	if given("no-header") {
		format.Header = !f.noHeader
	}
}
