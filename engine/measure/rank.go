package measure

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// Rank is the place that a record has by a figure, the highest first.
type Rank struct {
	Higher int // records with a higher figure
	Of     int // records that have one
}

// RankOf compares the figure of a row with those of all records, in one walk over the
// rows; rows whose figure is NaN have none.
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
