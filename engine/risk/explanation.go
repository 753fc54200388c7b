package risk

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Explanation tells how the figures of one record came about.
type Explanation struct {
	Identical  int // records with the identical key, the record itself included
	Complete   int // other compatible records without missing values
	Incomplete int // other compatible records with missing values
	Rule       microdata.Rule
	Alpha      float64 // of the rule default

	Sample     float64 // f
	Population float64 // F as estimated
	Raised     bool    // F is below f and counted as f
	P          float64 // f/F, after raising F
	Formula    Formula
	Risk       float64
}

// Explain returns what the figures of a record are made of.
func (a *Assessment) Explain(record int) Explanation {
	key := a.table.Key(record)
	f, F := a.Frequency(record)
	e := Explanation{
		Identical: int(a.table.Counts()[key]),
		Rule:      a.options.Rule, Alpha: a.options.Alpha,
		Sample: f, Population: F, Raised: F < f, P: f / max(f, F),
		Formula: FormulaOf(f, F, a.options.Exact), Risk: a.risks[key],
	}
	// The table has computed these for the assessment: there is no waiting here.
	if c, err := a.table.Compatible(context.Background()); err == nil {
		e.Complete, e.Incomplete = int(c.Complete[key]), int(c.Incomplete[key])
	}
	return e
}
