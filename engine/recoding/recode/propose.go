package recode

import (
	"fmt"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// proposedIntervals is the proposed number of intervals.
const proposedIntervals = 5

// propose sets a few intervals of equal width.
func (m *Intervals) propose(method.Input) string {
	if len(m.Breaks) == 0 && m.Count == 0 {
		m.Count = proposedIntervals
	}
	return ""
}

// levelsOf returns the levels of a variable and the number of records of each, preceded by that of missing. It
// returns none if the variable does not exist.
func levelsOf(in method.Input, variable string) (levels []microdata.Level, counts []int) {
	column, ok := in.Data.Column(variable)
	if !ok {
		return nil, nil
	}
	categories := column.Categories()
	return categories.Levels, categories.Counts()
}

// topShare is the share of records that are not above the proposed threshold.
const topShare = 0.99

// propose sets the top threshold so that one record in a hundred is above it; for ordered categories it sets the
// level before the last.
func (m *TopBottom) propose(in method.Input) string {
	if m.Top != nil || m.Bottom != nil || m.TopLevel+m.BottomLevel != "" {
		return ""
	}
	column, _ := in.Data.Column(m.Variable)
	levels, counts := levelsOf(in, m.Variable)
	if len(levels) < 2 {
		return fmt.Sprintf("%s has fewer than two values, so there are no extremes. Choose another variable.",
			m.Variable)
	}
	if !column.InOrder() {
		return fmt.Sprintf("The categories of %s have no order, so none is the highest. Choose a numeric variable, or order "+
			"the categories first.", m.Variable)
	}
	if !column.Numeric() {
		m.TopLevel = levels[len(levels)-2].Label
		return ""
	}
	total, below := 0, 0
	for _, count := range counts[1:] {
		total += count
	}
	at := 0
	for ; at < len(levels)-2; at++ { // at least one value is above
		if below += counts[at+1]; float64(below) >= topShare*float64(total) {
			break
		}
	}
	top := levels[at].Value
	m.Top = &top
	return ""
}

// propose cuts the last character if all codes have the same length. Other hierarchies must be given by the user.
func (m *Hierarchy) propose(in method.Input) string {
	if len(m.Levels) > 0 || m.Table != "" || m.Digits > 0 || m.Cut > 0 {
		return ""
	}
	levels, _ := levelsOf(in, m.Variable)
	for i, level := range levels {
		if len(level.Label) < 2 || len(level.Label) != len(levels[0].Label) {
			return "Choose how to make the codes of " + m.Variable +
				" coarser: type the path of a file with one line per code and its coarser levels in the field \"table\", or " +
				"the number of leading characters to keep in \"leading characters\"."
		}
		if i == len(levels)-1 {
			m.Cut = 1
		}
	}
	return ""
}

// propose asks for the file.
func (m *ArgusFile) propose(method.Input) string {
	if m.Recode != "" {
		return ""
	}
	return "Type the path of a mu-Argus recode file (.grc) in the field \"recode\"."
}

// propose asks for a code list if none came with the file.
func (m *CodeLabels) propose(in method.Input) string {
	if column, ok := in.Data.Column(m.Variable); m.Labels != "" || ok && len(column.Described().Labels) > 0 {
		return ""
	}
	return "The file has no labels for " + m.Variable +
		": type the path of a code list with lines such as 1,male in the field \"labels\"."
}

// propose sets a base that gives about a hundred multiples over the range of the numbers.
func (m *Round) propose(in method.Input) string {
	if m.Base != 0 {
		return ""
	}
	levels, _ := levelsOf(in, m.Variable)
	if len(levels) < 2 {
		return fmt.Sprintf("%s has fewer than two values, so there is nothing to round. Choose another variable.",
			m.Variable)
	}
	span := math.Abs(levels[len(levels)-1].Value - levels[0].Value)
	m.Base = math.Pow(10, math.Floor(math.Log10(span))-1)
	if column, ok := in.Data.Column(m.Variable); ok && column.Kind() == microdata.Whole && m.Base <= 1 {
		m.Base = 5 // integers are already multiples of one
	}
	return ""
}

// propose asks for the file.
func (m *RecodeAll) propose(method.Input) string {
	if m.Recodes != "" {
		return ""
	}
	return "Type the path of a recode file in the field \"recodes\". The export can save the recodes of a session as such a file."
}
