package tui

import (
	"slices"
	"testing"

	combine "github.com/sdcdesk/sdcdesk/engine/suppression/combinations"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// The dialog lists the unsafe cells of every variable and of the categories of one, as counted by the step, and
// editing the step keeps its parameters.
func TestUnsafeCombinations(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press(":").Type("unsafe").Press("enter")
	unsafe := d.m.asking.answer.WhatIf.Report.Unsafe
	for _, v := range unsafe {
		d.Dialog().Contains(v.Variable, draw.Count(v.Before[2])+" → 0")
	}
	region := unsafe[0].Categories
	sum := 0
	for _, c := range region {
		d.Dialog().Contains(c.Category, draw.Count(c.Before[2])+" → 0")
		sum += c.Before[2]
	}
	if d.Dialog().Contains("of region"); len(region) != 8 || sum != unsafe[0].Before[2] {
		t.Errorf("%d categories with %d cells, the variable has %d", len(region), sum, unsafe[0].Before[2])
	}
	d.focus("listed")
	d.Press("right").Dialog().Contains("of urbrur", "rural", "urban")
	d.focus("combinations")
	d.Type("2:3")
	for range 3 {
		d.Press("down")
	}
	shown := d.m.asking.answer.WhatIf.Report
	d.Press("enter")
	if made := d.m.bench.doc.Steps()[0].Report; made.Total != shown.Total ||
		!slices.Equal(made.Unsafe[0].Before, shown.Unsafe[0].Before) {
		t.Errorf("applied %d cells, shown %d", made.Total, shown.Total)
	}
	d.Press("6", "c")
	if asked[*combine.Suppression](d).Params()[0].Value.String() != "2:3" {
		t.Errorf("the step is changed by %T:\n%s", d.m.dialog, d.Text())
	}
}
