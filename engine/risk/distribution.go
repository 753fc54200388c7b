package risk

import ()

import "sort"

// Distribution tells of any threshold how many records have an individual risk above
// it, and what would be left of the risk of the file. It is immutable.
type Distribution struct {
	Records int
	risks   []float64 // distinct, ascending
	above   []int     // records with at least the risk of each place
	sums    []float64 // their sum of risks
}

// Distribution returns how the individual risks are distributed over the records,
// computed when first asked for in O(keys log keys).
func (a *Assessment) Distribution() *Distribution { return a.distribution() }

func (a *Assessment) makeDistribution() *Distribution {
	r := a.ranking()
	n := len(r.risks)
	d := &Distribution{Records: a.Records, risks: r.risks, above: make([]int, n+1), sums: make([]float64, n+1)}
	for i := n - 1; i >= 0; i-- {
		d.above[i] = d.above[i+1] + r.records[i]
		d.sums[i] = d.sums[i+1] + float64(r.risks[i]*float64(r.records[i]))
	}
	return d
}

// Risks returns the distinct risks of the file, ascending; not to be modified.
func (d *Distribution) Risks() []float64 { return d.risks }

// place returns that of the first risk above a threshold.
func (d *Distribution) place(threshold float64) int {
	return sort.Search(len(d.risks), func(i int) bool { return d.risks[i] > threshold })
}

// Above returns the number of records with a risk above the threshold, and the sum
// of their risks.
func (d *Distribution) Above(threshold float64) (records int, expected float64) {
	at := d.place(threshold)
	return d.above[at], d.sums[at]
}

// Lowered returns the sum of the risks if every one above the threshold were as low as
// it.
func (d *Distribution) Lowered(threshold float64) float64 {
	records, expected := d.Above(threshold)
	return d.sums[0] - expected + float64(threshold*float64(records))
}
