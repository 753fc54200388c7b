package risk

import ()

import "sort"

// Distribution answers, for any threshold, how many records have an individual risk above it and what the file's
// risk would be without them. It is immutable.
type Distribution struct {
	Records int
	risks   []float64 // distinct, ascending
	above   []int     // records with at least this risk
	sums    []float64 // sum of the risks of these records
}

// Distribution returns the distribution of the individual risks over the records. It is computed on first use in
// O(keys log keys).
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

// Risks returns the distinct risks of the file, ascending. The slice must not be modified.
func (d *Distribution) Risks() []float64 { return d.risks }

// place returns the index of the first risk above a threshold.
func (d *Distribution) place(threshold float64) int {
	return sort.Search(len(d.risks), func(i int) bool { return d.risks[i] > threshold })
}

// Above returns the number of records with a risk above the threshold, and the sum
// of their risks.
func (d *Distribution) Above(threshold float64) (records int, expected float64) {
	at := d.place(threshold)
	return d.above[at], d.sums[at]
}

// Lowered returns the sum of the risks with each risk above the threshold replaced by the threshold.
func (d *Distribution) Lowered(threshold float64) float64 {
	records, expected := d.Above(threshold)
	return d.sums[0] - expected + float64(threshold*float64(records))
}
