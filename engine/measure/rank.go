package measure

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Rank is the rank of a record by a figure, the highest first.
type Rank struct {
	Higher int // records with a higher figure
	Of     int // records with a figure
}

// RankOf returns the rank of a row's figure among all records, in one pass over the rows; NaN means that a row has
// no figure.
func RankOf(data *microdata.Dataset, figure func(row int) float64, row int) (r Rank) {
	at, multiplicity := figure(row), data.Multiplicity()
	for other := range data.Len() {
		y := figure(other)
		if math.IsNaN(y) {
			continue
		}
		records := 1
		if multiplicity != nil {
			records = int(multiplicity[other])
		}
		r.Of += records
		if y > at {
			r.Higher += records
		}
	}
	return r
}
