package loss

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
)

// statistic has the deviation of a statistic of the masked data from that of the original.
type statistic struct {
	name, title                 string
	square, absolute, variation float64 // NaN: undefined
	zeros                       int     // entries with original value 0, excluded from the variation
}

// accumulator accumulates differences.
type accumulator struct {
	square, absolute, variation, weight, varied float64
	zeros                                       int
}

func (g *accumulator) add(original, masked, weight float64) {
	d := math.Abs(original - masked)
	g.square += float64(weight * d * d)
	g.absolute += float64(weight * d)
	g.weight++
	if original == 0 {
		g.zeros++
		return
	}
	g.variation += float64(weight * d / math.Abs(original))
	g.varied++
}

// mean divides the sums by the number of entries. Weighted entries count as one each, because the table divides by
// p^2.
func (g *accumulator) mean(name, title string) statistic {
	return statistic{name, title, g.square / g.weight, g.absolute / g.weight, g.variation / g.varied, g.zeros}
}

// undefined returns a statistic that does not exist for the data.
func undefined(name, title string) statistic {
	return statistic{name: name, title: title, square: math.NaN(), absolute: math.NaN(), variation: math.NaN()}
}

// compare computes the table of statistics of Domingo-Ferrer and Torra (2001).
func (f *results) compare() {
	var numbers, means, covariances, variances, correlations accumulator
	for j, original := range f.pairs.Original {
		for i, x := range original {
			numbers.add(x, f.pairs.Current[j][i], 1)
		}
		means.add(f.x.means[j], f.m.means[j], 1)
		variances.add(f.x.covariance[j][j], f.m.covariance[j][j], 1)
		for k := range j + 1 {
			covariances.add(f.x.covariance[k][j], f.m.covariance[k][j], 1)
			if k < j {
				correlations.add(f.x.correlation[k][j], f.m.correlation[k][j], 1)
			}
		}
	}
	f.compared = []statistic{numbers.mean("numbers", "values"), means.mean("means", "means"),
		covariances.mean("covariances", "covariances"),
		variances.mean("variances", "variances"), correlations.mean("correlations", "correlations")}
	if f.x.constant || f.m.constant {
		f.compared[4] = undefined("correlations", "correlations")
	}
	f.components()
}

// components compares principal components. Column j is weighted by its share of the original variance, and sums
// are divided by p^2.
func (f *results) components() {
	const factors, scores, communalities = "correlations with principal components", "score coefficients", "communalities"
	if f.x.constant || f.m.constant {
		f.compared = append(f.compared, undefined("factors", factors), undefined("scores", scores),
			undefined("communalities", communalities))
		return
	}
	var rf, coefficients, shares accumulator
	p := len(f.x.values)
	for j := range p {
		weight := f.x.values[j] / float64(p)
		for i := range p {
			rf.add(loading(&f.x, i, j), loading(&f.m, i, j), weight)
			coefficients.add(loading(&f.x, i, j)/f.x.values[j], loading(&f.m, i, j)/f.m.values[j], weight)
		}
	}
	for i := range p {
		a, b := loading(&f.x, i, 0), loading(&f.m, i, 0)
		shares.add(a*a, b*b, 1)
	}
	f.compared = append(f.compared, rf.mean("factors", factors), coefficients.mean("scores", scores),
		shares.mean("communalities", communalities))
	if !f.x.invertible() || !f.m.invertible() {
		f.compared[6] = undefined("scores", scores)
	}
}

// loading returns the correlation of variable i with principal component j.
func loading(s *side, i, j int) float64 {
	return s.vectors[i][j] * math.Sqrt(math.Max(0, s.values[j]))
}

// total returns IL in percent: the mean of the deviations of values, means, covariances, variances and
// correlations.
func (f *results) total() float64 {
	c := f.compared
	correlations := c[4].absolute
	if len(f.pairs.Names) == 1 {
		correlations = 0 // there are no correlations to lose
	}
	return 100 * stat.Mean([]float64{c[0].variation, c[1].variation, c[2].variation, c[3].variation, correlations})
}
