package views

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// numericRisk is the name of the measure of the risk of numeric variables.
const numericRisk = "numericrisk"

// NewNumericRisk returns the pane of the risk of numeric variables: the figures of the
// measure, where it is open.
func NewNumericRisk() Pane {
	p := NewMeasured(numericRisk)
	p.id, p.title = "numeric-risk", "Numeric risk"
	opened, titled := p.content, p.titled
	p.titled = func(s State) string { // the tab says what the measure is of
		if _, part, ok := strings.Cut(titled(s), " · "); ok {
			return p.title + " · " + part
		}
		return p.title
	}
	p.content = func(s State, width int) Table {
		if s.measured(numericRisk) == nil {
			return Table{Instead: "How many masked records lie near their original values, or are nearest to them, takes a while for a large file and is computed when you ask for it: enter opens the measure."}
		}
		return opened(s, width)
	}
	explained := p.figures
	p.figures = func(s State) []Figure {
		if figures := explained(s); len(figures) > 0 {
			return figures
		}
		return []Figure{{Name: p.title, Value: "not computed", Definition: "Who knows numbers of a person, from another file or from the original, looks for the masked " +
			"record with numbers near to them. The measure says how many masked records lie within an interval of their original, and how many are nearest to it.",
			Formula: "see the measure", Source: measure.SourceGuide}}
	}
	return p
}
