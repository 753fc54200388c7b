package numericrisk

import (
	"context"
	"errors"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/numeric"
)

// widthOfDistance is the factor of the robust distance in the width of the interval, as in Templ and Meindl
// (2008).
const widthOfDistance = 0.05

// robust has the measures based on robust distances.
type robust struct {
	share, weighted             float64   // RMDID1, and weighted by distances
	alone, aloneWeighted        float64   // RMDID2, and weighted by distances
	distances, inside, isolated []float64 // per pair; the last two are 0 or 1
	none                        string    // reason if they cannot be computed
}

// robust computes RMDID1 and RMDID2, both also weighted. It finds nearest masked records with a tree.
func (r *Risk) robust(ctx context.Context, p *numeric.Pairs) (robust, error) {
	n := len(p.Rows)
	out := robust{share: math.NaN(), weighted: math.NaN(), alone: math.NaN(), aloneWeighted: math.NaN(), distances: nans(n), inside: nans(n),
		isolated: nans(n)}
	if n < 2 {
		out.none = "too few records"
		return out, nil
	}
	original, masked := stat.Standardised(p.Original), stat.Standardised(p.Current)
	mcd, err := stat.NewMCD(ctx, original)
	if errors.Is(err, stat.ErrSingular) {
		out.none = "half of the records lie on a plane"
		return out, ctx.Err()
	} else if err != nil {
		return out, err
	}
	if out.distances, err = stat.Mahalanobis(original, stat.Means(original), mcd.Covariance); err != nil {
		return out, err
	}
	for i := range out.distances {
		out.distances[i] = math.Sqrt(out.distances[i])
	}
	tree := stat.NewTree(masked, nil)
	err = parallel.Blocks(ctx, n, parallel.Workers(n, n), func(_, from, to int) {
		at := make([]float64, len(masked))
		for i := from; i < to; i++ {
			out.inside[i], out.isolated[i] = 0, 0
			for j := range masked {
				at[j] = masked[j][i]
				if math.Abs(original[j][i]-at[j]) < r.RMDK*widthOfDistance*out.distances[i] {
					out.inside[i] = 1
				}
			}
			if out.inside[i] == 0 {
				continue
			}
			if nearer, ties := tree.Nearer(at, r.RMDK2*r.RMDK2, i); !nearer && ties == 0 {
				out.isolated[i] = 1
			}
		}
	})
	out.share, out.weighted = weightedBy(out.inside, out.distances)
	out.alone, out.aloneWeighted = weightedBy(out.isolated, out.distances)
	return out, err
}

// weightedBy returns the share of the records with counts 1, and that share times the sum of their interval
// widths.
func weightedBy(counts, distances []float64) (share, weighted float64) {
	sum := 0.0
	for i, d := range distances {
		share, sum = share+counts[i], sum+float64(counts[i]*d)
	}
	share /= float64(len(distances))
	return share, share * widthOfDistance * sum
}

func nans(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}
