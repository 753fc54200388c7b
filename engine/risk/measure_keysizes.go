package risk

import (
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// KeySizesSpec describes how many records share a key.
func KeySizesSpec() measure.Spec {
	return assessed{keySizes, explainKeySize}.spec(measure.Spec{
		Name:   "keysizes",
		Groups: true,
		Title:  "sizes of the keys",
		Help: "A key is a combination of values of the key variables that occurs in the file, missing being a value of its own. Counts the " +
			"distinct keys and the records that share one. Distinctness is the number of distinct keys by that of records. Separation is the share of " +
			"pairs of records that the key variables distinguish: 1 minus the sum of f - 1 over the records, by n (n - 1), where f is the frequency of " +
			"a record's key under the rule for missing values of the scenario.",
		Cite:    measure.SourceGuide + "; Motwani and Xu 2007, Efficient Algorithms for Masking and Finding Quasi-Identifiers (distinctness, separation)",
		Section: "Distinct keys",
		Page: measure.Page{Meaning: measure.Telling("The number of different keys is %s, that of those which one record alone has is %s.",
			"keys", "keys_of_one")},
		Shown: measure.Screen | measure.Report,
	})
}

func keySizes(a *Assessment) measure.Values {
	counts, once, mean := a.table.Counts(), a.keysOfOne(), 0.0
	if len(counts) > 0 {
		mean = float64(a.Records) / float64(len(counts))
	}
	number := func(name, title string, n float64, unit measure.Unit, better measure.Direction) measure.Value {
		// the pane of distinct keys shows them
		return measure.Value{Name: name, Title: title, Number: n, Unit: unit, Better: better, Hidden: measure.Screen}
	}
	shared := number("mean_size", "records that share a key, on average", mean, measure.Amount, measure.Higher)
	shared.Labels.ShortRow = "records per key, on average"
	return measure.Values{Numbers: []measure.Value{
		number("keys", "distinct keys", float64(len(counts)), measure.Count, measure.Lower),
		shared,
		number("keys_of_one", "keys of one record", float64(once), measure.Count, measure.Lower),
		number("largest", "records of the largest key", float64(slices.Max(append([]int{0}, counts...))), measure.Count,
			measure.Either),
		number("distinctness", "distinctness", float64(len(counts))/float64(a.Records), measure.Probability, measure.Lower),
		number("separation", "separation", a.separation(), measure.Probability, measure.Lower),
	}}
}

// separation is the share of pairs of records that the key variables distinguish; NaN where
// there is no pair.
func (a *Assessment) separation() float64 {
	return 1 - a.alike()/(float64(a.Records)*float64(a.Records-1))
}

// alike is the sum, over the records, of the others that are not distinguished from them.
func (a *Assessment) alike() (sum float64) {
	for key, records := range a.table.Counts() {
		sum += float64(records) * (a.frequencies.Sample[key] - 1)
	}
	return sum
}

// keysOfOne counts the distinct keys of one record.
func (a *Assessment) keysOfOne() (keys int) {
	for _, records := range a.table.Counts() {
		if records == 1 {
			keys++
		}
	}
	return keys
}

func explainKeySize(a *Assessment, what *measure.What) (e measure.Explanation) {
	number := func(name string) string {
		for i := range what.Values.Numbers {
			if v := &what.Values.Numbers[i]; v.Name == name {
				return v.Text()
			}
		}
		return ""
	}
	e = measure.Explanation{Name: wording.Capital(what.Value.Title), Value: what.Value.Text(),
		Definition: KeySizesSpec().Help, Source: measure.SourceGuide}
	defer func() {
		if what.Original != nil {
			e.Values = append(e.Values, "in the original data: "+what.Original.Text())
		}
	}()
	switch what.Value.Name {
	case "mean_size":
		e.Name = "Mean size of the keys"
		e.Formula = "records / distinct keys"
		e.Values = []string{wording.Number(a.Records) + " / " + number("keys") + " = " + what.Value.Text()}
	case "keys":
		e.Formula = "number of distinct keys"
		more := wording.Number(a.table.Keys() - a.keysOfOne())
		e.Values = []string{"keys of one record: " + number("keys_of_one"),
			"keys of more, up to " + number("largest") + ": " + more,
			number("keys_of_one") + " + " + more + " = " + what.Value.Text()}
	case "distinctness":
		e.Name = "Distinctness"
		e.Formula = "distinct keys / records"
		e.Values = []string{number("keys") + " / " + wording.Number(a.Records) + " = " + what.Value.Text()}
	case "separation":
		e.Name = "Separation"
		e.Formula = "1 - sum (f - 1) / (n (n - 1)), over the records"
		e.Values = []string{"pairs of records, in both orders: " + wording.Number(a.Records*(a.Records-1)),
			"of them not distinguished, sum of f - 1: " + wording.Precise(a.alike()),
			"1 - " + wording.Precise(a.alike()) + " / " + wording.Number(a.Records*(a.Records-1)) + " = " + what.Value.Text()}
	case "keys_of_one":
		e.Formula = "number of keys with 1 record"
		e.Values = []string{what.Value.Text() + " of " + number("keys") + " keys"}
	default:
		e.Formula = "largest number of records with the same key"
		e.Values = []string{what.Value.Text() + " of " + wording.Number(a.Records) + " records"}
	}
	return e
}
