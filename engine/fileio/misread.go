package fileio

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// ReadsAsMissing returns a label of the column that stands in some record and
// that is a missing code of the format: written, it would be lost on reading.
// ok is false where there is none. Cells that are missing are none.
func (f Format) ReadsAsMissing(column *microdata.Column) (label string, ok bool) {
	codes := map[string]bool{}
	for _, code := range slices.Concat(f.missingOf(column), f.Missing) {
		codes[code] = code != ""
	}
	if len(codes) == 0 || column.StoredAsNumbers() != nil {
		return "", false
	}
	categories := column.Categories()
	for i, level := range categories.Levels {
		spelled := level.Label
		if f.Decimal == "," && spellsNumber(column, spelled) {
			spelled = strings.Replace(spelled, ".", ",", 1)
		}
		if codes[spelled] && categories.Counts()[i+1] > 0 {
			return spelled, true
		}
	}
	return "", false
}
