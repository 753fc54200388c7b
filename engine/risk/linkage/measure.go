// Package linkage measures record linkage: how many masked records an intruder finds by the values of numeric
// variables, in the original data or in an external file.
//
//	spec := linkage.Spec()
//	entry, err := spec.Compute(ctx, measure.Input{Original: was, Current: now}, spec.New(), nil)
//	fmt.Println(entry.Value("linkage", 0).Number)
package linkage

import (
	"context"
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// Name is the name of the measure in scripts.
const Name = "linkage"

// Linkage is the measure of record linkage. Weights are ignored.
type Linkage struct {
	Variables   []string  // nil: the numeric key variables
	Weights     []float64 // weights of the variables in distances; nil: 1 each
	FalseLinks  float64   // accepted probability that a non-match is a link
	MissedLinks float64   // accepted probability that a match is not a link
	EM          bool      // also link with m and u estimated by EM
	External    string    // text of an external file, or ""
	ID          string    // variable that identifies persons in both files, or "" if unknown
}

// Spec describes record linkage.
func Spec() measure.Spec {
	return measure.Spec{
		Name:  Name,
		Title: "record linkage",
		Help: "Links masked records to their original records, as an intruder would.\n" +
			"- distance-based: each masked record is linked to the nearest original record, with both files " +
			"standardised. The measure is the share of correct links. If several records are equally near, each " +
			"counts as a fraction.\n" +
			"- probabilistic (Fellegi and Sunter): each masked record is linked to the original record with the " +
			"largest sum of weights log2 (m / u), one for each variable. m and u are the shares of true and of false " +
			"pairs with the same difference of values, in steps of standard deviations. They come from the true " +
			"pairs, which are known here.\n" +
			"- limits: pairs above an upper limit, set by the accepted probability of false links, are links. Pairs " +
			"below a lower limit, set by that of missed links, are not.\n" +
			"- DR: the mean of both shares, in percent.\n" +
			"- external file: masked records are linked to its records by the variables with the same names. An ID " +
			"variable in both files shows which links are correct.",
		Cite: "Pagliuca and Seri (1999), Esprit SDC project deliverable; Fellegi and Sunter (1969), Journal of the American Statistical Association 64, 1183-1210; " +
			"Domingo-Ferrer and Torra (2001), Confidentiality, Disclosure and Data Access, 111-134",
		Section: "Record linkage",
		Columns: []measure.Column{{Name: "linkage", Title: "distance-based linkage", Unit: measure.Probability},
			{Name: "linkage_probabilistic", Title: "probabilistic linkage", Unit: measure.Probability}},
		New: func() measure.Measure { return New() }, Definitions: definitions,
		Page: measure.Page{Headline: []string{"linkage", "linkage_probabilistic", "dr"}, Meaning: meaning,
			Bars: func(v *measure.Values) []measure.Bar {
				return v.BarsOf("linkage", "linkage_probabilistic", "linkage_em", "external")
			}, Drawn: "share of records linked correctly", Worst: "linkage"},
	}
}

// New returns the measure with its defaults.
func New() *Linkage { return &Linkage{FalseLinks: 0.0001, MissedLinks: 0.05} }

// Params returns the parameters, bound to the fields of m.
func (m *Linkage) Params() []method.Param {
	return []method.Param{
		numeric.ChosenParam(&m.Variables, "numeric variables for linkage"),
		method.Numbers(&m.Weights, "weights", "weight of each variable in distances").Empty("1 each"),
		method.Number(&m.FalseLinks, "false_links", "accepted probability that a false pair is linked").Between(0, 1),
		method.Number(&m.MissedLinks, "missed_links", "accepted probability that a true pair is not linked").Between(0, 1),
		method.Switch(&m.EM, "em", "also link with m and u estimated by EM, without the true pairs, as an intruder could").
			Labelled("EM linkage"),
		method.File(&m.External, "external",
			"external file with variables of the same names").InScripts("--measure-params gives its path").
			Labelled("external file"),
		method.Text(&m.ID, "id",
			"ID variable in both files").Empty("links to the external file cannot be verified").Labelled("ID variable"),
	}
}

// Needs returns which variables are missing or not numeric, or which weights are invalid, or "".
func (m *Linkage) Needs(in measure.Input) string {
	names := numeric.Chosen(in, m.Variables)
	if reason := numeric.UnpairedIn(in, names); reason != "" {
		return reason
	}
	if m.Weights != nil && len(m.Weights) != len(names) {
		return fmt.Sprintf("there are %d weights for %d variables", len(m.Weights), len(names))
	}
	for _, w := range m.Weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Sprintf("the weight %v is not a number of at least 0", w)
		}
	}
	if _, ok := in.Current.Data().Column(m.ID); m.ID != "" && !ok {
		return "the file has no variable " + m.ID
	}
	return ""
}

// Compute links records with a tree, in time O(n log n) for few variables, and memory for a few numbers per
// record. An error in the external file wraps method.ErrParam.
func (m *Linkage) Compute(ctx context.Context, in measure.Input, meter *progress.Meter) (out measure.Values, _ error) {
	names := numeric.Chosen(in, m.Variables)
	pairs, err := numeric.PairsIn(ctx, in, names)
	if err != nil {
		return out, err
	}
	n := len(pairs.Rows)
	meter.Start(2 * int64(n))
	f := &linkageResult{pairs: pairs}
	l := linker{masked: m.scaled(pairs.Current), known: m.scaled(pairs.Original), truth: own(n)}
	if f.distance, err = l.byDistance(ctx, meter); err != nil {
		return out, err
	}
	l = linker{masked: stat.Standardised(pairs.Current), known: stat.Standardised(pairs.Original), truth: l.truth}
	if f.probability, err = l.byProbability(ctx, m, meter); err != nil {
		return out, err
	}
	if m.EM && n > 0 {
		if f.free, err = l.byEvidence(ctx, m, l.free(), nil); err != nil {
			return out, err
		}
	}
	if m.External != "" {
		if f.external, err = m.linkExternal(ctx, in, names); err != nil {
			return out, err
		}
	}
	values := f.values()
	values.Explain = func(e *measure.Explanation, what *measure.FigureKey) { m.explain(f.probability, e, what) }
	return values, ctx.Err()
}

// ByDistance returns the share of masked records whose nearest original record is their own: the value of the
// measure with its defaults, in time O(n log n) for few variables.
func ByDistance(ctx context.Context, p *numeric.Pairs, meter *progress.Meter) (measure.Value, error) {
	l := linker{masked: stat.Standardised(p.Current), known: stat.Standardised(p.Original), truth: own(len(p.Rows))}
	found, err := l.byDistance(ctx, meter)
	return byDistance(found), err
}

// own returns the identity: masked record i matches known record i.
func own(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// scaled returns standardised variables multiplied by the square roots of their weights.
func (m *Linkage) scaled(variables [][]float64) [][]float64 {
	out := stat.Standardised(variables)
	for j := range m.Weights {
		root := math.Sqrt(m.Weights[j])
		for i := range out[j] {
			out[j][i] *= root
		}
	}
	return out
}
