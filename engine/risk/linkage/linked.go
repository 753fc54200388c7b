package linkage

import (
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// linkageResult is the result of the measure.
type linkageResult struct {
	pairs       *numeric.Pairs
	distance    []float64
	probability *probabilisticResult
	free        *probabilisticResult // by EM; nil: not requested
	external    *outside             // nil: no external file
}

// dr returns the disclosure risk of Domingo-Ferrer and Torra in percent: the mean of both shares.
func (f *linkageResult) dr() float64 {
	return 100 * (stat.Mean(f.distance) + stat.Mean(f.probability.found)) / 2
}

// part returns a value that is a share of the records.
func part(name, title string, x float64) measure.Value {
	return measure.Value{Name: name, Title: title, Number: x, Unit: measure.Mean, Better: measure.Lower}
}

// byDistance returns the value of distance-based linkage.
func byDistance(found []float64) measure.Value {
	return part("linkage", "distance-based linkage", stat.Mean(found))
}

func (f *linkageResult) values() measure.Values {
	n, p, count := len(f.pairs.Rows), f.probability, measure.CountOf
	numbers := []measure.Value{
		byDistance(f.distance),
		part("linkage_probabilistic", "probabilistic linkage", stat.Mean(p.found)),
		{Name: "dr", Title: "DR, percent", Number: f.dr(), Better: measure.Lower},
		count("links", "best pairs accepted as links", p.links, n),
		count("links_correct", "correct links", p.correct, p.links),
		count("links_possible", "best pairs between the limits", p.possible, n),
		{Name: "records", Title: "records linked", Number: float64(n), Unit: measure.Count, Of: n + f.pairs.Incomplete},
	}
	if f.free != nil {
		numbers = append(numbers, part("linkage_em", "linked with EM, without true pairs", stat.Mean(f.free.found)))
	}
	if o := f.external; o != nil {
		numbers = append(numbers,
			part("external", "linked to the external file", o.correct),
			count("external_single", "records with a single nearest record in the external file", o.single, o.masked),
			count("external_mutual", "mutually nearest pairs", o.mutual, o.masked),
			count("external_known", "records whose person is in the external file", o.known, o.masked),
			measure.Value{Name: "external_records", Title: "complete records of the external file", Number: float64(o.records),
				Unit: measure.Count})
		if external := &numbers[len(numbers)-5]; math.IsNaN(external.Number) {
			external.None = "no ID variable"
		}
	}
	return measure.Values{Numbers: numbers, Tables: []measure.Table{f.weights()}, Notes: f.pairs.Notes(),
		Result:  f,
		Records: []func(int) float64{f.pairs.OfRecord(f.distance), f.pairs.OfRecord(p.found)}}
}

// weights lists m, u and the weight for each variable and level.
func (f *linkageResult) weights() measure.Table {
	t := measure.Table{Name: "weights", Title: "Weights of differences",
		Columns: []string{"variable", "difference in sd", "true pairs", "false pairs", "weight"}}
	for j, e := range f.probability.of {
		for level := range levels {
			step := "more than " + fmt.Sprint(steps[len(steps)-1])
			if level < len(steps) {
				step = "up to " + fmt.Sprint(steps[level])
			}
			t.Rows = append(t.Rows, []any{f.pairs.Names[j], step, measure.Percent(100 * e.m[level]),
				measure.Percent(100 * e.u[level]), e.weight[level]})
		}
	}
	return t
}

var definitions = measure.Definitions{
	"linkage": {"Share of masked records whose nearest original record, by the distance of standardised variables, is their " +
		"own; ties are broken at random. For a record: the probability of a correct link.",
		"mean of 1 / ties if the record's own original is among the nearest, otherwise 0"},
	"linkage_probabilistic": {"Share of masked records whose best pair, by the weights of Fellegi and Sunter, is the true one, with ties " +
		"split. For a record: the probability of a correct link. m and u come from the true pairs, which an intruder " +
		"does not know; an intruder links fewer records.",
		"largest sum over the variables of log2 (m / u)"},
	"dr": {"The disclosure risk of Domingo-Ferrer and Torra: the mean of the percentages of records found by " +
		"distance-based and probabilistic linkage.", "100 (by distance + by probability) / 2"},
	"links": {"Masked records whose best pair is above the limit for links, which false pairs exceed with at most the " +
		"accepted probability of false links.", "number of best pairs with a sum of at least the limit"},
	"links_correct": {"Correct links, with ties split.", "sum of 1 / ties"},
	"links_possible": {"Masked records whose best pair is between the limits. True pairs are below the lower limit with at most the " +
		"accepted probability of missed links.", "number of best pairs"},
	"records": {"Linked records: those with a value in every variable, originally and now.",
		"number of records"},
	"linkage_em": {"Share of masked records whose best pair is the true one with weights estimated by EM from the pairs of up " +
		"to 1,000 records of each file, without any true pair, as an intruder could. EM separates the pairs into the " +
		"two classes that differ most; these need not be true and false pairs, so a low share does not show " +
		"protection.", "largest sum over the variables of log2 (m / u)"},
	"external": {"Share of masked records whose person is in the external file and whose nearest record there is that " +
		"person's, with ties split.", "mean of 1 / ties"},
	"external_single": {"Masked records with a single nearest record in the external file: the links that an intruder would claim.", "number of records"},
	"external_mutual": {"Pairs of a masked record and an external record that are each other's single nearest record: the links that " +
		"an intruder would be most certain of.", "number of pairs"},
	"external_known": {"Masked records whose ID occurs once in the data and once in the external file.",
		"number of records"},
	"external_records": {"Records of the external file with a value in every variable.", "number of records"},
}

// explain adds the limits of links.
func (m *Linkage) explain(p *probabilisticResult, e *measure.Explanation, what *measure.FigureKey) {
	if name := what.Value.Name; name == "links" || name == "links_possible" {
		e.Values = append(e.Values, fmt.Sprintf("link if the sum is at least %.2f, no link if it is below %.2f", p.linkLimit, p.noneLimit),
			fmt.Sprintf("accepted: false links %v, missed links %v", m.FalseLinks, m.MissedLinks))
	}
}

// meaning returns a sentence on what the figures mean.
func meaning(v *measure.Values) string {
	distance, probability := v.Find("linkage", ""), v.Find("linkage_probabilistic", "")
	if distance == nil || probability == nil {
		return ""
	}
	return fmt.Sprintf("An intruder who knows the original values finds %s of the records by the nearest masked record, and %s by "+
		"probabilistic linkage.",
		distance.Text(), probability.Text())
}
