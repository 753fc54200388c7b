package method

import (
	"context"
	"errors"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
)

// Masked returns the variables that a method masks, the value of the parameter marked by Param.Masked; ok is false
// if it has no such parameter.
func Masked(m Method) (names []string, ok bool) {
	for _, p := range m.Params() {
		if p.masked {
			names, _ = p.Named()
			return names, true
		}
	}
	return nil, false
}

// Grades are values of the parameter that sets the strength of masking, as typed.
type Grades struct {
	Param  string   // name of the parameter, or "" if there is none
	Now    string   // current value, or the default
	Values []string // eight to twelve values, from weak to strong
}

// NewGrades returns the grades of a numeric parameter.
func NewGrades(param string, now float64, values ...float64) Grades {
	out := Grades{Param: param, Now: FormatNumber(now), Values: make([]string, len(values))}
	for i, x := range values {
		out.Values[i] = FormatNumber(x)
	}
	return out
}

// Groups describes the groups of records that microaggregation made, and the information loss.
type Groups struct {
	Count      int     `json:"count"` // over all strata, and over all variables that are grouped separately
	Smallest   int     `json:"smallest"`
	Largest    int     `json:"largest"`
	SSEPercent float64 `json:"sse_percent"` // 100 SSE/SST of the standardised variables
}

// A what-if on more than SampleAbove records uses a sample of SampleSize records.
const (
	SampleAbove = 100_000
	SampleSize  = 20_000
)

// Sampled returns SampleSize of n rows, spread evenly over the file.
func Sampled(n int) []uint32 {
	rows := make([]uint32, SampleSize)
	for i := range rows {
		rows[i] = uint32(int64(i) * int64(n) / SampleSize)
	}
	return rows
}

// SamplePreview is the what-if of a slow method: on more than SampleAbove records, it applies the method to
// SampleSize of them, spread evenly over the file, and adds a warning to the report. ok is false for fewer
// records, or if the sample does not fit the method, for example because its strata are too small; the caller then
// uses Apply.
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
