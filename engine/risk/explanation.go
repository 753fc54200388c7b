package risk

import (
	"context"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Explanation has the components of the figures of one record.
type Explanation struct {
	Identical  int // records with the identical key pattern, including the record itself
	Complete   int // other compatible records without missing values
	Incomplete int // other compatible records with missing values
	Rule       microdata.Rule
	Alpha      float64 // for the rule default

	Sample     float64 // f
	Population float64 // F as estimated, before raising it
	Raised     bool    // whether F was below f and was raised to f
	P          float64 // f/F, after raising F
	Formula    Formula
	Risk       float64
}

// Explain returns the components of the figures of a record.
func (a *Assessment) Explain(record int) Explanation {
	key := a.table.Key(record)
	f, F := a.Frequency(record)
	e := Explanation{
		Identical: int(a.table.Counts()[key]),
		Rule:      a.options.Rule, Alpha: a.options.Alpha,
		Sample: f, Population: F, Raised: F < f, P: f / max(f, F),
		Formula: FormulaOf(f, F, a.options.Exact), Risk: a.risks[key],
	}
	// The table has already computed these for the assessment, so this does not block.
	if c, err := a.table.Compatible(context.Background()); err == nil {
		e.Complete, e.Incomplete = int(c.Complete[key]), int(c.Incomplete[key])
	}
	return e
}
