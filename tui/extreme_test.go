package tui

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/panes"
)

// extremeSurvey returns the survey with numbers whose range, sum and squares overflow a double.
func extremeSurvey(t *testing.T, variables ...string) string {
	t.Helper()
	text, err := os.ReadFile(testFile("survey.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	extremes := []string{"9e307", "-9e307", "1.7e308", "-1.7e308", "1.7976931348623157e308", "5e-324", "0", "1e154"}
	for i, row := range rows[1:301] {
		for j, name := range rows[0] {
			if slices.Contains(variables, name) && i%3 == 0 {
				row[j] = extremes[(i/3+j)%len(extremes)]
			}
		}
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(rows[:301]); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A file with numbers up to the largest double opens, and every pane, method, measure and page of a variable is
// drawn for it; outside long tests each for one of the three files.
func TestExtremeNumbersAreDrawn(t *testing.T) {
	files := [][]string{{"income", "expend", "savings"}, {"age", "hsize", "income"}, {"weight"}}
	for file, variables := range files {
		here := func(number int) bool { return longtests.Some(file+number, len(files)) }
		d := start(t, Options{Demo: true, OpenDemo: textOpener("extreme.csv", extremeSurvey(t, variables...), surveyScenario())}, 120, 40)
		d.Screen().Contains("extreme.csv")
		home := func() {
			for range 6 {
				d.Press("esc")
			}
			for d.m.bench.doc.CanUndo() {
				d.Press("u")
			}
		}
		tried := func(name string, work func()) {
			defer func() {
				if reason := recover(); reason != nil {
					text := fmt.Sprint(reason)
					t.Fatalf("%s, %s: panic: %s", variables[0], name, text[:min(len(text), 3000)])
				}
			}()
			work()
			d.Text()
			home()
		}
		for i, pane := range panes.All() {
			for j, column := range variables {
				if !here(i + j) {
					continue
				}
				tried(pane.ID()+" "+column, func() {
					d.act(func() { d.m.do(views.SelectVariable{Name: column}) })
					d.m.bench.drill = []views.Pane{pane}
					d.Press("down", "right", "end")
				})
			}
		}
		for i, spec := range d.m.options.Methods {
			if !here(i) {
				continue
			}
			tried(spec.Name, func() {
				d.act(func() { d.m.do(views.OpenMethod{Name: spec.Name}) })
				d.Press("down", "right", "enter")
			})
		}
		for i, spec := range d.m.options.Measures {
			if !here(i) {
				continue
			}
			tried(spec.Name, func() {
				d.act(func() { d.m.do(views.OpenMeasure{Name: spec.Name}) })
				d.Press("enter")
			})
		}
		for _, column := range variables {
			tried("page "+column, func() {
				d.act(func() { d.m.do(views.ShowVariable{Name: column}) })
				d.Press("t", "down", "enter")
			})
		}
		if !longtests.Wanted() {
			continue
		}
		for _, command := range d.m.commands() {
			if command.why(d.m) != "" || slices.Contains([]string{"quit", "open another"}, command.binding.Help().Desc) {
				continue
			}
			tried(command.binding.Help().Desc, func() { d.act(func() { command.do(d.m) }); d.Press("down") })
		}
	}
}
