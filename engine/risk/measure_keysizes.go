package risk

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// KeySizesSpec describes the sizes of key patterns.
func KeySizesSpec() measure.Spec {
	return assessmentMeasure(keySizes).spec(measure.Spec{
		Name:   "keysizes",
		Groups: true,
		Title:  "key patterns",
		Help: "Counts the key patterns of the file, with missing as a separate value, and the records by the size of " +
			"their key pattern. Distinctness is the number of key patterns divided by the number of records. " +
			"Separation is the share of pairs of records that the key variables distinguish: 1 - sum (f - 1) / (n (n " +
			"- 1)), summed over all records, with f under the rule of the scenario.",
		Cite:    measure.SourceGuide + "; Motwani and Xu 2007 (distinctness, separation)",
		Section: "Key patterns",
		Page: measure.Page{Meaning: measure.Telling("There are %s key patterns; %s of them are sample uniques.",
			"keys", "keys_of_one")},
		Shown: measure.Screen | measure.Report,
		Definitions: measure.Definitions{
			"keys":         {"Number of different key patterns; missing is a separate value.", "number of key patterns", "Key patterns", measure.SourceGuide},
			"mean_size":    {"Mean number of records per key pattern.", "records / key patterns", "Mean size of key patterns", measure.SourceGuide},
			"keys_of_one":  {"Number of key patterns with one record; missing is a separate value.", "number of key patterns with 1 record", "Sample uniques, own category", measure.SourceGuide},
			"largest":      {"Number of records that share the most frequent key pattern.", "largest number of records with the same key pattern", "Size of the largest key pattern", measure.SourceGuide},
			"distinctness": {"Number of key patterns divided by the number of records.", "key patterns / records", "Distinctness", measure.SourceGuide},
			"separation":   {"Share of pairs of records that the key variables distinguish.", "1 - sum (f - 1) / (n (n - 1)), over the records", "Separation", measure.SourceGuide},
		},
	})
}

func keySizes(a *Assessment) measure.Values {
	counts, once, mean := a.table.Counts(), a.keysOfOne(), 0.0
	if len(counts) > 0 {
		mean = float64(a.Records) / float64(len(counts))
	}
	number := func(name, title string, n float64, unit measure.Unit, better measure.Direction) measure.Value {
		// the pane of key patterns shows them
		return measure.Value{Name: name, Title: title, Number: n, Unit: unit, Better: better, Hidden: measure.Screen}
	}
	shared := number("mean_size", "mean size of key patterns", mean, measure.Amount, measure.Higher)
	shared.Labels.ShortRow = "mean size of key patterns"
	return measure.Values{Numbers: []measure.Value{
		number("keys", "key patterns", float64(len(counts)), measure.Count, measure.Lower),
		shared,
		number("keys_of_one", "sample uniques, own category", float64(once), measure.Count, measure.Lower),
		number("largest", "size of the largest key pattern", float64(slices.Max(append([]int{0}, counts...))), measure.Count,
			measure.Either),
		number("distinctness", "distinctness", float64(len(counts))/float64(a.Records), measure.Probability, measure.Lower),
		number("separation", "separation", a.separation(), measure.Probability, measure.Lower),
	}, Explain: a.explainKeySize}
}

// separation returns the share of pairs of records that the key variables distinguish, or NaN if there are no
// pairs.
func (a *Assessment) separation() float64 {
	return 1 - a.alike()/(float64(a.Records)*float64(a.Records-1))
}

// alike returns the sum, over records, of the number of other records with the same key pattern.
func (a *Assessment) alike() (sum float64) {
	for key, records := range a.table.Counts() {
		sum += float64(records) * (a.frequencies.Sample[key] - 1)
	}
	return sum
}

// keysOfOne returns the number of key patterns with one record.
func (a *Assessment) keysOfOne() (keys int) {
	for _, records := range a.table.Counts() {
		if records == 1 {
			keys++
		}
	}
	return keys
}

// explainKeySize explains a figure with the numbers of key patterns and records.
func (a *Assessment) explainKeySize(e *measure.Explanation, what *measure.FigureKey) {
	records, once, pairs := wording.Number(a.Records), a.keysOfOne(), wording.Number(a.Records*(a.Records-1))
	keys, alone, alike := wording.Number(a.table.Keys()), wording.Number(once), wording.Precise(a.alike())
	switch what.Value.Name {
	case "mean_size":
		e.Values = []string{records + " / " + keys + " = " + e.Value}
	case "keys":
		more := wording.Number(a.table.Keys() - once)
		largest := wording.Number(slices.Max(append([]int{0}, a.table.Counts()...)))
		e.Values = []string{"sample uniques: " + alone, "key patterns with 2 to " + largest + " records: " + more,
			alone + " + " + more + " = " + e.Value}
	case "distinctness":
		e.Values = []string{keys + " / " + records + " = " + e.Value}
	case "separation":
		e.Values = []string{"pairs of records, in both orders: " + pairs, "of them not distinguished, sum of f - 1: " + alike,
			"1 - " + alike + " / " + pairs + " = " + e.Value}
	case "keys_of_one":
		e.Values = []string{e.Value + " of " + keys + " key patterns"}
	default:
		e.Values = []string{e.Value + " of " + records + " records"}
	}
	if what.Original != nil {
		e.Values = append(e.Values, "in the original: "+what.Original.Text())
	}
}
