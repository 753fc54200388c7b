package method

import (
	"context"
	"errors"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// Masked returns the variables whose numbers a method masks: those of the parameter that
// says so; ok is false of one that masks none.
func Masked(m Method) (names []string, ok bool) {
	for _, p := range m.Params() {
		if p.masked {
			names, _ = p.Named()
			return names, true
		}
	}
	return nil, false
}

// Grades are values of a parameter that says how much is masked, as they are typed.
type Grades struct {
	Param  string   // its name; "": there is none
	Now    string   // its value, also where it is left out
	Values []string // eight to twelve, from the least masking to the most
}

// NewGrades returns the grades of a parameter.
func NewGrades(param string, now float64, values ...float64) Grades {
	out := Grades{Param: param, Now: FormatNumber(now), Values: make([]string, len(values))}
	for i, x := range values {
		out.Values[i] = FormatNumber(x)
	}
	return out
}

// Groups tells into which groups a step put the records of numeric variables, and
// what that loses.
type Groups struct {
	Count      int     `json:"count"` // over all strata; where each variable has groups of its own those of all variables
	Smallest   int     `json:"smallest"`
	Largest    int     `json:"largest"`
	SSEPercent float64 `json:"sse_percent"` // 100 SSE/SST on standardised variables
}

// The records above which a what-if looks at a sample, and how many it takes.
const (
	SampleAbove = 100_000
	SampleSize  = 20_000
)

// Sampled returns SampleSize of more rows, evenly over a file.
func Sampled(n int) []uint32 {
	rows := make([]uint32, SampleSize)
	for i := range rows {
		rows[i] = uint32(int64(i) * int64(n) / SampleSize)
	}
	return rows
}

// SamplePreview is the what-if of a method that takes long: above SampleAbove records it is
// applied to SampleSize of them, evenly over the file, and its report says so; ok is false
// below, and where the sample alone does not fit the method, as strata may have too few
// records there: then Apply is its what-if.
func (s *Spec) SamplePreview(ctx context.Context, m Method, in Input, meter *progress.Meter) (p Preview, ok bool, err error) {
	n := in.Data.Len()
	if !s.Sampled || n <= SampleAbove {
		return Preview{}, false, nil
	}
	in.Data = in.Data.Select(Sampled(n))
	p.Of = in.Data
	if p.Output, err = Apply(ctx, m, in, meter); errors.Is(err, ErrInput) {
		return Preview{}, false, nil
	}
	p.Report.Warnings = append([]string{"preview on a sample of 20,000 records: the figures refer to the sample"},
		p.Report.Warnings...)
	return p, true, err
}
