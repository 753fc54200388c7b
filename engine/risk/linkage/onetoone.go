package linkage

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// Distances of one-to-one linkage.
const (
	Euclid      = "euclid"      // of standardised variables
	Manhattan   = "manhattan"   // sum of the absolute differences of standardised variables
	Mahalanobis = "mahalanobis" // by the covariance matrix of the original variables
	Gower       = "gower"       // mean of the differences divided by the range; 0 or 1 for categories
)

// OneToOne is the measure of one-to-one linkage. Weights are ignored.
type OneToOne struct {
	Variables []string // nil: the numeric key variables
	Distance  string
	Block     int // maximum number of records linked at once
}

// OneToOneSpec describes one-to-one linkage.
func OneToOneSpec() measure.Spec {
	return measure.Spec{
		Name:  "onetoone",
		Title: "one-to-one linkage",
		Help: "Counts the masked records linked correctly by an intruder who has the original values of all persons " +
			"and knows that each person occurs once in the file. The measure is the share of correct links. " +
			"One-to-one linkage links more records correctly than distance-based linkage if masking moved neighbours " +
			"in the same way.\n" +
			"- links: every masked record is linked to a different original record so that the sum of all distances is " +
			"minimal. Records that are equal in all variables are linked at random.\n" +
			"- missing: a missing category counts as a category.\n" +
			"- large files: divided into blocks by the order of their values, separately in both files; pairs in " +
			"different blocks are not found.",
		Cite: "Domingo-Ferrer and Torra (2002), Inference Control in Statistical Databases, 135-152; Gower (1971), " +
			"Biometrics 27, 857-871; Jonker and Volgenant (1987), Computing 38, 325-340",
		Columns: []measure.Column{{Name: "linkage_one_to_one", Title: "one-to-one linkage", Unit: measure.Probability}},
		Page: measure.Page{Worst: "linkage_one_to_one", Meaning: measure.Telling("If all records are linked so that the sum of the distances is minimal, %s of them are linked to their own "+
			"original.", "linkage_one_to_one")},
		Definitions: oneToOneDefinitions,
		New:         func() measure.Measure { return &OneToOne{Distance: Euclid, Block: 5000} },
	}
}

// Params returns the parameters, bound to the fields of m.
func (m *OneToOne) Params() []method.Param {
	return []method.Param{
		method.Variables(&m.Variables, "variables", "variables for linkage; categorical variables need the Gower distance").
			Empty("the numeric key variables"),
		method.Choice(&m.Distance, "distance", "distance between two records", Euclid, Manhattan, Mahalanobis, Gower),
		method.Number(&m.Block, "block", "records to link at once; time grows with its square").Between(2, 20_000),
	}
}

// Needs returns which variables are missing or not usable with the distance, or "".
func (m *OneToOne) Needs(in measure.Input) string {
	numbers, categories := m.variables(in)
	if missing := in.Lacking(categories); missing != "" {
		return missing
	}
	if len(numbers) == 0 && len(categories) > 0 {
		return ""
	}
	return numeric.UnpairedIn(in, numbers)
}

// variables returns the numeric variables, and those compared by category: for the Gower distance, those that are
// not numeric in the original or now.
func (m *OneToOne) variables(in measure.Input) (numbers, categories []string) {
	for _, name := range numeric.Chosen(in, m.Variables) {
		was, ok := in.Original.Column(name)
		now, still := in.Current.Column(name)
		if m.Distance == Gower && !(ok && still && was.Numeric() && now.Numeric()) {
			categories = append(categories, name)
		} else {
			numbers = append(numbers, name)
		}
	}
	return numbers, categories
}

// Compute assigns the records, in O(n²) time per round within a block and O(n) memory.
func (m *OneToOne) Compute(ctx context.Context, in measure.Input, meter *progress.Meter) (out measure.Values, _ error) {
	numbers, categories := m.variables(in)
	pairs, err := numeric.PairsIn(ctx, in, numbers)
	if err != nil {
		return out, err
	}
	s := m.sides(in, pairs, categories)
	meter.Start(int64(s.n))
	a := &oneToOneResult{pairs: pairs}
	columnOf, blocks, err := s.link(ctx, m.Block, meter)
	if err != nil {
		return out, err
	}
	a.found, a.blocks = s.right(columnOf), blocks
	for i, k := range columnOf {
		a.linked += s.distance(i, k) / float64(s.n)
		a.own += s.distance(i, i) / float64(s.n)
	}
	values := a.values()
	values.Notes = append(pairs.Notes(), "distance: "+m.Distance)
	if len(categories) > 0 {
		values.Notes = append(values.Notes, "categories: "+wording.Listed(categories))
	}
	return values, ctx.Err()
}

// sides scales the variables for the distance.
func (m *OneToOne) sides(in measure.Input, pairs *numeric.Pairs, categories []string) *sides {
	s := &sides{n: len(pairs.Rows), numbers: len(pairs.Names), width: len(pairs.Names) + len(categories),
		squared: m.Distance == Euclid || m.Distance == Mahalanobis}
	masked, known := stat.Standardised(pairs.Current), stat.Standardised(pairs.Original)
	switch m.Distance {
	case Mahalanobis:
		root, free := stat.Independent(stat.Covariance(pairs.Original))
		masked = stat.Unrooted(root, stat.Variables(pairs.Current, free))
		known = stat.Unrooted(root, stat.Variables(pairs.Original, free))
		s.numbers, s.width = len(free), len(free)
	case Gower:
		masked, known = inShares(pairs, s.width)
		s.category = 1 / float64(s.width)
	}
	for _, name := range categories {
		was, _ := in.Original.Column(name)
		now, _ := in.Current.Column(name)
		w, c := equalCodes(was.Categories(), now.Categories(), pairs.Rows)
		masked, known = append(masked, c), append(known, w)
	}
	s.masked, s.known = byRecord(masked, s.n), byRecord(known, s.n)
	return s
}

// oneToOneResult is the result of one-to-one linkage.
type oneToOneResult struct {
	pairs       *numeric.Pairs
	found       []float64 // per record: probability that its link is correct
	linked, own float64   // mean distance to the linked record and to the own original
	blocks      int
}

func (a *oneToOneResult) values() measure.Values {
	n := len(a.found)
	numbers := []measure.Value{
		{Name: "linkage_one_to_one", Title: "one-to-one linkage", Number: stat.Mean(a.found), Unit: measure.Mean, Better: measure.Lower},
		{Name: "distance_linked", Title: "mean distance to the linked record", Number: a.linked},
		{Name: "distance_own", Title: "mean distance to the record's own original", Number: a.own},
		{Name: "records", Title: "records linked", Number: float64(n), Unit: measure.Count, Of: n + a.pairs.Incomplete},
	}
	if n == 0 {
		numbers[1].Number, numbers[2].Number = math.NaN(), math.NaN()
	}
	if a.blocks > 1 {
		numbers = append(numbers, measure.Value{Name: "blocks", Title: "blocks linked separately",
			Number: float64(a.blocks), Unit: measure.Count})
	}
	return measure.Values{Numbers: numbers, Result: a, Records: []func(int) float64{a.pairs.OfRecord(a.found)}}
}

var oneToOneDefinitions = measure.Definitions{
	"linkage_one_to_one": {"Share of masked records that are linked to their own original, if all are linked to different records so " +
		"that the sum of the distances is minimal. Equal records are linked at random. For a record: the probability " +
		"that its link is correct.",
		"mean of links of its kind / (equal masked records x equal original records)"},
	"distance_linked": {"Mean distance between a masked record and the original that it is linked to; no other one-to-one linkage " +
		"has a smaller mean.", "sum of distances / records"},
	"distance_own": {"Mean distance between a masked record and its own original: how far masking moved it.", "sum of distances / records"},
	"records":      {"Linked records: those with a value in every numeric variable, originally and now.", "number of records"},
	"blocks": {"If there are more records than can be linked at once, both files are halved by the order of their values " +
		"until the blocks are small enough. Records are linked only within a block.",
		"number of blocks"},
}
