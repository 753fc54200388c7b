package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk/union"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

const compareHelp = `Runs two scripts on the survey file FILE and shows the results side by side: the figures
of all measures with their differences, and the variables whose cells differ. The name
"original" stands for the unprotected file, with the scenario of the other script. A
session file is a script too. sdcdesk writes nothing. FILE can be a database table, such as
'postgres://host/db?table=person'.

An asterisk (*) marks the result with the lower risk or the lower information loss. Records
are matched by their position in the file; cells are counted in records that both results
have.
--values also prints the first records that differ. These values of individuals stay in the
scrollback of the terminal.

A and B can also be two folders that "sdcdesk release" wrote from the same FILE. sdcdesk
repeats both releases and shows what they reveal together: cells that have a value in only
one of them, and cells with different values.

In both cases sdcdesk counts the records that violate k-anonymity for an intruder who has
A and B and can match their records: each cell keeps the categories that are possible in
both. Records that only A or only B contains are included. Perturbed key variables are not
assessed.`

// newCompareCommand returns "sdcdesk compare", which compares two states of a file.
func newCompareCommand(p *program) *cobra.Command {
	asJSON, tryOther, values := false, false, false
	var format formatFlags
	cmd := &cobra.Command{
		Use:   "compare A B FILE",
		Short: "Compare the results of two scripts",
		Long:  compareHelp,
		Example: "  sdcdesk compare original steps.jsonl survey.csv\n" +
			"  sdcdesk compare recoded.jsonl suppressed.jsonl survey.csv --json\n" +
			"  sdcdesk compare release-1 release-2 survey.csv",
		Args: takes(3, 3, "two scripts or two releases, and the original file"),
		RunE: interruptible("", &format, func(ctx context.Context, cmd *cobra.Command, args []string) error {
			o := session.RunOptions{Methods: p.methods, File: args[2]}
			if err := format.forScript(ctx, cmd, &o); err != nil {
				return err
			}
			if bundles, err := areBundles(args[:2]); bundles {
				return compareBundles(ctx, cmd, args, bundle.VerifyOptions{Original: o.File, Reading: o.Reading,
					OtherVersion: tryOther}, asJSON)
			} else if err != nil {
				return err
			}
			var comparison *session.Comparison
			err := underway(cmd, "comparing", func(meter *progress.Meter) error {
				o.Meter = meter
				states, err := session.States(ctx, args[:2], o)
				if err == nil {
					comparison, err = session.NewAnalyst().With(p.measures).Compare(ctx, states[0], states[1], meter)
				}
				return err
			})
			if err != nil {
				return err
			}
			if !values {
				comparison.Records = nil
			}
			return show(cmd, asJSON, newComparisonObject(comparison), comparisonText(comparison))
		}),
	}
	format.add(cmd)
	addJSON(cmd, &asJSON)
	cmd.Flags().BoolVar(&values, "values", false, "print the first differing records with their values")
	cmd.Flags().BoolVar(&tryOther, "other-version", false,
		"accept releases that another version of sdcdesk wrote")
	return cmd
}

// comparisonText returns the comparison as tables.
func comparisonText(c *session.Comparison) string {
	figures, variables, records := c.Tables()
	lines := append(draw.Aligned(figures, nil, 0), "", session.Mark, "")
	if c.Union != nil {
		lines = append(append(lines, unionLines(c.Union)...), "")
	}
	lines = append(lines, draw.Safe(c.Sentence()))
	if len(variables) > 1 {
		lines = append(append(lines, ""), draw.Aligned(variables, nil, 0)...)
	}
	if len(records) > 0 {
		lines = append(lines, "", c.RecordsSentence())
		for _, record := range records {
			lines = append(lines, draw.FitRight(record[0], 9)+"  "+draw.Safe(record[1]))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// unionLines returns the violators if both files are published, as text.
func unionLines(r *union.Result) []string {
	lines := []string{draw.Safe(r.Sentence())}
	if table := r.Table(); table != nil {
		lines = append(append(lines, ""), draw.Aligned(table, nil, 0)...)
	}
	return lines
}

// unionObject is the violators if both files are published, in JSON.
type unionObject struct {
	Keys        []string      `json:"keys"`
	Rule        string        `json:"rule"`
	Alpha       float64       `json:"alpha"`
	Records     int           `json:"records"`
	Violators   []union.Count `json:"violators"`
	NotAssessed string        `json:"not_assessed,omitempty"`
}

func newUnionObject(r *union.Result) *unionObject {
	if r == nil {
		return nil
	}
	return &unionObject{append([]string{}, r.Keys...), string(r.Rule), r.Alpha, r.Records,
		append([]union.Count{}, r.Counts...), r.NotAssessed}
}

// comparisonObject is a comparison in JSON.
type comparisonObject struct {
	A         string                `json:"a"`
	B         string                `json:"b"`
	Figures   []figureObject        `json:"figures"`
	Variables []variableObject      `json:"variables"`
	Compared  int                   `json:"records_compared"`
	Differing int                   `json:"records_that_differ"`
	OnlyA     int                   `json:"records_only_in_a"`
	OnlyB     int                   `json:"records_only_in_b"`
	Union     *unionObject          `json:"both_releases"` // null: one of them is the original
	Records   []session.RecordOfTwo `json:"first_records_that_differ"`
}

type figureObject struct {
	Measure string   `json:"measure"`
	Name    string   `json:"name"`
	K       int      `json:"k,omitempty"`
	A       *float64 `json:"a"` // null: none
	B       *float64 `json:"b"`
}

type variableObject struct {
	Name     string `json:"variable"`
	Cells    *int   `json:"cells_that_differ"` // null: only one has the variable
	MissingA *int   `json:"missing_a"`
	MissingB *int   `json:"missing_b"`
	LevelsA  *int   `json:"categories_a"`
	LevelsB  *int   `json:"categories_b"`
}

func newComparisonObject(c *session.Comparison) *comparisonObject {
	object := &comparisonObject{A: c.A, B: c.B, Figures: []figureObject{}, Variables: []variableObject{},
		Records:  append([]session.RecordOfTwo{}, c.Records...),
		Compared: c.Compared, Differing: c.Differing, OnlyA: c.OnlyA, OnlyB: c.OnlyB,
		Union: newUnionObject(c.Union)}
	for i := range c.Figures {
		f := &c.Figures[i]
		v := f.Either()
		object.Figures = append(object.Figures, figureObject{f.Measure.Name, v.Name, v.K, numberOf(f.A), numberOf(f.B)})
	}
	for _, v := range c.Variables {
		object.Variables = append(object.Variables, variableObject{v.Name, given(v.Cells, v.InA && v.InB),
			given(v.MissingA, v.InA), given(v.MissingB, v.InB), given(v.LevelsA, v.InA), given(v.LevelsB, v.InB)})
	}
	return object
}

func numberOf(v *measure.Value) *float64 {
	if v == nil || v.Number != v.Number {
		return nil
	}
	return &v.Number
}

func given(n int, there bool) *int {
	if !there {
		return nil
	}
	return &n
}
