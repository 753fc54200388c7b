package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

const tryHelp = `Applies each step of SCRIPT separately to FILE and compares the results with the measures
you choose, for example to compare masking methods before you apply one. It writes nothing.
"sdcdesk measures" lists the measures. FILE can be a database table, such as
'postgres://host/db?table=person'.`

// newTryCommand returns "sdcdesk try", which compares candidates.
func newTryCommand(p *program) *cobra.Command {
	o, asJSON := session.RunOptions{Methods: p.methods, Catalog: p.measures}, false
	var format formatFlags
	cmd := &cobra.Command{
		Use:     "try SCRIPT FILE",
		Short:   "Compare the results of single steps",
		Long:    tryHelp,
		Example: "  sdcdesk try candidates.jsonl survey.csv --measures score,loss",
		Args:    takes(2, 2, "a script and a file"),
		RunE: interruptible("", &format, func(ctx context.Context, cmd *cobra.Command, args []string) error {
			o.Script, o.File = args[0], args[1]
			if err := format.forScript(ctx, cmd, &o); err != nil {
				return err
			}
			var now measure.Set
			var candidates []session.Candidate
			err := underway(cmd, "trying", func(meter *progress.Meter) (err error) {
				o.Meter = meter
				now, candidates, err = session.TryScript(ctx, o)
				return err
			})
			if err != nil {
				return err
			}
			return show(cmd, asJSON, newCandidateObjects(o.Measures, candidates), candidatesText(now, candidates))
		}),
	}
	format.add(cmd)
	cmd.Flags().StringSliceVar(&o.Measures, "measures", []string{"score"}, "measures that compare the results")
	cmd.Flags().StringVar(&o.MeasureParams, "measure-params", "",
		"JSON file with the parameters of the measures: one object for each measure")
	addJSON(cmd, &asJSON)
	return cmd
}

// candidatesText has a row for each figure and a column for each candidate, and the reasons why requested measures
// have no figure.
func candidatesText(now measure.Set, candidates []session.Candidate) string {
	head := []string{"figure", "now"}
	var list []string
	for i, c := range candidates {
		head = append(head, strconv.Itoa(i+1))
		said := ""
		if c.Err != nil {
			said = c.Err.Error()
		} else {
			said = c.Trial.Report.Title
		}
		said = strings.TrimPrefix(said, c.Step.Step+" ")
		list = append(list, fmt.Sprintf("%3d  %s: %s", i+1, c.Step.Step, draw.Safe(said)))
	}
	rows := [][]string{head}
	now.Each(func(e *measure.Entry, v *measure.Value) {
		title := v.Title
		if v.K > 0 {
			title = views.FigureName(v)
		}
		if title = e.Spec.Name + ": " + title; v.Title == e.Spec.Name {
			title = v.Title
		}
		values := []*measure.Value{v}
		for _, c := range candidates {
			var found *measure.Value
			if c.Err == nil {
				found = c.Trial.Figures.Like(e.Spec.Name, v)
			}
			values = append(values, found)
		}
		rows = append(rows, append([]string{title}, measure.Texts(values...)...))
	})
	var lines []string
	if len(rows) > 1 {
		lines = append(draw.Aligned(rows, nil, 0), "")
	}
	for i := range now {
		if len(now[i].Values.Numbers) == 0 {
			why := cmp.Or(now[i].NotApplicable, "it has no figure for these data")
			list = append(list, "", draw.Safe(now[i].Spec.Name+" is not applicable: "+why))
		}
	}
	return strings.Join(append(lines, list...), "\n") + "\n"
}

// candidateObject is a candidate in JSON.
type candidateObject struct {
	Step     string                    `json:"step"`
	Params   json.RawMessage           `json:"params,omitempty"`
	Error    string                    `json:"error,omitempty"`
	Seconds  float64                   `json:"seconds"`
	Measures map[string]measure.Values `json:"measures,omitempty"`
}

func newCandidateObjects(names []string, candidates []session.Candidate) []candidateObject {
	all := []candidateObject{}
	for _, c := range candidates {
		one := candidateObject{Step: c.Step.Step, Params: c.Step.Params, Measures: map[string]measure.Values{}}
		if c.Err != nil {
			one.Error = c.Err.Error()
		} else {
			one.Seconds = c.Trial.Seconds
			for _, name := range names {
				if entry := c.Trial.Figures.Find(name); entry != nil && entry.NotApplicable == "" {
					one.Measures[name] = entry.Values
				}
			}
		}
		all = append(all, one)
	}
	return all
}
