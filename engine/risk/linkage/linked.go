package linkage

import (
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// found is what the measure found of the pairs.
type found struct {
	pairs       *numeric.Pairs
	distance    []float64
	probability *probable
	free        *probable // by EM; nil: not asked for
	external    *outside  // nil: there is no file
}

// dr is the disclosure risk of Domingo-Ferrer and Torra, in percent: the mean of both
// shares.
func (f *found) dr() float64 {
	return 100 * (stat.Mean(f.distance) + stat.Mean(f.probability.found)) / 2
}

// part is a number that is a share of the records.
func part(name, title string, x float64) measure.Value {
	return measure.Value{Name: name, Title: title, Number: x, Unit: measure.Mean, Better: measure.Lower}
}

// byDistance is the number of those found by distance.
func byDistance(found []float64) measure.Value {
	return part("linkage", "found by distance", stat.Mean(found))
}

func (f *found) values() measure.Values {
	n, p, count := len(f.pairs.Rows), f.probability, measure.CountOf
	numbers := []measure.Value{
		byDistance(f.distance),
		part("linkage_probabilistic", "found by probability", stat.Mean(p.found)),
		{Name: "dr", Title: "DR, percent", Number: f.dr(), Better: measure.Lower},
		count("links", "best pairs that count as links", p.links, n),
		count("links_correct", "right ones among the links", p.correct, p.links),
		count("links_possible", "best pairs between the limits", p.possible, n),
		{Name: "records", Title: "records linked", Number: float64(n), Unit: measure.Count, Of: n + f.pairs.Incomplete},
	}
	if f.free != nil {
		numbers = append(numbers, part("linkage_em", "found by EM, without the truth", stat.Mean(f.free.found)))
	}
	if o := f.external; o != nil {
		numbers = append(numbers,
			part("external", "found in your file", o.correct),
			count("external_single", "records with one nearest in your file", o.single, o.masked),
			count("external_mutual", "pairs that are each other's nearest", o.mutual, o.masked),
			count("external_known", "records whose person is in your file", o.known, o.masked),
			measure.Value{Name: "external_records", Title: "records of your file with all values", Number: float64(o.records),
				Unit: measure.Count})
		if external := &numbers[len(numbers)-5]; math.IsNaN(external.Number) {
			external.None = "nobody knows who is who"
		}
	}
	return measure.Values{Numbers: numbers, Tables: []measure.Table{f.weights()}, Notes: f.pairs.Notes(),
		Result:  f,
		Records: []func(int) float64{f.pairs.OfRecord(f.distance), f.pairs.OfRecord(p.found)}}
}

// weights lists what the steps of each variable say.
func (f *found) weights() measure.Table {
	t := measure.Table{Name: "weights", Title: "What differences say",
		Columns: []string{"variable", "difference in sd", "right pairs", "wrong pairs", "weight"}}
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
	"linkage": {"The share of masked records whose nearest original record, by the distance of standardised variables, is their own; of several equally near ones one is taken at random. Of a record: the probability that it is found.",
		"mean of 1 / ties where the own record is among the nearest, else 0"},
	"linkage_probabilistic": {"The share of masked records whose best pair, by the weights of Fellegi and Sunter, is the right one, ties shared. Of a record: the probability that it is found. m and u are taken from the true pairs, which an intruder does not know: he finds fewer.",
		"highest sum over variables of log2 (m / u)"},
	"dr":             {"The disclosure risk of Domingo-Ferrer and Torra: the mean of the percentages of records found by distance and by probability.", "100 (by distance + by probability) / 2"},
	"links":          {"Masked records whose best pair is above the limit of links: wrong pairs reach it with no more than the accepted probability of false links.", "number of best pairs with a sum of at least the limit"},
	"links_correct":  {"Links that are right, ties shared.", "sum of 1 / ties"},
	"links_possible": {"Masked records whose best pair is between the limits: right pairs lie below the lower one with no more than the accepted probability of missed links.", "number of best pairs"},
	"records": {"Records that are linked: all that have a value in each of the variables, then and now.",
		"number of records"},
	"linkage_em": {"The share of masked records whose best pair is the right one by weights that EM finds in the pairs of up to 1,000 records of each file, without knowing any right pair: what an intruder could do. " +
		"EM parts pairs into two classes that differ most, which need not be right and wrong ones: a low share is no protection.", "highest sum over variables of log2 (m / u)"},
	"external":        {"The share of masked records whose person is in your file and that are nearest to that person's record there, ties shared.", "mean of 1 / ties"},
	"external_single": {"Masked records that have one nearest record in your file: what an intruder would claim to have found.", "number of records"},
	"external_mutual": {"Pairs of a masked record and one of your file each of which is the only nearest of the other: what an intruder would be surest of.", "number of pairs"},
	"external_known": {"Masked records whose identifier stands once in the data and once in your file.",
		"number of records"},
	"external_records": {"Records of your file that have a value in each of the variables.", "number of records"},
}

// explain says where the limits of links are.
func (m *Linkage) explain(p *probable, e *measure.Explanation, what *measure.What) {
	if name := what.Value.Name; name == "links" || name == "links_possible" {
		e.Values = append(e.Values, fmt.Sprintf("links from a sum of %.2f, none below %.2f", p.linkLimit, p.noneLimit),
			fmt.Sprintf("accepted: false links %v, missed links %v", m.FalseLinks, m.MissedLinks))
	}
}

// meaning says what the figures mean.
func meaning(v *measure.Values) string {
	distance, probability := v.Find("linkage", ""), v.Find("linkage_probabilistic", "")
	if distance == nil || probability == nil {
		return ""
	}
	return fmt.Sprintf("Who knows the original values and takes the nearest masked record is right for %s of the records, by probability for %s.",
		distance.Text(), probability.Text())
}
