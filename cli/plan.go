package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/plan"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

const planHelp = `Looks for plans that reach k-anonymity: recodes of the key variables together with
the local suppression that is left after them. They are printed in order of detail
lost by the recodes, in bits per record, the sum over the key variables; beside it
the cells that suppression blanks, and how few any suppression could do with after
these recodes. Of no plan in the list is there another that loses no more detail and
blanks no more cells. The first is suppression alone.

The steps of a plan, which --json has, are lines of a script for "sdcdesk run". Numbers are
cut into bands of round widths with top and bottom codes, neighbours of ordered categories
are grouped, and of others the rarest; with --hierarchy a variable goes along its levels: a
CSV file with a line per code, first the code, then its coarser levels. A variable is removed
only in plans that do better than all that remove fewer. With --single recodes of one
variable each are printed instead, with the violators they leave.

With --numbers A,B plans for numeric variables are looked for instead: methods that mask
them, each with several values of the parameter that says how much, are tried on all
records. Of no plan in the list is there another that loses no more (IL1s per cell) at no
more risk: by --risk linkage, the share of masked records whose nearest original record
is their own, or interval. A star marks those within --at-most percent.

With --told every plan is made, and the cells that it blanks and other variables tell
are counted, or with --household other members: see the measure inference.

FILE can be a table, such as 'postgres://host/db?table=person'.

The search ends after some rounds, and then gives the same on every machine. With
--stop-after it goes on for that long; control-C ends it, and what was found is printed.`

// planFlags are the flags of "sdcdesk plan".
type planFlags struct {
	format      formatFlags
	scenario    microdata.Scenario
	options     plan.Options
	hierarchies []string
	stopAfter   time.Duration
	json        bool
	told        bool
	numbers     []string
	risk        string
	atMost      float64
	seed        uint64
}

// newPlanCommand returns "sdcdesk plan".
func newPlanCommand() *cobra.Command {
	f := planFlags{scenario: microdata.NewScenario()}
	cmd := &cobra.Command{
		Use:   "plan FILE --keys A,B,C",
		Short: "Find recodes and suppression for a wanted k, or masking for a wanted risk",
		Long:  planHelp,
		Example: "  sdcdesk plan survey.csv --keys region,sex,age,educ --k 3\n" +
			"  sdcdesk plan survey.csv --keys region,sex,age --hierarchy region=regions.csv --stop-after 30s --json\n" +
			"  sdcdesk plan survey.csv --numbers income,savings --at-most 2",
		Args: takes(1, 1, "a file"),
		RunE: interruptible(" before the first plans were found", &f.format,
			func(ctx context.Context, cmd *cobra.Command, args []string) error {
				err := f.run(ctx, cmd, args[0])
				if errors.Is(err, plan.ErrOptions) || errors.Is(err, microdata.ErrScenario) || errors.Is(err, method.ErrParam) {
					return usageError{err}
				}
				return err
			}),
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.scenario.Keys, "keys", nil, "the key variables (required, but with --numbers)")
	flags.IntVar(&f.options.K, "k", 3, "number of records that at least share every key")
	flags.StringVar(&f.scenario.Weight, "weight", "", "the weight variable; it plays no part in the search")
	flags.StringSliceVar(&f.scenario.Strata, "strata", nil,
		"variables in whose combinations of categories k is reached separately")
	flags.StringSliceVar(&f.options.Keep, "keep", nil, "key variables that are not recoded")
	flags.BoolVar(&f.options.Single, "single", false, "recodes of one variable each, without suppression")
	flags.StringToIntVar(&f.options.Importance, "importance", nil,
		"of key variables for the suppression, such as age=1,sex=2: 1 is suppressed last")
	flags.StringArrayVar(&f.hierarchies, "hierarchy", nil,
		"VARIABLE=FILE: recode this key variable along the hierarchy of the file only")
	flags.StringVar(&f.options.Algorithm, "method", suppress.Minimal, "of suppression: minimal, thorough or sdcmicro")
	flags.IntVar(&f.options.Points, "points", plan.DefaultPoints, "number of plans that are printed at most")
	flags.DurationVar(&f.stopAfter, "stop-after", 0, "go on looking for so long, such as 30s")
	flags.BoolVar(&f.json, "json", false, "print JSON, with the steps")
	flags.BoolVar(&f.told, "told", false, "count the blanked cells of each plan that other variables tell")
	f.addNumbers(cmd)
	flags.StringVar(&f.scenario.Household, "household", "", "the variable that says who lives together, for --told")
	completes(cmd, "method", suppress.Minimal, suppress.Thorough, suppress.SDCMicro)
	for _, name := range []string{"keys", "strata", "keep", "weight", "household"} {
		completes(cmd, name)
	}
	f.format.add(cmd)
	return cmd
}

func (f *planFlags) run(ctx context.Context, cmd *cobra.Command, file string) error {
	if len(f.numbers) > 0 {
		return f.planNumbers(ctx, cmd, file)
	}
	if len(f.scenario.Keys) == 0 {
		return badUsage("there are no key variables: name them as in --keys region,sex,age; or numeric variables, as in --numbers income")
	}
	if f.stopAfter < 0 {
		return badUsage("--stop-after %s: it must be above 0", f.stopAfter)
	}
	if err := f.readHierarchies(); err != nil {
		return err
	}
	data, err := f.format.read(ctx, cmd, file)
	if err == nil {
		err = f.scenario.Check(data)
	}
	if err != nil {
		return err
	}
	search, err := f.search(ctx, cmd, data)
	if err != nil {
		return err
	}
	var told []int
	for _, p := range search.Found().Frontier {
		if !f.told {
			break
		}
		cells, err := search.Inferred(ctx, p, nil)
		if err != nil {
			return err
		}
		told = append(told, cells)
	}
	return f.print(cmd, search, told)
}

// readHierarchies reads the tables of --hierarchy.
func (f *planFlags) readHierarchies() error {
	f.options.Hierarchies = nil
	for _, text := range f.hierarchies {
		name, path, ok := strings.Cut(text, "=")
		if !ok || name == "" || path == "" {
			return badUsage("--hierarchy %s: write VARIABLE=FILE", text)
		}
		content, err := fileio.ReadText(path)
		if err != nil {
			return err
		}
		levels, err := recode.ReadLevelTable([]byte(content))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		f.options.Hierarchies = append(f.options.Hierarchies, recode.Hierarchy{Variable: name, Levels: levels})
	}
	return nil
}

// search looks for plans, as long as it is to. Once there are some, an interruption
// ends it without an error.
func (f *planFlags) search(ctx context.Context, cmd *cobra.Command, data *microdata.Dataset) (*plan.Search, error) {
	if f.options.Algorithm == suppress.Thorough {
		f.options.Iterations = planIterations
	}
	search, err := plan.New(ctx, data, &f.scenario, f.options)
	if err != nil {
		return nil, err
	}
	limited, cancel := ctx, func() {}
	if f.stopAfter > 0 {
		limited, cancel = context.WithTimeout(ctx, f.stopAfter)
	}
	defer cancel()
	for {
		found := search.Found()
		if found.Exhausted || limited.Err() != nil && found.Rounds > 0 || f.stopAfter == 0 && found.Rounds == plan.DefaultRounds {
			return search, nil
		}
		within := limited
		if found.Rounds == 0 {
			within = ctx // the first round is made in any case
		}
		if err := underway(cmd, fmt.Sprintf("round %d", found.Rounds+1), func(meter *progress.Meter) error {
			return search.Continue(within, meter)
		}); err != nil && (found.Rounds == 0 || limited.Err() == nil) {
			return nil, err
		}
	}
}

// planIterations are those of a thorough suppression, which is made for each plan.
const planIterations = 100

// print writes the plans, with the blanked cells of each that others tell, if there are.
func (f *planFlags) print(cmd *cobra.Command, search *plan.Search, told []int) error {
	if f.json {
		return printPlansAsJSON(cmd.OutOrStdout(), search.Found().Frontier, told)
	}
	var page strings.Builder
	head, cells := "", func(int) string { return "" }
	if told != nil {
		head, cells = fmt.Sprintf("%12s", "told"), func(i int) string { return fmt.Sprintf("%12s", wording.Number(told[i])) }
	}
	fmt.Fprintf(&page, "%12s%12s%12s%12s%s  %s\n", "bits lost", "violators", "cells", "at least", head, "recodes")
	for i, p := range search.Found().Frontier {
		bound := "–"
		if p.Bound != nil {
			bound = wording.Number(*p.Bound)
		}
		var recoded []string
		for _, r := range p.Recodes {
			recoded = append(recoded, draw.Safe(r.Name()))
		}
		if len(recoded) == 0 {
			recoded = []string{"none"}
		}
		suppressed := wording.Number(p.Cells)
		if f.options.Single {
			suppressed = "–"
		}
		fmt.Fprintf(&page, "%12.4f%12s%12s%12s%s  %s\n", p.Lost, wording.Number(p.Violators), suppressed, bound, cells(i),
			strings.Join(recoded, "; "))
	}
	fmt.Fprintf(&page, "\n%s, %s of recodes tried\n", wording.Counted(search.Found().Rounds, "round"),
		wording.Counted(search.Found().Tried, "combination"))
	return show(cmd, false, nil, page.String())
}

// planPoint is a plan in JSON.
type planPoint struct {
	Loss      float64            `json:"loss"`      // bits
	Violators int                `json:"violators"` // after the recodes
	Cells     int                `json:"cells"`
	Bound     *int               `json:"bound"` // null: not known
	Told      *int               `json:"told,omitempty"`
	Steps     []session.StepSpec `json:"steps"` // lines of a script
}

// printPlansAsJSON writes the plans as one object, with a line for each.
func printPlansAsJSON(w io.Writer, points []*plan.Point, told []int) error {
	made := make([]planPoint, len(points))
	for i, p := range points {
		made[i] = planPoint{Loss: p.Lost, Violators: p.Violators, Cells: p.Cells, Bound: p.Bound, Steps: make([]session.StepSpec, len(p.Steps))}
		for j, step := range p.Steps {
			var err error
			if made[i].Steps[j], err = session.NewSpec(step.Name, step.Method, 0); err != nil {
				return err
			}
		}
		if told != nil {
			made[i].Told = &told[i]
		}
	}
	return printPoints(w, made)
}

// printPoints writes points as one object in JSON, with a line for each.
func printPoints[P any](w io.Writer, points []P) error {
	var page strings.Builder
	page.WriteString("{\"points\":[\n")
	for i := range points {
		text, err := json.Marshal(points[i])
		if err != nil {
			return err
		}
		page.Write(text)
		if i < len(points)-1 {
			page.WriteByte(',')
		}
		page.WriteByte('\n')
	}
	page.WriteString("]}\n")
	_, err := io.WriteString(harmless{w}, page.String())
	return err
}
