package recode

import (
	"context"
	"fmt"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// Multivariate moves outlying records towards the centre. A record whose robust distance from the centre exceeds
// that of a given share of normal data is moved along the line to the centre until it has that distance. Records
// with a missing value in one of the variables are left as they are and ignored. Each stratum has its own centre
// and covariance matrix. Constant variables stay as they are.
type Multivariate struct {
	Variables []string
	Share     float64 // share of normal data that is closer to the centre
	Strata    []string
	numeric.Treatment
}

var _ method.Applier = (*Multivariate)(nil)

// MultivariateSpec describes topcode-multivariate for the catalog.
func MultivariateSpec() method.Spec {
	return method.Spec{
		Name:  "topcode-multivariate",
		Title: "Multivariate top coding",
		Help: "Moves multivariate outliers, such as a high income with low spending, towards the centre, even if no " +
			"single value is extreme. With the robust centre m and covariance V (MCD), the distance of a record x is " +
			"d = √((x - m)' V⁻¹ (x - m)). D is the distance within which a share of normally distributed data lies. " +
			"If d > D, the record becomes m + (x - m) D / d, a point on the border. Skewed variables have many " +
			"records outside; a greater share moves fewer records.",
		Cite: "Rousseeuw and Van Driessen (1999), Technometrics 41, 212-223; Templ (2017), section 4.3; Hundepool et " +
			"al. (2012), section 3.4",
		Sample:  `{"variables":["income","expend"]}`,
		New:     method.From(Multivariate{Share: 0.975, Treatment: numeric.DefaultTreatment()}),
		Version: 1, Former: numeric.FormerDefaults(1),
		Sampled: true,
		Grades:  method.Of((*Multivariate).grades),
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *Multivariate) Params() []method.Param {
	return append([]method.Param{
		method.Variables(&m.Variables, "variables",
			"numeric variables to look for outliers in").Needed().Among(method.NumericVariables).Masked(),
		method.Number(&m.Share, "share", "share of normally distributed data within the border").Between(0.5,
			0.999999).By(0.005),
		method.Variables(&m.Strata, "strata",
			"stratum variables: the method is applied separately to each combination of their categories"),
	}, m.Treatment.Params("10 records")...)
}

// grades returns grades of shares within the limit.
func (m *Multivariate) grades() method.Grades {
	return method.NewGrades("share", m.Share, 0.9999, 0.999, 0.99, 0.975, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5)
}

// Narrate states what the step did.
func (m *Multivariate) Narrate(*method.Report) string {
	return fmt.Sprintf("Outliers in %s were moved towards the centre of the data.",
		strings.Join(m.Variables, ", "))
}

func (m *Multivariate) title() string {
	return method.ByStrata(fmt.Sprintf("multivariate top coding %s: share %v", strings.Join(m.Variables, ", "), m.Share),
		m.Strata)
}

// Apply moves the records. An error that wraps method.ErrInput reports that there is no robust covariance matrix.
// The time is O(n) for n records.
func (m *Multivariate) Apply(ctx context.Context, in method.Input,
	meter *progress.Meter) (out method.Output, err error) {
	table, err := numeric.New(ctx, in, numeric.Request{Param: "variables", Variables: m.Variables, Strata: m.Strata,
		Treatment: m.Treatment})
	if err != nil {
		return out, err
	}
	defer table.Free()
	meter.Start(int64(len(table.Rows)))
	masked, moved := table.Copy(), 0
	for _, stratum := range table.Strata {
		count, err := m.move(ctx, table, stratum, masked)
		if err != nil {
			return out, err
		}
		moved += count
		meter.Add(int64(len(stratum.Records)))
	}
	out, err = table.Output(ctx, in, m.title(), masked, nil)
	out.Report.Effect = fmt.Sprintf("%s of %s moved to the border", wording.Number(moved),
		wording.Counted(len(table.Rows), "record"))
	return out, err
}

// move sets the masked values of a stratum and returns the number of records moved.
func (m *Multivariate) move(ctx context.Context, table *numeric.Table, stratum numeric.Stratum,
	masked [][]float64) (int, error) {
	values := table.Of(stratum)
	var which []int // variables that are not constant
	for j := range values {
		if !stat.Constant(values[j]) {
			which = append(which, j)
		}
	}
	if len(which) == 0 || len(stratum.Records) < 2 {
		return 0, ctx.Err()
	}
	robust, err := numeric.Robust(ctx, stat.Variables(values, which))
	if err != nil {
		return 0, stratum.WithStratum(ctx, err)
	}
	border, moved := stat.NormalDistance(len(which), m.Share), 0
	for i, record := range stratum.Records {
		d := robust.Distances[i]
		if d <= border {
			continue
		}
		moved++
		for k, j := range which {
			center := robust.Center[k]
			masked[stratum.Variable(j)][record] = center + float64((values[j][i]-center)*(border/d))
		}
	}
	return moved, ctx.Err()
}
