package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/utility/inspect"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui"
)

// embeddedRows is the number of records of the embedded survey.
const embeddedRows = 5000

const demoHelp = `Opens a synthetic household survey with a complete scenario: 5,000 persons in the
imaginary country Meridia, seven key variables, weights and households.

--rows generates a larger survey in memory; the same --rows and --seed generate the same
survey on every machine. --places adds places of work and three geographic levels below the
region, for swapping and hierarchies. --frequency-table generates a frequency table, with one
row for each combination of values, to try out data with billions of records.

Without a terminal, sdcdesk prints the figures of the survey.`

// demonstration selects the survey: the embedded one, or a generated one if rows is positive.
type demonstration struct {
	survey   []byte // the embedded one
	rows     int
	seed     uint64
	places   bool
	groups   bool            // groups are generated instead of records
	measures measure.Catalog // printed without a terminal
}

// newDemoCommand returns "sdcdesk demo".
func newDemoCommand(screen screenFlags) *cobra.Command {
	demo := demonstration{survey: screen.program.examples.Survey, measures: screen.program.measures}
	cmd := &cobra.Command{
		Use:     "demo",
		Short:   "Open the demonstration survey",
		Long:    demoHelp,
		Example: "  sdcdesk demo\n  sdcdesk demo --rows 1000000 --seed 7\n  sdcdesk demo --places\n  sdcdesk demo --rows 1e10 --frequency-table\n  sdcdesk demo > figures.txt",
		Args:    takes(0, 0, "no name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := demo.complete(cmd); err != nil {
				return err
			}
			options, err := screen.complete()
			if err != nil {
				return err
			}
			if !hasTerminal() {
				return interruptible("", nil, demo.print)(cmd, args)
			}
			options.Demo, options.OpenDemo, options.NamedDemo = true, demo.open, demo.named
			return runScreen(cmd.Context(), cmd.OutOrStdout(), options)
		},
	}
	screen.add(cmd)
	cmd.Flags().Var((*personCount)(&demo.rows), "rows", "generate a survey with this number of persons (default: the built-in survey of 5,000)")
	cmd.Flags().Uint64Var(&demo.seed, "seed", 1, "seed of the generated survey")
	cmd.Flags().BoolVar(&demo.places, "places", false, "add districts, municipalities, wards and places of work")
	cmd.Flags().BoolVar(&demo.groups, "frequency-table", false, "generate a frequency table of the persons")
	cmd.Flags().BoolVar(&demo.groups, "groups", false, "")
	_ = cmd.Flags().MarkHidden("groups") // its former name
	return cmd
}

// print describes the survey as inspect does, with the roles of its scenario.
func (d *demonstration) print(ctx context.Context, cmd *cobra.Command, _ []string) error {
	opening, scenario, err := d.open(ctx, nil)
	if err != nil {
		return err
	}
	var roles []microdata.Suggestion
	for _, column := range opening.Data.Columns() {
		for _, role := range scenario.RolesOf(column.Name()) {
			roles = append(roles, microdata.Suggestion{Variable: column.Name(), Role: role, Reason: "the scenario of the demonstration"})
		}
	}
	found, err := inspect.New(ctx, opening.Data, roles, d.measures)
	if err != nil {
		return err
	}
	return showPage(cmd, report.Plain(), found.Page(d.name()))
}

// complete checks the flags. With only a seed or places, the survey is as large as the embedded one.
func (d *demonstration) complete(cmd *cobra.Command) error {
	rows, seed := cmd.Flags().Changed("rows"), cmd.Flags().Changed("seed")
	switch {
	case rows && d.rows < 1:
		return badUsage("--rows %d: it must be at least 1", d.rows)
	case d.groups && d.places:
		return badUsage("--frequency-table and --places cannot be combined")
	case (seed || d.places || d.groups) && !rows:
		d.rows = embeddedRows
	}
	return nil
}

// name returns the name of the survey on the screen.
func (d demonstration) name() string {
	if d.rows == 0 {
		return "demonstration"
	}
	return fmt.Sprintf("demonstration %s %s, seed %d", d.of(), wording.Counted(d.rows, "record"), d.seed)
}

// of returns the words before the number of records in the name.
func (d demonstration) of() string {
	switch {
	case d.places:
		return "with places of"
	case d.groups:
		return "as a frequency table of"
	}
	return "of"
}

// named returns the opener of the survey with a name.
func (d demonstration) named(name string) tui.Opener {
	unit := ""
	d.rows, d.seed, d.places = 0, 0, strings.HasPrefix(name, "demonstration with places")
	name = strings.Replace(name, "demonstration in groups of", "demonstration as a frequency table of", 1) // its former name
	d.groups = strings.HasPrefix(name, "demonstration as a frequency table")
	form := "demonstration " + d.of() + " %d %s seed %d"
	if n, _ := fmt.Sscanf(strings.ReplaceAll(name, ",", ""), form, &d.rows, &unit, &d.seed); n < 3 {
		d.rows = 0
	}
	return d.open
}

// open makes the survey and its scenario.
func (d demonstration) open(ctx context.Context, meter *progress.Meter) (session.Opening, microdata.Scenario, error) {
	if d.groups {
		return d.openGroups()
	}
	content := d.survey
	if d.rows > 0 {
		made := &surveyBuffer{ctx: ctx, meter: meter}
		meter.Start(int64(d.rows) * int64(len(d.survey)) / embeddedRows) // approximate size
		write := survey.WriteCSV
		if d.places {
			write = survey.WriteWithPlaces
		}
		if err := write(made, d.rows, d.seed); err != nil {
			return session.Opening{}, microdata.Scenario{}, err
		}
		content = made.text.Bytes()
	}
	data, report, err := fileio.ReadBytes(ctx, d.name(), content, fileio.NewFormat(), meter)
	if err != nil {
		return session.Opening{}, microdata.Scenario{}, err
	}
	return session.Opening{Source: session.NewDemonstration(d.name(), report.Format), Name: d.name(), Data: data,
		Warnings: report.Warnings}, d.scenario(), nil
}

// surveyBuffer collects the text of a generated survey. It advances the meter, and Write fails when ctx is done,
// which ends the generation.
type surveyBuffer struct {
	ctx   context.Context
	meter *progress.Meter
	text  bytes.Buffer
}

// Write appends a part of the text.
func (b *surveyBuffer) Write(part []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	b.meter.Add(int64(len(part)))
	return b.text.Write(part)
}

// scenario returns the roles of the demonstration; the key variables are what a neighbour may know about a person.
func (d demonstration) scenario() microdata.Scenario {
	s := microdata.NewScenario()
	s.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	s.Numeric = []string{"income", "expend", "savings"}
	s.Weight, s.Household = "weight", "hid"
	s.Sensitive = []string{"health"}
	s.Remove = []string{"pid"}
	s.SameForHousehold = []string{"region", "urbrur"}
	if d.places {
		s.SameForHousehold = append(s.SameForHousehold, "district", "municipality", "ward")
	}
	return s
}
