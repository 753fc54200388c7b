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
	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/recoding/plan"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

const planHelp = `Searches for plans that reach k-anonymity. A plan recodes key variables and suppresses
cells in the records that still violate k-anonymity. Each line has the information loss of
the recodes in bits per record, the number of suppressed cells, and a lower bound on that
number. Only efficient plans are listed: no plan with as few removed variables has both lower
information loss and fewer suppressed cells. The first plan is suppression alone.

Numeric variables are recoded into intervals with round-number widths and top and bottom codes.
Ordered categories are merged with their neighbours; for unordered categories, the rarest are
merged. --hierarchy names a CSV file with one row for each code: the code, then its coarser
levels. A variable is removed only if every plan that removes fewer variables has more
suppressed cells. --json includes the steps of each plan as lines of a script for "sdcdesk run".
--single lists recodes of one variable, with the violators that each leaves.

--numeric A,B searches for masking plans for numeric variables instead. Each masking method
is tried with several values of its main parameter, always on all records. --risk selects the
risk: linkage, the share of masked records whose nearest original record is their own, or
interval, the share of records whose original values are all close to the masked ones: see
"sdcdesk measures numericrisk". Only efficient plans are listed: no other plan has both lower
risk and lower information loss (IL1s per cell).

--at-most PERCENT sets a target risk; an asterisk marks the plans that reach it:
  - with --numeric: the linkage or interval risk (default 5)
  - with --keys: the global risk, the expected share of records that are re-identified
    (default: not computed, because every plan must be applied)

--inference applies every plan and counts the suppressed cells that can be inferred from
other variables or, with --household, from other household members; see the measure
"inference".

FILE can be a database table, such as 'postgres://host/db?table=person'.

The search with --keys stops after a fixed number of rounds, with the same result on every
machine; --numeric gives the same result for the same --seed.
--stop-after TIME searches for this time instead; Ctrl+C stops the search and prints the plans
found so far.`

// planFlags are the flags of "sdcdesk plan".
type planFlags struct {
	format      formatFlags
	scenario    microdata.Scenario
	options     plan.Options
	hierarchies []string
	stopAfter   time.Duration
	json        bool
	inferable   bool
	numbers     []string
	risk        string
	atMost      float64
	seed        uint64
}

// newPlanCommand returns "sdcdesk plan".
func newPlanCommand() *cobra.Command {
	f := planFlags{scenario: microdata.NewScenario()}
	cmd := &cobra.Command{
		Use:   "plan FILE --keys A,B,C | --numeric A,B",
		Short: "Search for recodes and suppression that reach a target k, or masking that reaches a target risk",
		Long:  planHelp,
		Example: "  sdcdesk plan survey.csv --keys region,sex,age,educ --k 3\n" +
			"  sdcdesk plan survey.csv --keys region,sex,age --hierarchy region=regions.csv --stop-after 30s --json\n" +
			"  sdcdesk plan survey.csv --numeric income,savings --at-most 2",
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
	flags.StringSliceVar(&f.scenario.Keys, "keys", nil, "key variables (required unless --numeric is given)")
	flags.IntVar(&f.options.K, "k", 3, "minimum number of records with each key pattern")
	flags.StringVar(&f.scenario.Weight, "weight", "", "weight variable, for --at-most; the search does not use it")
	flags.StringSliceVar(&f.scenario.Strata, "strata", nil,
		"stratum variables: each stratum reaches k separately")
	flags.StringSliceVar(&f.options.Keep, "keep", nil, "key variables that must not be recoded")
	flags.BoolVar(&f.options.Single, "single", false, "list recodes of single variables, without suppression")
	flags.StringToIntVar(&f.options.Importance, "importance", nil,
		"importance of key variables for suppression, such as age=1,sex=2: 1 is suppressed last")
	flags.StringArrayVar(&f.hierarchies, "hierarchy", nil,
		"recode this key variable only to the levels of the hierarchy in FILE")
	flags.StringVar(&f.options.Algorithm, "method", suppress.Minimal, "suppression method: minimal, thorough or sdcmicro")
	flags.IntVar(&f.options.Points, "points", plan.DefaultPoints, "maximum number of plans to list")
	flags.DurationVar(&f.stopAfter, "stop-after", 0, "duration of the search, such as 30s (default: a fixed number of rounds)")
	flags.BoolVar(&f.json, "json", false, "print JSON, including the steps")
	flags.BoolVar(&f.inferable, "inference", false, "count the suppressed cells of each plan that can be inferred from other variables")
	flags.BoolVar(&f.inferable, "told", false, "")
	_ = flags.MarkHidden("told") // its former name
	f.addNumbers(cmd)
	flags.StringVar(&f.scenario.Household, "household", "", "variable with the household IDs, for --inference")
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
		return badUsage("no key variables: name them, for example --keys region,sex,age; or name numeric variables, for example --numeric income")
	}
	if err := f.checkAtMost(); err != nil {
		return err
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
	after, err := f.after(ctx, cmd, search)
	if err != nil {
		return err
	}
	return f.print(cmd, search, after)
}

// afterPlan has the figures of the data after a plan; nil: not requested.
type afterPlan struct {
	Inferable *int     `json:"inferable,omitempty"` // suppressed cells that can be inferred
	Risk      *float64 `json:"risk,omitempty"`      // global risk, from 0 to 1
	Within    *bool    `json:"within,omitempty"`    // within the target risk
}

// after applies the plans, as far as their figures are requested.
func (f *planFlags) after(ctx context.Context, cmd *cobra.Command, search *plan.Search) ([]afterPlan, error) {
	points, byRisk := search.Found().Frontier, cmd.Flags().Changed("at-most")
	after := make([]afterPlan, len(points))
	if !f.inferable && !byRisk {
		return after, nil
	}
	for i, p := range points {
		made, err := search.Data(ctx, p)
		if err != nil {
			return nil, err
		}
		if f.inferable {
			cells, err := search.Inferred(ctx, made)
			if err != nil {
				return nil, err
			}
			after[i].Inferable = &cells
		}
		if byRisk {
			risk, err := search.Risk(ctx, made)
			if err != nil {
				return nil, err
			}
			within := 100*risk <= f.atMost
			after[i].Risk, after[i].Within = &risk, &within
		}
	}
	return after, nil
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
		levels, err := hierarchy.Read([]byte(content))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		f.options.Hierarchies = append(f.options.Hierarchies, recode.Hierarchy{Variable: name, Levels: levels})
	}
	return nil
}

// search searches plans for the requested time. Once there are some, an interruption ends the search without an
// error.
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
			within = ctx // the first round always runs
		}
		if err := underway(cmd, fmt.Sprintf("round %d", found.Rounds+1), func(meter *progress.Meter) error {
			return search.Continue(within, meter)
		}); err != nil && (found.Rounds == 0 || limited.Err() == nil) {
			return nil, err
		}
	}
}

// planIterations is the number of iterations of a thorough suppression, which runs for each plan.
const planIterations = 100

// print prints the plans, with the requested figures after each.
func (f *planFlags) print(cmd *cobra.Command, search *plan.Search, after []afterPlan) error {
	if f.json {
		return printPlansAsJSON(cmd.OutOrStdout(), search.Found().Frontier, after)
	}
	var page strings.Builder
	fmt.Fprintf(&page, "%12s%12s%12s%13s%s  %s\n", "bits", "violators", "cells", "lower bound", after[0].heads(), "recodes")
	risks := risksOf(after)
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
		fmt.Fprintf(&page, "%12.2f%12s%12s%13s%s  %s\n", p.Lost, wording.Number(p.Violators), suppressed, bound, after[i].cells(risks[i]),
			strings.Join(recoded, "; "))
	}
	fmt.Fprintf(&page, "\n%s, %s of recodes tried\n", wording.Counted(search.Found().Rounds, "round"),
		wording.Counted(search.Found().Tried, "combination"))
	if after[0].Risk != nil {
		fmt.Fprintf(&page, "* expected re-identifications of at most %v %% of the records\n", f.atMost)
	}
	return show(cmd, false, nil, page.String())
}

// heads returns the column headings of the figures.
func (a afterPlan) heads() (heads string) {
	if a.Inferable != nil {
		heads = fmt.Sprintf("%12s", "inferable")
	}
	if a.Risk != nil {
		heads += fmt.Sprintf("%12s  ", "risk")
	}
	return heads
}

// risksOf spells the risks of plans, "" where none was asked for.
func risksOf(after []afterPlan) []string {
	var shares []float64
	for _, a := range after {
		if a.Risk != nil {
			shares = append(shares, *a.Risk)
		}
	}
	if len(shares) < len(after) {
		return make([]string, len(after))
	}
	return wording.Percents(shares...)
}

// cells are the figures in columns, with the risk as it is spelled.
func (a afterPlan) cells(risk string) (cells string) {
	if a.Inferable != nil {
		cells = fmt.Sprintf("%12s", wording.Number(*a.Inferable))
	}
	if a.Risk != nil {
		mark := " "
		if *a.Within {
			mark = "*"
		}
		cells += fmt.Sprintf("%12s %s", risk, mark)
	}
	return cells
}

// planPoint is a plan in JSON.
type planPoint struct {
	Loss      float64 `json:"loss"`      // bits
	Violators int     `json:"violators"` // after the recodes
	Cells     int     `json:"cells"`
	Bound     *int    `json:"bound"` // null: unknown
	afterPlan
	Steps []session.StepSpec `json:"steps"` // lines of a script
}

// printPlansAsJSON prints the plans as one object, with a line for each.
func printPlansAsJSON(w io.Writer, points []*plan.Point, after []afterPlan) error {
	made := make([]planPoint, len(points))
	for i, p := range points {
		made[i] = planPoint{Loss: p.Lost, Violators: p.Violators, Cells: p.Cells, Bound: p.Bound, afterPlan: after[i], Steps: make([]session.StepSpec, len(p.Steps))}
		for j, step := range p.Steps {
			var err error
			if made[i].Steps[j], err = session.NewSpec(step.Name, step.Method, 0); err != nil {
				return err
			}
		}
	}
	return printPoints(w, made)
}

// printPoints prints points as one JSON object, with a line for each.
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
	_, err := io.WriteString(escapingWriter{w}, page.String())
	return err
}
