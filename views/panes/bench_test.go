package panes

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	generated "github.com/sdcdesk/sdcdesk/engine/data/survey"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/views"
	dataview "github.com/sdcdesk/sdcdesk/views/data"
	"github.com/sdcdesk/sdcdesk/views/draw"
	"github.com/sdcdesk/sdcdesk/views/overview"
	"github.com/sdcdesk/sdcdesk/views/pages"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// benchmarkState returns a generated survey with age not recoded, so that nearly all records are at risk.
func benchmarkState(b *testing.B, rows int) views.State {
	b.Helper()
	var file bytes.Buffer
	if err := generated.WriteCSV(&file, rows, 7); err != nil {
		b.Fatal(err)
	}
	data, _, err := fileio.ReadBytes(context.Background(), "survey.csv", file.Bytes(),
		fileio.Guess(file.Bytes()[:min(file.Len(), 1<<16)]), nil)
	if err != nil {
		b.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	scenario.Weight, scenario.Household = "weight", "hid"
	version, err := viewtest.Measured(data, &scenario)
	if err != nil {
		b.Fatal(err)
	}
	views.Prepare(version, 5)
	return views.State{File: "survey.csv", Scenario: &scenario, Original: version, Current: version, K: 5,
		Selected: views.Selection{Variable: "age", Record: -1}, Look: draw.Look{Theme: draw.NewTheme(true, true)}}
}

// A frame of every pane on a large screen: the first one of a version, and later ones while a list is scrolled.
func BenchmarkFrame(b *testing.B) {
	for _, rows := range []int{5_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			s := benchmarkState(b, rows)
			frame := func(panes []views.Pane) {
				for _, p := range panes {
					p.View(s, 98, 28, true)
				}
			}
			b.Run("first", func(b *testing.B) {
				for b.Loop() {
					frame(everyPane(s))
				}
			})
			b.Run("scrolled", func(b *testing.B) {
				panes := everyPane(s)
				frame(panes)
				for b.Loop() {
					for _, p := range panes {
						p.HandleKey(draw.Press("down"), s)
					}
					frame(panes)
				}
			})
		})
	}
}

// Filtering all records.
func BenchmarkFilter(b *testing.B) {
	for _, rows := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			s := benchmarkState(b, rows)
			for b.Loop() {
				p := dataview.NewRecords("", 0)
				p.Filter = "age > 60 and sex = female or educ missing and risk > .001"
				for piece := p.Seek(s); piece != nil; piece = p.Seek(s) {
					piece(context.Background(), 100*time.Millisecond)()
				}
				b.ReportMetric(float64(p.Rows(s)), "found")
			}
		})
	}
}

// Sorting all records by two columns, both with many values.
func BenchmarkSort(b *testing.B) {
	for _, rows := range []int{100_000, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			s := benchmarkState(b, rows)
			for b.Loop() {
				p := dataview.NewRecords("", 0)
				p.By = draw.Sorting{{Id: "age", Down: true}, {Id: "income"}}
				for piece := p.Seek(s); piece != nil; piece = p.Seek(s) {
					piece(context.Background(), 100*time.Millisecond)()
				}
			}
		})
	}
}

// A list of very many categories.
func BenchmarkFrequenciesOfManyLevels(b *testing.B) {
	const levels = 100_000
	c := &microdata.Categories{Levels: make([]microdata.Level, levels), Codes: microdata.NewCodes(levels, levels)}
	for i := range levels {
		c.Levels[i].Label = fmt.Sprint("level ", i)
		c.Codes.Set(i, uint32(i+1))
	}
	data, err := microdata.NewDataset([]*microdata.Column{microdata.NewCategorical("v", microdata.Category, c)})
	if err != nil {
		b.Fatal(err)
	}
	s := views.State{Current: views.Version{Data: data}, Original: views.Version{Data: data},
		Look: draw.Look{Theme: draw.NewTheme(true, true)}, Selected: views.Selection{Variable: "v"}}
	p := overview.NewFrequencies()
	for b.Loop() {
		p.HandleKey(draw.Press("down"), s)
		p.View(s, 60, 40, true)
	}
}

// The first part of the page of every variable of a million records, before and after a step suppressed every
// tenth value; and the whole page with its background work: bins, distinct values, extremes, order.
func BenchmarkInspector(b *testing.B) {
	s := benchmarkState(b, 1_000_000)
	cells := microdata.NewBits(1_000_000)
	for i := 0; i < cells.Len(); i += 10 {
		cells.Set(i)
	}
	page := func(s views.State, name string, pieces int) func(b *testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				p := pages.NewInspector(name)
				for i, piece := 0, p.Seek(s); piece != nil && i < pieces; i, piece = i+1, p.Seek(s) {
					piece(context.Background(), 100*time.Millisecond)()
				}
				if p.View(s, 118, 36, true); p.Look(s).Profile == nil {
					b.Fatal("the page shows nothing")
				}
			}
		}
	}
	for _, column := range s.Current.Data.Columns() {
		changed := s
		changed.Current.Data = s.Current.Data.With(column.Suppress(cells))
		b.Run("first/"+column.Name(), page(s, column.Name(), 1))
		b.Run("first after a step/"+column.Name(), page(changed, column.Name(), 1))
		b.Run("all/"+column.Name(), page(s, column.Name(), 100))
		b.Run("all after a step/"+column.Name(), page(changed, column.Name(), 100))
	}
}
