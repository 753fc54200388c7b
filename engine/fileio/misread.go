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
	codes := f.missingCodes(column)
	if len(codes) == 0 || column.StoredAsNumbers() != nil {
		return "", false
	}
	categories := column.Categories()
	for i, level := range categories.Levels {
		if spelled := f.spelled(column, level.Label); codes[spelled] && categories.Counts()[i+1] > 0 {
			return spelled, true
		}
	}
	return "", false
}

// HasMissingCode reports whether a label among the levels is a missing code of
// the column in the format, whether or not it stands in a record.
func (f Format) HasMissingCode(column *microdata.Column, levels []microdata.Level) bool {
	codes := f.missingCodes(column)
	return len(codes) > 0 && slices.ContainsFunc(levels, func(l microdata.Level) bool { return codes[f.spelled(column, l.Label)] })
}

// missingCodes returns the codes, other than none, that stand for missing.
func (f Format) missingCodes(column *microdata.Column) map[string]bool {
	codes := map[string]bool{}
	for _, code := range slices.Concat(f.missingOf(column), f.Missing) {
		if code != "" {
			codes[code] = true
		}
	}
	return codes
}

// spelled returns a label as it is written.
func (f Format) spelled(column *microdata.Column, label string) string {
	if f.Decimal == "," && spellsNumber(column, label) {
		return strings.Replace(label, ".", ",", 1)
	}
	return label
}
