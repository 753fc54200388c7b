package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
)

const convertHelp = `Converts IN to the format that the extension of OUT names, with variable labels, value
labels, missing-value codes and dates. Codes do not change. sdcdesk first lists what OUT
cannot hold. For mu-Argus (.asc), it also writes a metadata file (.rda) and code lists next
to OUT.

IN and OUT can be database tables, such as 'postgres://host/db?table=person'; the table OUT
must not exist.

sdcdesk never changes IN. Converting does not protect the data.`

// writeCodebookHelp is the help of this option for all commands that write data.
const writeCodebookHelp = "for a text file, write labels and missing-value codes to this file: " +
	"DDI-Codebook if its extension is .xml, otherwise CSV"

// conversion has the options of converting data.
type conversion struct {
	in, out       string
	codebook      string // path to write to
	force, strict bool
	format        formatFlags
}

// newConvertCommand returns "sdcdesk convert", which writes data and labels in another format.
func newConvertCommand() *cobra.Command {
	var c conversion
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert a data file to another format, with its labels",
		Long:  convertHelp,
		Example: "  sdcdesk convert survey.sav survey.dta\n  sdcdesk convert survey.sav survey.csv.zst --strict\n" +
			"  sdcdesk convert 'sqlite:survey.db?table=person' person.parquet",
		Args: takes(2, 2, "a file to read and one to write"),
		RunE: interruptible(nothingWritten, &c.format, func(ctx context.Context, cmd *cobra.Command, args []string) error {
			c.in, c.out = args[0], args[1]
			return c.run(ctx, cmd)
		}),
	}
	cmd.Flags().BoolVar(&c.force, "force", false, "replace OUT if it exists")
	cmd.Flags().BoolVar(&c.strict, "strict", false,
		"write nothing if reading IN changes a value or OUT cannot hold everything")
	cmd.Flags().StringVar(&c.codebook, "write-codebook", "", writeCodebookHelp)
	c.format.add(cmd)
	return cmd
}

func (c *conversion) run(ctx context.Context, cmd *cobra.Command) error {
	if c.out == "" || c.out == "-" {
		return badUsage("name the output file; its extension selects the format")
	}
	source, err := c.format.source(ctx, cmd, c.in)
	if err != nil {
		return err
	}
	options := fileio.WriteOptions{Force: c.force, Source: source.File(), Codebook: c.codebook}
	if err := c.writable(ctx, cmd, source.Format(), options); err != nil {
		return err
	}
	opening, err := open(ctx, cmd, source)
	if err != nil {
		return err
	}
	if c.strict && len(opening.Warnings) > 0 {
		return fmt.Errorf("reading %s changed values; nothing was written", session.Called(c.in))
	}
	if database.Is(c.out) {
		return c.createTable(ctx, cmd, opening)
	}
	return c.write(ctx, cmd, opening.Data, opening.Source.Format(), options)
}

// writable returns an error, before anything is read, if the output cannot be written.
func (c *conversion) writable(ctx context.Context, cmd *cobra.Command, format fileio.Format, o fileio.WriteOptions) error {
	if !database.Is(c.out) {
		if ending := fileio.UnusualEnding(c.out, format); ending != "" {
			return badUsage("%s is not the extension of a format that can be written: use %s", wording.Excerpt(ending), fileio.WrittenEndings())
		}
		return cmp.Or(fileio.CheckName(c.out, format), fileio.Writable(c.out, o))
	}
	if c.codebook != "" {
		return badUsage("--write-codebook needs an output file, but OUT is a database table")
	}
	if _, err := database.ParseTarget(c.out); err != nil {
		return err
	}
	return reachable(ctx, cmd, &c.out)
}

// createTable writes what was read as a new table.
func (c *conversion) createTable(ctx context.Context, cmd *cobra.Command, opening session.Opening) error {
	opening.Volatile = true
	s, err := session.New(opening)
	if err != nil {
		return err
	}
	var done *session.ExportResult
	if err := underway(cmd, "writing", func(meter *progress.Meter) (err error) {
		done, err = s.Document().Export(ctx, session.ExportOptions{Path: c.out}, meter)
		return err
	}); err != nil {
		return err
	}
	return show(cmd, false, nil, fmt.Sprintf("%s: %s, %s\n", session.Called(c.out), wording.Counted(done.Records, "record"),
		wording.Counted(len(opening.Data.Columns()), "variable")))
}

func (c *conversion) write(ctx context.Context, cmd *cobra.Command, data *microdata.Dataset, format fileio.Format,
	options fileio.WriteOptions) error {
	var refused error
	options.Lacking = func(lacks []string) error {
		warn(cmd, lacks...)
		if len(lacks) > 0 && c.codebook == "" && fileio.CodebookFits(c.out, data, format, options) {
			warn(cmd, session.CodebookAdvice)
		}
		if c.strict && len(lacks) > 0 {
			refused = fmt.Errorf("%s cannot hold everything; nothing was written", c.out)
		}
		return refused
	}
	report, err := fileio.Write(ctx, c.out, data, format, options, nil)
	if err := cmp.Or(refused, err); err != nil {
		return err
	}
	if report.Warning != "" {
		warn(cmd, report.Warning)
	}
	said := fmt.Sprintf("%s: %s, %s", c.out, wording.Counted(report.Records, "record"),
		wording.Counted(len(data.Columns()), "variable"))
	if len(report.CompanionPaths) > 0 {
		said += "; also " + wording.Listed(report.CompanionPaths)
	}
	return show(cmd, false, nil, said+"\n")
}
