// Package microaggregation replaces the values of numeric variables with aggregates of groups of similar records,
// such as the group mean.
//
// MDAV, RMD, Gower's and the refined method group records by all variables together. Individual ranking and the
// univariate optimum group the values of each variable separately. The other methods sort the records and cut the
// sequence.
//
//	m := microaggregation.New()
//	m.Variables = []string{"income", "savings"}
//	out, err := m.Apply(ctx, method.Input{Data: data, Scenario: &scenario}, nil)
//	fmt.Println(out.Report.Groups.SSEPercent)
package microaggregation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// StepName is the name of the method in scripts.
const StepName = "microaggregate"

// Ways to form groups.
const (
	MDAV            = "mdav"
	Refined         = "refined"
	Individual      = "onedims"
	Optimal         = "optimal"
	PCA             = "pca"
	RobustPCA       = "mcdpca"
	PursuitPCA      = "pppca"
	ClusteredPCA    = "clustpca"
	ClusteredRobust = "clustmcdpca"
	ClusteredPP     = "clustpppca"
	Influence       = "influence"
	RMD             = "rmd"
	Single          = "single"
	Simple          = "simple"
	Gower           = "gower"
)

// methods lists the methods in the order of the menu.
var methods = []string{MDAV, Refined, Individual, Optimal, PCA, RobustPCA, PursuitPCA, ClusteredPCA, ClusteredRobust,
	ClusteredPP, Influence, RMD, Single, Simple, Gower}

// Methods that first cluster, and methods that can transform values first.
var (
	clustering   = []string{ClusteredPCA, ClusteredRobust, ClusteredPP, Influence}
	transforming = []string{MDAV, RMD, PCA, RobustPCA, PursuitPCA}
)

// Aggregates of a group.
const (
	Mean       = "mean"
	Median     = "median"
	Trimmed    = "trimmed"
	Winsorised = "winsorised"
	OneStep    = "onestep"
)

// Microaggregate replaces the values of numeric variables with aggregates of groups. A record with a missing value
// in one of the variables is left as it is and belongs to no group. Strata are grouped separately, with their own
// standard deviations. Constant variables are ignored in distances.
type Microaggregate struct {
	Variables []string
	Method    string
	Size      int // minimum number of records of a group
	Aggregate string
	Trim      float64 // share of a group that the trimmed mean omits and the winsorised mean replaces on each side
	Sort      string  // variable by which Single sorts, or "" for the first one
	Weight    string  // weight variable for means and medians, or ""
	Strata    []string
	Clusters  int    // number of clusters of the clustered methods
	ClusterBy string // KMeans, PAM, CLARA or CMeans
	Transform string // transformation before grouping

	Iterations int // for Refined

	Households bool // group one record per household and give all members its result

	numeric.Treatment // missing values and decimals

	Semicontinuous  []string  // semi-continuous numeric variables, for Gower
	DistanceWeights []float64 // weights of the variables, for Gower; nil: 1 each
	Categories      string    // category of a group, for Gower
}

var _ method.Applier = (*Microaggregate)(nil)

// New returns the method with its defaults: MDAV, groups of 3, their mean. The
// variables must be set.
func New() *Microaggregate {
	return &Microaggregate{Method: MDAV, Size: 3, Aggregate: Mean, Trim: 0.1, Clusters: 8, Iterations: 10_000,
		ClusterBy: KMeans, Transform: Default, Categories: Frequent,
		Treatment: numeric.DefaultTreatment()}
}

// Spec describes microaggregate for the catalog.
func Spec() method.Spec {
	return method.Spec{
		Name:  StepName,
		Title: "Microaggregation",
		Help: "Forms groups of similar records, of at least the given size, and replaces values with the group mean, so " +
			"that no value belongs to a single record. The information loss is 100 SSE / SST: the sum of (x - x')² " +
			"divided by the sum of (x - mean)², on standardised variables.\n" +
			"- transform changes values only to form groups and clusters; values not above 0 count as 1 for log and " +
			"boxcox.\n" +
			"- mdav repeatedly forms two groups: one around the record farthest from the centre and one around the " +
			"record farthest from that record.\n" +
			"- refined improves these groups by exchanges: it takes longer and loses less information.\n" +
			"- onedims (individual ranking) sorts each variable separately and cuts it into groups of that size, with " +
			"little information loss and little protection.\n" +
			"- optimal does the same with the cuts that minimise the information loss.\n" +
			"- pca sorts by the first principal component, mcdpca and pppca by a robust one.\n" +
			"- clustpca, clustmcdpca and clustpppca do the same within clusters, and influence sorts each cluster by " +
			"the variable that distinguishes it most.\n" +
			"- rmd starts with the records with the largest robust distance.\n" +
			"- single sorts by one variable; simple keeps the order of the file.\n" +
			"- gower also takes categorical variables, with Gower's distance: |x - y| / range for numeric variables, 0 " +
			"or 1 for categories, and the difference of ranks / (categories - 1) for ordered categories.",
		Cite: "Domingo-Ferrer and Mateo-Sanz (2002), IEEE TKDE 14, 189-201; Hansen and Mukherjee (2003), IEEE TKDE 15, 1043-1044; " +
			"Domingo-Ferrer and Torra (2005), Data Mining and Knowledge Discovery 11, 195-212; Templ and Meindl (2008), Privacy in " +
			"Statistical Databases, 113-126; Kaufman and Rousseeuw (1990), Finding Groups in Data; Bezdek (1981), fuzzy c-means; Box " +
			"and Cox (1964), JRSS B 26, 211-252; Templ (2017), section 4.3.1",
		Sample:    `{"variables":["income","expend","savings"]}`,
		New:       func() method.Method { return New() },
		VersionOf: method.Of((*Microaggregate).version),
		Former:    numeric.FormerDefaults(4),
		Draws:     method.Of((*Microaggregate).draws),
		Sampled:   true,
		Grades:    method.Of((*Microaggregate).grades),
		Searches:  method.With((*Microaggregate).searches),
		Search: func(m method.Method, ctx context.Context, in method.Input) (method.Search, error) {
			return m.(*Microaggregate).Search(ctx, in)
		},
	}
}

// fits reports whether a variable can be microaggregated.
func (m *Microaggregate) fits(column *microdata.Column, scenario *microdata.Scenario) bool {
	return m.Method == Gower || method.NumericVariables(column, scenario)
}

// by returns a function that reports whether the method is one of methods.
func (m *Microaggregate) by(methods ...string) func() bool {
	return func() bool { return slices.Contains(methods, m.Method) }
}

// Params returns the parameters, bound to the fields of m.
func (m *Microaggregate) Params() []method.Param {
	return append([]method.Param{
		method.Variables(&m.Variables, "variables",
			"the numeric variables to microaggregate; for gower also categorical variables").Needed().Among(m.fits).Masked(),
		method.Choice(&m.Method, "method", "how records are grouped", methods...),
		method.Number(&m.Size, "size", "minimum number of records in a group").AtLeast(2),
		method.Choice(&m.Aggregate, "aggregate",
			"group value; onestep: mean of values clipped at median ± 2.019 MAD; winsorised: mean with the extremes "+
				"moved to the next values",
			Mean, Median, Trimmed, OneStep, Winsorised),
		method.Number(&m.Trim, "trim", "trimmed, winsorised: share of a group that is trimmed or moved at each end").Between(0,
			0.49).By(0.05).CountsIf(func() bool { return m.Aggregate == Trimmed || m.Aggregate == Winsorised }),
		method.Text(&m.Sort, "sort",
			"single: sort variable").Empty("the first one").Among(method.NumericVariables).CountsIf(m.by(Single)),
		method.Text(&m.Weight, "weight",
			"weight variable for means and medians").Empty("no weights").Among(method.NumericVariables),
		method.Variables(&m.Strata, "strata", "stratum variables: the method is applied separately to each combination of their categories"),
		method.Number(&m.Clusters, "clusters",
			"number of clusters of records").Between(2, 1000).CountsIf(m.by(clustering...)),
		method.Choice(&m.ClusterBy, "cluster_by", "cluster method; pam uses all distances, for up to 3,000 records",
			KMeans, PAM, CLARA, CMeans).CountsIf(m.by(clustering...)),
		method.Choice(&m.Transform, "transform", "transformation before grouping; default: logarithms for clusters, otherwise none",
			Default, Unchanged, Logarithm, BoxCox, Ranks).Formerly("usual", Default).CountsIf(m.by(slices.Concat(transforming, clustering)...)),
		method.Number(&m.Iterations, "iterations",
			"refined: rounds of improvement").Between(0,
			mostIterations).By(1000).CountsIf(m.by(Refined)),
		method.Variables(&m.Semicontinuous, "semicontinuous",
			"gower: numeric variables in which zero and non-zero have the largest distance").Among(method.NumericVariables).CountsIf(m.by(Gower)),
		method.Numbers(&m.DistanceWeights, "distance_weights",
			"gower: weight of each variable in distances").Empty("1 each").CountsIf(m.by(Gower)),
		method.Choice(&m.Categories, "categories",
			"gower: category of a group: the most frequent (ties at random), one chosen at random in proportion to its frequency, or the median of "+
				"ordered categories",
			Frequent, Drawn, MedianLevel).CountsIf(m.by(Gower)),
		numeric.HouseholdsParam(&m.Households),
	}, m.Treatment.Params("the group size")...)
}

// version changed to 5 when Gower's distance stopped treating unordered codes as numbers.
func (m *Microaggregate) version() int {
	if m.Method == Gower {
		return 5
	}
	return 4
}

// draws reports whether ties between categories are random.
func (m *Microaggregate) draws() bool { return m.Method == Gower }

// grades returns grades of group sizes.
func (m *Microaggregate) grades() method.Grades {
	return method.NewGrades("size", float64(m.Size), 2, 3, 4, 5, 7, 10, 15, 20, 30, 50)
}

// Narrate states what the step did.
func (m *Microaggregate) Narrate(*method.Report) string {
	return fmt.Sprintf("Values of %s were replaced by those of groups of similar records (microaggregation).",
		strings.Join(m.Variables, ", "))
}

func aggregateName(aggregate string) string {
	if aggregate == OneStep {
		return "robust mean"
	}
	if aggregate == Winsorised || aggregate == Trimmed {
		return aggregate + " mean"
	}
	return aggregate
}

// Apply forms groups and aggregates. An error that wraps method.ErrInput reports that a stratum has fewer complete
// records than a group, or that variables are collinear although a robust covariance is needed. The time is O(n
// log n) for most methods and O(n²) for Gower; progress counts records.
func (m *Microaggregate) Apply(ctx context.Context, in method.Input, meter *progress.Meter) (method.Output, error) {
	if !m.Households {
		return m.apply(ctx, in, meter)
	}
	further := m.Strata
	if m.Weight != "" {
		further = append(slices.Clone(further), m.Weight)
	}
	return numeric.OncePerHousehold(ctx, in, m.Variables, further, m.mark(), meter, m.apply)
}

// mark returns the Mark with the seed if something is random, otherwise nil.
func (m *Microaggregate) mark() numeric.Mark {
	if m.draws() {
		return (*microdata.Column).PerturbedWith
	}
	return nil
}

// apply forms groups and aggregates records.
func (m *Microaggregate) apply(ctx context.Context, in method.Input, meter *progress.Meter) (out method.Output, _ error) {
	if m.Method == Refined {
		s, err := m.start(ctx, in, meter)
		if err == nil {
			err = s.proceed(ctx, m.Iterations, meter)
		}
		if err != nil {
			return out, err
		}
		return s.output(ctx, meter)
	}
	w, err := m.begin(ctx, in, meter)
	if err != nil {
		return out, err
	}
	defer w.table.Free()
	if err := w.partAll(ctx, meter); err != nil {
		return out, err
	}
	return w.output(ctx, in, meter)
}

// begin reads the records to group.
func (m *Microaggregate) begin(ctx context.Context, in method.Input, meter *progress.Meter) (*work, error) {
	table, mixed, err := m.table(ctx, in)
	if err != nil {
		return nil, err
	}
	w, err := m.prepare(in, table)
	if err != nil {
		return nil, err
	}
	w.mixed, w.parts = mixed, make([]grouping, len(table.Strata))
	todo := 1 + len(table.Columns) // forming groups, plus cells to fill
	if m.Method == Refined {
		todo++
	}
	meter.Start(int64(len(table.Rows)) * int64(todo))
	return w, nil
}

// output aggregates the groups.
func (w *work) output(ctx context.Context, in method.Input, meter *progress.Meter) (out method.Output, _ error) {
	if err := w.aggregateAll(ctx, meter); err != nil {
		return out, err
	}
	data, changed, err := w.table.Masked(ctx, in, w.masked, w.mark())
	if err != nil {
		return out, err
	}
	data, categories, err := w.categories(ctx, in, data)
	if err != nil {
		return out, err
	}
	changed = append(changed, categories...)
	report := w.account()
	report.Title, report.Changed, report.Unmasked = w.title(), changed.Sum(), w.table.Left()
	report.Warnings = append(w.warnings(), w.table.Warnings(in, w.masked, changed)...)
	return method.Output{Data: data, Report: report}, ctx.Err()
}

func between(low, high int, noun string) string {
	if low == high {
		return wording.Counted(low, noun)
	}
	return wording.Number(low) + " to " + wording.Counted(high, noun)
}

func (m *Microaggregate) title() string {
	text := fmt.Sprintf("microaggregate %s: %s, size %d", strings.Join(m.Variables, ", "), m.Method, m.Size)
	if m.Aggregate != Mean {
		text += ", " + aggregateName(m.Aggregate)
	}
	if m.ClusterBy != KMeans && m.by(clustering...)() {
		text += ", " + m.ClusterBy
	}
	if m.Transform != Default {
		text += ", by " + m.Transform
	}
	return method.ByStrata(text, m.Strata)
}

// univariate reports whether each variable has its own groups.
func (m *Microaggregate) univariate() bool { return m.Method == Individual || m.Method == Optimal }

// request returns the Request for the variables and records to mask.
func (m *Microaggregate) request(variables []string) numeric.Request {
	return numeric.Request{Param: "variables", Variables: variables, Strata: m.Strata, Treatment: m.Treatment,
		Enough: func(int, int) int { return m.Size }}
}

// prepare checks the requirements of the method.
func (m *Microaggregate) prepare(in method.Input, table *numeric.Table) (*work, error) {
	w := &work{Microaggregate: m, table: table}
	for _, stratum := range table.Strata {
		if len(stratum.Records) >= m.Size {
			continue
		}
		return nil,
			fmt.Errorf("%w: %s has %s without a missing value, fewer than a group of %d: choose a smaller size or fewer strata",
				method.ErrInput, stratum.Where(), wording.Counted(len(stratum.Records), "record"), m.Size)
	}
	if m.Sort != "" {
		if w.sort = slices.Index(m.Variables, m.Sort); w.sort < 0 {
			return nil, method.ParamError("\"sort\": %q is not among the variables", wording.Excerpt(m.Sort))
		}
	}
	if m.Weight == "" {
		return w, nil
	}
	column, err := in.Column("weight", m.Weight)
	if err != nil {
		return nil, err
	}
	if !column.Numeric() {
		return nil, method.ParamError("\"weight\": %q is not a numeric variable", m.Weight)
	}
	all := column.Floats()
	w.weights = make([]float64, len(table.Rows))
	for i, row := range table.Rows {
		if w.weights[i] = all[row]; !(w.weights[i] > 0) || math.IsInf(w.weights[i], 0) {
			return nil, method.ParamError("\"weight\": %q has no positive number in record %d", m.Weight, row+1)
		}
	}
	return w, nil
}
