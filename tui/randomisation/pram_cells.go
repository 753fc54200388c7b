package randomisation

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/pram"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// matrixActs are the keys that work in the matrix.
func (d *pramDialog) matrixActs() []dialogs.Act {
	shown := d.shown()
	if shown == nil {
		return nil
	}
	n := len(shown.Levels)
	acts := []dialogs.Act{{Binding: dialogs.Bind("←↑↓→", "cell", "left", "right", "up", "down", "h", "j", "k", "l", "home", "end", "pgup", "pgdown"),
		Do: func(msg tea.KeyPressMsg) dialogs.Effect {
			d.preview.Move(msg, n)
			return dialogs.Stay{}
		}}}
	if d.method.Form == pram.FormMatrix {
		acts = append(acts, dialogs.Act{Binding: dialogs.Bind("0-9 .", "type the cell", append(strings.Split("0123456789", ""), ".", "backspace")...), Do: d.beginCell},
			dialogs.Act{Binding: dialogs.Bind("d", "rest to the diagonal", "d"), Do: dialogs.Stays(func() {
				row, _ := d.preview.Cell(n)
				d.setCell(row, row, restOf(shown.Matrix[row], row))
			})})
	} else {
		acts = append(acts, dialogs.Act{Binding: dialogs.Bind("f", "forbid, allow", "f", "space"), Do: dialogs.Stays(d.forbid)})
	}
	if v, _ := d.previewed(); v != nil && len(v.Strata) > 1 {
		acts = append(acts, dialogs.Act{Binding: dialogs.Bind("</>", "stratum", "<", ">", ","), Do: dialogs.Turns(func(by int) {
			d.stratum = (d.stratum + by + len(v.Strata)) % len(v.Strata)
		})})
	}
	return acts
}

// beginCell begins to type a cell of the own matrix.
func (d *pramDialog) beginCell(msg tea.KeyPressMsg) dialogs.Effect {
	d.cell = views.NewTextField("")
	d.cell.Handle(msg)
	return dialogs.Stay{}
}

// restOf returns what the other cells of a row leave of 1.
func restOf(row []float64, i int) float64 {
	sum := 0.0
	for j, p := range row {
		if j != i {
			sum += p
		}
	}
	text := strconv.FormatFloat(max(0, 1-sum), 'f', 9, 64) // without the dust of the sum
	rest, _ := strconv.ParseFloat(text, 64)
	return rest
}

// forbid forbids the transition under the cursor either way, or allows it again.
func (d *pramDialog) forbid() {
	stratum := d.shown()
	row, column := d.preview.Cell(len(stratum.Levels))
	from, to := stratum.Levels[row], stratum.Levels[column]
	if row == column {
		d.message = "a value may always stay as it is"
		return
	}
	pairs := slices.Clone(d.method.Forbid)
	if pairs.Has(from, to) {
		pairs = slices.DeleteFunc(pairs, func(pair [2]string) bool { return pram.Pairs{pair}.Has(from, to) })
	} else {
		pairs = append(pairs, [2]string{from, to})
	}
	d.method.Forbid = pairs
}

// typeCell edits the cell of the own matrix that is being typed.
func (d *pramDialog) typeCell(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "esc":
		d.cell = nil
		return
	case "enter", "tab", "up", "down":
		value, err := method.ParseNumber(d.cell.Text())
		if err != nil || !(value >= 0 && value <= 1) {
			d.message = "a probability is a number between 0 and 1"
			return
		}
		row, column := d.preview.Cell(len(d.own.Levels))
		d.cell = nil
		d.setCell(row, column, value)
		if msg.String() != "enter" && msg.String() != "tab" {
			d.preview.Move(msg, len(d.own.Levels))
		}
		return
	}
	d.cell.Handle(msg)
}

// setCell changes a cell of the own matrix. The matrix is made anew, since an
// answer may still draw from the old one.
func (d *pramDialog) setCell(row, column int, value float64) {
	matrix := slices.Clone(d.own.Matrix)
	matrix[row] = slices.Clone(matrix[row])
	matrix[row][column] = value
	d.takeOwn(d.method.Levels, matrix)
}
