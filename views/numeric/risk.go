package numeric

import (
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// numericRisk is the name of the measure of the risk of numeric variables.
const numericRisk = "numericrisk"

// NewNumericRisk returns the pane of the risk of numeric variables: the figures of the
// measure, where it is open.
func NewNumericRisk() views.Pane {
	p := views.NewMeasured(numericRisk)
	p.PaneID, p.Heading = "numeric-risk", "Numeric risk"
	opened, titled := p.Content, p.Titled
	p.Titled = func(s views.State) string { // the tab says what the measure is of
		if _, part, ok := strings.Cut(titled(s), " · "); ok {
			return p.Heading + " · " + part
		}
		return p.Heading
	}
	p.Content = func(s views.State, width int) draw.Table {
		if s.Current.Data != nil && s.Current.Data.Grouped() {
			return draw.Table{Instead: "How many masked records lie near their original values only single records tell; " +
				"open the protected file beside the original for that, where they fit into memory."}
		}
		if s.Measured(numericRisk) == nil {
			return draw.Table{Instead: "The risk of numeric variables counts masked values that lie near their original, and records that an intruder links by distance. It takes a while for a large file. enter computes it."}
		}
		return opened(s, width)
	}
	explained := p.Explained
	p.Explained = func(s views.State) []views.Figure {
		if figures := explained(s); len(figures) > 0 {
			return figures
		}
		return []views.Figure{{Name: p.Heading, Value: "not computed",
			Definition: "Who knows numbers of a person, from another file or from the original, looks for the masked " +
				"record with numbers near to them. The measure says how many masked records lie within an interval of their original, and how many are nearest to it.",
			Formula: "see the measure", Source: measure.SourceGuide}}
	}
	return p
}
