package draw

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// spellPercents spells the shares of a column, and that of the sum, with the same decimals. A
// cell that has a text keeps it. Under a heading that begins with % the numbers have no unit.
func (d *drawing) spellPercents(column int) {
	var cells []*Cell
	var shares []float64
	for _, row := range append(d.cells[:len(d.cells):len(d.cells)], d.t.Sum) {
		if column < len(row) && row[column].Text == "" {
			cells, shares = append(cells, &row[column]), append(shares, row[column].Share)
		}
	}
	for i, text := range wording.Percents(shares...) {
		if strings.HasPrefix(d.t.Columns[column].Head, "%") {
			text = strings.TrimSuffix(text, " %")
		}
		cells[i].Text = text
	}
}
