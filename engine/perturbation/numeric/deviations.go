package numeric

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// change summarises the changes of a variable.
type change struct {
	deviations float64 // mean of |x - x'| / sd
	varies     bool
	negative   int // number of negative values of a variable that had none
}

func changeOf(x, masked []float64) change {
	var c change
	x, exponent := Raised(x)
	masked = Scaled(masked, exponent)
	sd := stat.StandardDeviation(x)
	c.varies = sd > 0
	before := false
	for i := range x {
		c.deviations += math.Abs(x[i] - masked[i])
		before = before || x[i] < 0
		if masked[i] < 0 {
			c.negative++
		}
	}
	if before {
		c.negative = 0
	}
	c.deviations /= sd * float64(len(x))
	return c
}

// AddDeviations adds the mean changes of the values to a report, and warns of variables that now have negative
// values but had none before.
func (t *Table) AddDeviations(ctx context.Context, report *method.Report, masked [][]float64) error {
	changes := make([]change, len(masked))
	err := parallel.Each(ctx, len(masked), func(j int) error {
		changes[j] = changeOf(t.Compared(j, masked[j]))
		return nil
	})
	sum, varying := 0.0, 0
	var warnings []string
	for j, c := range changes {
		if c.varies {
			sum += c.deviations
			varying++
		}
		if c.negative > 0 {
			warnings = append(warnings, fmt.Sprintf("%s of %s %s negative; none was negative before",
				wording.Counted(c.negative, "value"), t.Columns[j].Name(), wording.Verb(c.negative, "become")))
		}
	}
	report.Effect += fmt.Sprintf(", by %.2f standard deviations on average", sum/float64(max(1, varying)))
	report.Warnings = append(warnings, report.Warnings...)
	return err
}
