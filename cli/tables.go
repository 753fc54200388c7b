package cli

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/engine/tables/sensitivity"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
	"github.com/sdcdesk/sdcdesk/session"
)

const tablesHelp = `Creates a table from the records of FILE, protects its sensitive cells by suppression, rounding or
perturbation, and attacks the result as an intruder would: with the published sums, with the
knowledge of a contributor, and by linear programming. With --cells, the rows of FILE are the
cells of a table, totals included.

The table counts records, or adds up the variable of --response. Sensitivity rules:
  frequency:3          fewer than 3 contributors; frequency:3,10 with a protection level of 10 %
  frequency:3,0,zeros  empty cells are sensitive as well
  dominance:1,85       the largest contribution exceeds 85 % of the total
  p:10                 the second largest contributor can estimate the largest to within 10 %
  pq:25,50             p:25 for intruders who can already estimate each contribution to within 50 %

Protection methods (--protect), with the defaults of their parameters:
  intervals              suppress secondary cells until no sensitive cell can be estimated more
                         closely than the rules allow
  gauss                  suppress secondary cells until no sensitive cell can be recalculated
                         exactly; faster
  optimal                like intervals, but at the lowest cost found, with a lower bound or a proof;
                         up to 500 cells
  none                   suppress only the sensitive cells
  small-counts:3         round counts below 3 to 0 or 3
  cell-key:5,3,2         change counts at random: by at most 5, with variance 3, never to 1 or 2;
                         a count of the same records changes in the same way in every table
  controlled-rounding:5  round all values to multiples of 5; the table remains additive
  adjustment             controlled tabular adjustment: move sensitive cells by their protection
                         level; the table remains additive
  relative-adjustment    controlled tabular adjustment with small relative changes

A hierarchy is a file: a table of levels (one row per code: code, coarser levels) or a .hrc
file of tau-Argus. If other variables of FILE hold the coarser levels, use --nested.

The protected table has one row for each cell, with its codes, value and status. A suppressed
cell has no value. If values were changed, every cell has the status "perturbed". If a
sensitive cell can be recalculated, sdcdesk exits with status 3 and writes nothing.`

const tablesExamples = `  sdcdesk tables firms.csv --by region,nace --response turnover --holding group --rule p:10 --rule frequency:3 -o safe.csv
  sdcdesk tables firms.csv --by nace4,size --nested nace4=nace2,nace1 --rule frequency:3 -o safe.xlsx
  sdcdesk tables table.csv --cells --by nace,size --hierarchy nace=nace.hrc --response turnover \
    --contributors n --largest max --rule frequency:3 --rule dominance:1,85 -o safe.csv
  sdcdesk tables survey.csv --by region,age --rule frequency:3 --protect cell-key:5,3,2 -o counts.csv`

// tablesFlags are the flags of "sdcdesk tables".
type tablesFlags struct {
	definition               microdata.TableDefinition
	by, hierarchies, nested  []string
	states                   []string
	protect, cost, out       string
	prior                    string
	force, asJSON, intervals bool
	guardFormulas            bool
	revision                 bool
	format                   formatFlags
}

// newTablesCommand returns "sdcdesk tables": a protected table without a terminal.
func newTablesCommand() *cobra.Command {
	var f tablesFlags
	d := &f.definition
	cmd := &cobra.Command{
		Use:     "tables FILE --by NAMES --rule RULE",
		Short:   "Protect a table by suppression, rounding or perturbation",
		Long:    tablesHelp,
		Example: tablesExamples,
		Args:    takes(1, 1, "a file"),
		RunE: interruptible(nothingWritten, &f.format, func(ctx context.Context, cmd *cobra.Command, args []string) error {
			return f.run(ctx, cmd, args[0])
		}),
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.by, "by", nil, "spanning variables, such as region,nace (required)")
	flags.StringArrayVar(&d.Rules, "rule", nil, "rule that makes cells sensitive, such as p:10; repeat the flag for several rules (required)")
	flags.StringVar(&d.Response, "response", "", "numeric variable to add up (default: count records)")
	flags.StringVar(&d.Shadow, "shadow", "", "shadow variable of tau-Argus: numeric variable to which the rules apply (default: the response)")
	flags.StringVar(&d.Weight, "weight", "", "weight variable")
	flags.StringVar(&d.Holding, "holding", "", "variable with the ID of the holding; records of one holding are one contributor")
	flags.StringVar(&d.Count, "contributors", "", "with --cells: variable with the number of contributors")
	flags.StringArrayVar(&f.hierarchies, "hierarchy", nil, "hierarchy of a spanning variable")
	flags.StringArrayVar(&f.nested, "nested", nil, "variables with the coarser levels of a spanning variable, finest first")
	flags.BoolVar(&d.OfCells, "cells", false, "the rows of FILE are cells, totals included")
	flags.StringVar(&d.Total, "total", "", "with --cells: code of totals (default Total)")
	flags.StringSliceVar(&d.Largest, "largest", nil, "with --cells: variables with the largest contributions")
	flags.StringArrayVar(&f.states, "state", nil, "state of a cell: safe, unsafe, forced, frozen or preferred, such as safe=North,A")
	flags.StringVar(&f.prior, "prior", "", "a priori file of tau-Argus (.hst), or an earlier protected table whose suppressed cells are suppressed first")
	flags.BoolVar(&f.revision, "revision", false, "revise the table of --prior: cells published earlier stay published")
	flags.StringVar(&f.protect, "protect", "intervals", "protection of the sensitive cells, see above")
	flags.Uint64Var(&d.Seed, "seed", 0, "seed of cell-key; use one secret seed for all tables of a file (default: random)")
	flags.StringVar(&f.cost, "cost", "value", "cost of suppressing a cell: value, frequency or cells")
	flags.StringVarP(&f.out, "output", "o", "", "protected table to write: .csv, .xlsx or another data file; .tab writes the files of tau-Argus")
	flags.BoolVar(&f.intervals, "intervals", false, "also find narrow intervals in large tables, which can take minutes")
	flags.BoolVar(&f.force, "force", false, "replace OUT if it exists")
	addGuardFormulas(flags, &f.guardFormulas)
	completes(cmd, "protect", "intervals", "gauss", "optimal", "none", "small-counts", "cell-key", "controlled-rounding", "adjustment",
		"relative-adjustment")
	completes(cmd, "cost", "value", "frequency", "cells")
	addJSON(cmd, &f.asJSON)
	f.format.add(cmd)
	return cmd
}

// run makes, attacks, shows and writes the table.
func (f *tablesFlags) run(ctx context.Context, cmd *cobra.Command, file string) error {
	if err := f.define(); err != nil {
		return err
	}
	if err := f.readPrior(cmd); err != nil {
		return err
	}
	source, err := f.format.source(ctx, cmd, file)
	if err != nil {
		return err
	}
	options := fileio.WriteOptions{Force: f.force, Source: source.File(), GuardFormulas: f.guardFormulas}
	if f.out != "" && !forTauArgus(f.out) {
		if err := fileio.CheckName(f.out, fileio.NewFormat()); err != nil {
			return err
		}
	}
	if f.out != "" {
		if err := fileio.Writable(f.out, options); err != nil {
			return err
		}
	}
	opening, err := open(ctx, cmd, source)
	if err != nil {
		return err
	}
	var table *publish.Table
	var intervals *publish.Intervals
	err = underway(cmd, "protecting", func(*progress.Meter) (err error) {
		table, intervals, err = f.evaluate(ctx, opening.Data)
		return err
	})
	if errors.Is(err, tabular.ErrDefinition) || errors.Is(err, sensitivity.ErrRule) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	audit := newTableAudit(table, intervals)
	if err := show(cmd, f.asJSON, audit.object(), audit.text()); err != nil || f.out == "" {
		return err
	}
	if err := audit.refused(); err != nil {
		return err
	}
	if forTauArgus(f.out) {
		return writeTauArgus(f.out, table, options)
	}
	protected, err := table.File()
	if err != nil {
		return err
	}
	_, err = fileio.Write(ctx, f.out, protected, fileio.NewFormat(), options, nil)
	return err
}

// evaluate protects the table, and finds intervals. A state of a cell that the table lacks is an error.
func (f *tablesFlags) evaluate(ctx context.Context, data *microdata.Dataset) (*publish.Table, *publish.Intervals, error) {
	table, err := publish.Evaluate(ctx, data, &f.definition, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range table.Unplaced {
		if _, err := table.Find(s.Codes); err != nil {
			return nil, nil, err
		}
	}
	intervals, err := table.FewIntervals(ctx)
	if f.intervals {
		intervals, err = table.Intervals(ctx, true)
	}
	return table, intervals, err
}

// define completes the definition.
func (f *tablesFlags) define() (err error) {
	d := &f.definition
	switch {
	case len(f.by) == 0:
		return badUsage("name the spanning variables: --by region,nace")
	case len(d.Rules)+len(f.states) == 0 && f.prior == "":
		return badUsage("give at least one sensitivity rule, such as --rule p:10 or --rule frequency:3")
	}
	for _, name := range f.by {
		d.By = append(d.By, microdata.Spanning{Variable: name})
	}
	if f.protect != "intervals" {
		d.Protect = microdata.Protection(f.protect)
	}
	if d.Protect.Draws() && d.Seed == 0 {
		d.Seed = session.NewSeed()
	}
	if f.cost != "value" {
		d.Cost = microdata.CellCost(f.cost)
	}
	for _, one := range f.hierarchies {
		if err := f.hierarchy(one); err != nil {
			return err
		}
	}
	for _, one := range f.nested {
		spanning, names, err := f.spanning("nested", one)
		if err != nil {
			return err
		}
		spanning.Nested = strings.Split(names, ",")
	}
	for _, one := range f.states {
		state, text, _ := strings.Cut(one, "=")
		codes, err := csv.NewReader(strings.NewReader(text)).Read()
		if err != nil {
			return badUsage("--state %s: the form is STATE=CODES, such as safe=North,A", one)
		}
		d.States = append(d.States, microdata.CellState{Codes: codes, State: microdata.State(state)})
	}
	return nil
}

// spanning returns the variable that a flag names, and the rest of the value.
func (f *tablesFlags) spanning(flag, value string) (s *microdata.Spanning, rest string, err error) {
	name, rest, ok := strings.Cut(value, "=")
	for i := range f.definition.By {
		if s = &f.definition.By[i]; ok && s.Variable == name {
			return s, rest, nil
		}
	}
	return nil, "", badUsage("--%s %s: begin with a variable of --by and an equals sign", flag, value)
}

// hierarchy reads the hierarchy of a spanning variable.
func (f *tablesFlags) hierarchy(value string) error {
	spanning, path, err := f.spanning("hierarchy", value)
	if err != nil {
		return err
	}
	text, err := fileio.ReadText(path)
	if err != nil {
		return err
	}
	if spanning.Levels, err = publish.ReadLevels(spanning.Variable, []byte(text)); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
