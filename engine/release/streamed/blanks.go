package streamed

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// withoutBlanks returns a column of texts as a file has it that cuts blanks at their ends: texts that differ in them
// alone are one, and those of blanks alone are missing.
func withoutBlanks(column *microdata.Column) *microdata.Column {
	if column.Numeric() || column.Source().Numeric() { // no texts, or perhaps written as codes
		return column
	}
	of := column.Categories()
	levels, codeOf, mapping := []microdata.Level(nil), map[string]uint32{"": 0}, make([]uint32, len(of.Levels)+1)
	for i, level := range of.Levels {
		text := string(statfile.WithoutBlanks([]byte(level.Label)))
		code, known := codeOf[text]
		if !known {
			levels = append(levels, microdata.Level{Label: text, Value: math.NaN()})
			code = uint32(len(levels))
			codeOf[text] = code
		}
		mapping[i+1] = code
	}
	return column.Regroup(column, levels, mapping, of.Ordered)
}
