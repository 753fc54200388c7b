package masking

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/pram"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
)

// arrange orders the fields and hides those that the form of the matrix does not use.
func (d *pramDialog) arrange() {
	only := func(name string, forms ...string) *dialogs.Field {
		field := d.Named(name)
		field.Hidden = func() bool { return !slices.Contains(forms, d.method.Form) }
		return field
	}
	form := d.Named("form")
	change := form.Change
	form.Change = func(by int) {
		was := d.shown()
		change(by)
		d.followForm(was)
	}
	d.Fields = []*dialogs.Field{
		d.Named("variables"), form,
		only("pd", pram.FormInvariant, pram.FormBand, pram.FormEqual),
		only("alpha", pram.FormInvariant),
		only("diagonal", pram.FormInvariant),
		only("band", pram.FormBand),
		d.fieldFile(),
		only("forbid", pram.FormInvariant, pram.FormBand, pram.FormEqual),
		d.Named("condition"), d.Named("strata"),
	}
}

// followForm creates or removes the custom matrix when the form changes. The initial one is the last matrix shown.
func (d *pramDialog) followForm(was *method.PRAMStratum) {
	if d.method.Form != pram.FormMatrix {
		d.method.Matrix, d.method.Levels = nil, nil
		return
	}
	d.method.Forbid = nil // in a custom matrix, zeros forbid
	switch {
	case d.own != nil:
		d.method.Matrix, d.method.Levels = d.own.Matrix, d.own.Levels
	case was != nil:
		d.takeOwn(was.Levels, rounded(was.Matrix))
	}
}

// rounded returns a matrix with three decimals, so that it can be typed; the diagonal takes the rest.
func rounded(matrix [][]float64) [][]float64 {
	rows := make([][]float64, len(matrix))
	for i, row := range matrix {
		rows[i] = slices.Clone(row)
		for j, p := range row {
			rows[i][j] = math.Round(1000*p) / 1000
		}
		rows[i][i] = restOf(rows[i], i)
	}
	return rows
}

// takeOwn sets the custom matrix. Without levels it is for the visible categories, if their number fits.
func (d *pramDialog) takeOwn(levels []string, matrix pram.Rows) {
	if _, seen := d.previewed(); len(levels) == 0 && seen != nil && len(seen.Levels) == len(matrix) {
		levels = seen.Levels
	}
	names := slices.Clone(levels)
	for len(names) < len(matrix) {
		names = append(names, strconv.Itoa(len(names)+1))
	}
	d.method.Matrix, d.method.Levels = matrix, slices.Clone(levels)
	d.own = &method.PRAMStratum{Levels: names, Matrix: matrix}
}

// fieldFile reads the custom matrix from a file. The step contains the matrix and no longer needs the file.
func (d *pramDialog) fieldFile() *dialogs.Field {
	field := &dialogs.Field{
		Label: "matrix file",
		Help: "Path of a CSV file with a user-defined matrix: a header with the categories, then one line per category, which " +
			"starts with it. Without a file, press tab to enter the values of the matrix.",
		Hidden: func() bool { return d.method.Form != pram.FormMatrix },
	}
	return field.ReadsFile(func(string) error { return nil }, func(_, content string) (func() error, error) {
		levels, rows, err := pram.ReadCSV(strings.NewReader(content))
		return func() error {
			d.takeOwn(levels, rows)
			return nil
		}, err
	})
}
