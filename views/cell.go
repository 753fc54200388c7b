package views

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// cellChanged reports whether a cell differs from that of the original column.
func cellChanged(now, original *microdata.Column, record int) bool {
	if now == original {
		return false
	}
	if a, b := now.StoredAsNumbers(), original.StoredAsNumbers(); a != nil && b != nil {
		x, y := a.Values[record], b.Values[record]
		return x != y && !(math.IsNaN(x) && math.IsNaN(y))
	}
	return now.Text(record) != original.Text(record) || now.Missing(record) != original.Missing(record)
}
