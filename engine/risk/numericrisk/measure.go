// Package numericrisk measures how close masked values are to the original ones. The closer they are, the easier
// an intruder who approximately knows the original values of a person can find that person.
//
//	spec := numericrisk.Spec()
//	entry, err := spec.Compute(ctx, measure.Input{Original: was, Current: now}, spec.New(), nil)
//	fmt.Println(entry.Value("rmdid1", 0).Number)
package numericrisk

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// Name is the name of the measure in scripts.
const Name = "numericrisk"

// Risk is the measure of the risk of numeric variables. Weights are ignored, because an intruder links records.
type Risk struct {
	Variables   []string  // nil: the numeric key variables
	K           []float64 // half-widths of the interval, in standard deviations
	RankPercent []float64 // half-widths of the rank interval, in percent of the records
	RMDK, RMDK2 float64   // for RMDID1 and RMDID2
	Outlier     float64   // percentile above which a value is an outlier
}

// Spec describes the risk of numeric variables.
func Spec() measure.Spec {
	return measure.Spec{
		Name:  Name,
		Title: "risk of numeric variables",
		Help: "Measures how close masked values are to the original values.\n" +
			"- interval: the share of records for which every original value is within k standard deviations of the " +
			"masked value.\n" +
			"- rank interval: the same with ranks, within a percentage of the records.\n" +
			"- RMDID1 (robust Mahalanobis distance-based interval disclosure): the share of records for which a " +
			"standardised original value and its masked value differ by less than w d in any variable. w is the RMDID1 " +
			"width (rmd_k), d 0.05 times the robust Mahalanobis distance, so outliers have wider intervals.\n" +
			"- RMDID2: the share of all records that RMDID1 counts and that have no other masked record within the RMDID2 " +
			"distance (rmd_k2).\n" +
			"- RMDID1w, RMDID2w: the share multiplied by the sum of d over the records counted. It has no upper bound.\n" +
			"- outliers: records above a percentile of the original data in any variable, in the original, now, and in " +
			"both.",
		Cite: "Mateo-Sanz, Sebé and Domingo-Ferrer (2004), Privacy in Statistical Databases, 201-215; Templ and Meindl (2008), Privacy in " +
			"Statistical Databases, 113-126; " + measure.SourceHundep + ", section 3.7",
		Section: "Risk of numeric variables",
		Columns: []measure.Column{
			{Name: "interval_k", Title: "smallest k whose interval contains it"},
			{Name: "rank_percent", Title: "smallest percentage whose rank interval contains it"},
			{Name: "rmd", Title: "robust distance"}, {Name: "rmdid1", Title: "RMDID1", Unit: measure.Count},
			{Name: "rmdid2", Title: "RMDID2", Unit: measure.Count}, {Name: "outlier", Title: "outlier", Unit: measure.Count},
		},
		New: func() measure.Measure { return New() }, Definitions: definitions,
		Page: measure.Page{Headline: []string{"interval_risk k0.05", "rank_interval p5", "outliers_kept"}, Meaning: meaning,
			Bars:  func(v *measure.Values) []measure.Bar { return v.BarsOf("interval_risk", "rank_interval") },
			Drawn: "share of records within the interval, by its half width", Worst: "interval_k", Least: true},
	}
}

// meaning returns a sentence on what the figures mean.
func meaning(v *measure.Values) string {
	text := ""
	for i := range v.Numbers {
		if n := &v.Numbers[i]; n.Name == "interval_risk" && (text == "" || n.Part == "k0.05") && !math.IsNaN(n.Number) {
			text = fmt.Sprintf("For %s of the records, every original value lies within %s standard deviations of its masked value, so an "+
				"intruder who searches that interval finds it.",
				n.Text(), n.Part[1:])
		}
	}
	kept, original := v.Find("outliers_kept", ""), v.Find("outliers_original", "")
	if kept != nil && original != nil && original.Number > 0 {
		text += fmt.Sprintf(" %s of the %s original outliers are still outliers.", kept.Text(), original.Text())
	}
	return text
}

// New returns the measure with its defaults.
func New() *Risk {
	return &Risk{K: []float64{0.01, 0.05, 0.1}, RankPercent: []float64{1, 5, 10}, RMDK: 0.01, RMDK2: 0.05, Outlier: 99}
}

// Params returns the parameters, bound to the fields of r.
func (r *Risk) Params() []method.Param {
	return []method.Param{
		numeric.ChosenParam(&r.Variables, "the numeric variables"),
		method.Numbers(&r.K, "k", "half widths, in standard deviations of the masked variable"),
		method.Numbers(&r.RankPercent, "rank_percent", "half widths, in percent of the records"),
		method.Number(&r.RMDK, "rmd_k", "half width of the interval of RMDID1").AtLeast(0).Labelled("RMDID1 width"),
		method.Number(&r.RMDK2, "rmd_k2",
			"RMDID2: distance, in standardised variables, within which another masked record hides a record").AtLeast(0).
			Labelled("RMDID2 distance"),
		method.Number(&r.Outlier, "outlier_percentile",
			"values above it are outliers").Between(50, 100),
	}
}

// Needs returns which variables are missing or not numeric, or "".
func (r *Risk) Needs(in measure.Input) string {
	return numeric.UnpairedIn(in, numeric.Chosen(in, r.Variables))
}

// pairResults has the results for each pair.
type pairResults struct {
	pairs           *numeric.Pairs
	interval, ranks []float64
	robust          robust
	outliers        outliers
}

// Compute compares the records in O(n log n) time and with memory for a few numbers per record. Robust figures are
// missing if half of the records lie on a line or plane.
func (r *Risk) Compute(ctx context.Context, in measure.Input, meter *progress.Meter) (out measure.Values, _ error) {
	meter.Start(4)
	pairs, err := numeric.PairsIn(ctx, in, numeric.Chosen(in, r.Variables))
	if err != nil {
		return out, err
	}
	f := pairResults{pairs: pairs, interval: intervals(pairs)}
	meter.Add(1)
	if f.ranks, err = rankIntervals(ctx, pairs); err != nil {
		return out, err
	}
	meter.Add(1)
	if f.robust, err = r.robust(ctx, pairs); err != nil {
		return out, err
	}
	meter.Add(1)
	f.outliers = r.outliers(pairs)
	meter.Add(1)
	return r.values(&f), ctx.Err()
}

// values returns the named values.
func (r *Risk) values(f *pairResults) measure.Values {
	n := len(f.pairs.Rows)
	var numbers []measure.Value
	for _, k := range r.K {
		numbers = append(numbers, share("interval_risk", "interval, k = %v", "k", k, f.interval))
	}
	for _, percent := range r.RankPercent {
		numbers = append(numbers, share("rank_interval", "rank interval, %v %%", "p", percent, f.ranks))
	}
	robust := func(name, title string, number float64, unit measure.Unit) measure.Value {
		return measure.Value{Name: name, Title: title, Number: number, None: f.robust.none, Unit: unit, Better: measure.Lower}
	}
	numbers = append(numbers,
		robust("rmdid1", "RMDID1", f.robust.share, measure.Mean),
		robust("rmdid1w", "RMDID1w (no upper bound)", f.robust.weighted, measure.Amount),
		robust("rmdid2", "RMDID2", f.robust.alone, measure.Mean),
		robust("rmdid2w", "RMDID2w (no upper bound)", f.robust.aloneWeighted, measure.Amount),
		measure.CountOf("outliers", "outliers now", f.outliers.now, n),
		measure.CountOf("outliers_original", "outliers in the original data", f.outliers.original, n),
		measure.CountOf("outliers_kept", "outliers originally and now", f.outliers.kept, n),
		measure.Value{Name: "records", Title: "records compared", Number: float64(n), Unit: measure.Count,
			Of: n + f.pairs.Incomplete})
	return measure.Values{Numbers: numbers, Records: []func(int) float64{
		f.pairs.OfRecord(f.interval), f.pairs.OfRecord(f.ranks), f.pairs.OfRecord(f.robust.distances),
		f.pairs.OfRecord(f.robust.inside), f.pairs.OfRecord(f.robust.isolated), f.pairs.OfRecord(f.outliers.of),
	}, Notes: f.pairs.Notes(), Result: f}
}

// IntervalRisk returns the share of pairs for which every original value lies within k standard deviations of the
// masked variable from its masked value: the value of the measure for this k, in O(n) time.
func IntervalRisk(p *numeric.Pairs, k float64) measure.Value {
	return share("interval_risk", "interval, k = %v", "k", k, intervals(p))
}

// share returns the value for one half-width of an interval.
func share(name, title, part string, limit float64, figures []float64) measure.Value {
	return measure.Value{Name: name, Part: fmt.Sprintf("%s%v", part, limit), Title: fmt.Sprintf(title, limit),
		Number: within(figures, limit), Unit: measure.Mean, Better: measure.Lower}
}

// within returns the share of figures that are at most limit, or NaN if there are none.
func within(figures []float64, limit float64) float64 {
	if len(figures) == 0 {
		return math.NaN()
	}
	count := 0
	for _, x := range figures {
		if x <= limit {
			count++
		}
	}
	return float64(count) / float64(len(figures))
}

// definitions define the figures by name.
var definitions = measure.Definitions{
	"interval_risk": {"Share of records for which every original value lies within k standard deviations of its masked value. An " +
		"intruder who knows the values of a person searches that interval.",
		"share of records with |x_j - x'_j| <= k sd(x'_j) for all variables j"},
	"interval_k": {"The smallest k for which the intervals around the masked values contain all original values of the record.",
		"max over j of |x_j - x'_j| / sd(x'_j)"},
	"rank_interval": {"Share of records for which every original value lies in the interval of the masked values whose ranks differ " +
		"from the rank of its own masked value by at most this percentage of the records. At the ends the interval is open.",
		"share of records with x'_(r-m) <= x <= x'_(r+m) for all variables, r the rank of x', m = p n / 100"},
	"rank_percent": {"The smallest percentage of the records for which the rank intervals around the masked values contain all " +
		"original values of the record.", "100 m / n"},
	"rmdid1": {"Share of records with an original value close to its masked value, in an interval that is wider for " +
		"outliers. For a record: 1 if it is counted.",
		"share of records with |z_j - z'_j| < w d for any variable j; z standardised, w the RMDID1 width, d = 0.05 RMD"},
	"rmdid1w": {"RMDID1 times the sum of d over the counted records. It grows with the number of records and has no upper " +
		"bound; compare it only within one file.",
		"RMDID1 x sum of d"},
	"rmdid2": {"Share of all records that RMDID1 counts and whose nearest other masked record is farther away than the RMDID2 distance, so " +
		"that no record hides them. For a record: 1 if it is counted.",
		"share of records that RMDID1 counts with min |z' - z'_other| > RMDID2 distance"},
	"rmdid2w": {"RMDID2 times the sum of d over the counted records. It has no upper bound; compare it only within one file.",
		"RMDID2 x sum of d"},
	"rmd": {"The robust Mahalanobis distance of the original record from the mean, by the covariance of FAST-MCD on standardised variables.", "sqrt((z - mean)' S^-1 (z - mean))"},
	"outliers": {"Records that are now above the percentile of the original data in any variable: an intruder searches for " +
		"them first.",
		"number of records with x'_j above the percentile of x_j for any variable j"},
	"outlier": {"1 if the record is now above the percentile of the original data in any variable, otherwise 0.",
		"x'_j above the percentile of x_j for any variable j"},
	"outliers_original": {"Records that were originally above the percentile of the original data in any variable.",
		"number of records with x_j above its percentile for any variable j"},
	"outliers_kept": {"Records that were above the percentile of the original data in any variable both originally and now.",
		"number of records"},
	"records": {"Compared records: those with a value in every variable, originally and now.",
		"number of records"},
}
