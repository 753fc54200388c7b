package spss

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Cells prepared once per value equal those formatted for each record.
func TestCellsOfFewValuesAreThoseOfMany(t *testing.T) {
	values := []string{"a", strings.Repeat("long ", 120), "ä" + strings.Repeat("x", 254), strings.Repeat("y", 255)}
	for _, width := range []int{1, 8, 255, 256, 600} {
		texts := &statfile.Texts{Values: values, Codes: microdata.CodesOf([]uint32{0, 1, 2, 3, 4, 2, 0})}
		v := stored{Variable: &statfile.Variable{Kind: statfile.Text, Column: statfile.Column{Texts: texts}}, width: width}
		for at, left := 8, width; left > 0; at, left = at+256, left-shortText {
			v.offsets = append(v.offsets, at)
		}
		stride := 16 + 8*v.elements()
		each, once := make([]byte, 7*stride), make([]byte, 7*stride)
		v.putTexts(each, stride, 0)
		if v.drawCells(); v.cells == nil {
			t.Fatal("no cells were made")
		}
		v.putTexts(once, stride, 0)
		if !bytes.Equal(each, once) {
			t.Errorf("width %d: the rows differ", width)
		}
	}
}
