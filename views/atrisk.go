package views

import (
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// AtRisk is the pane of the violators of the screen's k, the riskiest first.
type AtRisk struct {
	list  list
	shown riskyRecords
}

// riskyRecords are the violators of one assessment, kept while it is shown.
type riskyRecords struct {
	of      *risk.Assessment
	k       int
	records []int
}

// riskyLimit is the number of violators that are listed at most.
const riskyLimit = 1000

var _ MousePane = (*AtRisk)(nil)

// ID returns "records-at-risk".
func (*AtRisk) ID() string { return "records-at-risk" }

// Title returns what stands in the frame.
func (*AtRisk) Title() string { return "Records at risk" }

// Keys returns the keys of the pane.
func (*AtRisk) Keys() []key.Binding {
	return append(listKeys(), bind("enter", "why", "enter"))
}

// records returns the violators to list.
func (p *AtRisk) records(s State) []int {
	a := s.Current.Assessment
	if a == nil {
		return nil
	}
	if p.shown.of != a || p.shown.k != s.K {
		p.shown = riskyRecords{a, s.K, a.RecordsAtRisk(riskyLimit, s.K)}
	}
	return p.shown.records
}

// HandleKey moves the cursor and opens the page of a record.
func (p *AtRisk) HandleKey(msg tea.KeyPressMsg, s State) Action {
	records := p.records(s)
	if len(records) == 0 {
		return nil
	}
	if p.list.move(msg.String(), len(records)) {
		return SelectRecord{records[p.list.at]}
	}
	if msg.String() == "enter" {
		p.list.clamp(len(records))
		return ShowRecord{records[p.list.at]}
	}
	return nil
}

// Click selects a record; on the cursor's line it opens it.
func (p *AtRisk) Click(_, y int, s State) Action {
	records := p.records(s)
	row := y - 1 + p.list.first
	if y < 1 || row >= len(records) {
		return nil
	}
	if row == p.list.at {
		return ShowRecord{records[row]}
	}
	p.list.at = row
	return SelectRecord{records[row]}
}

// Wheel scrolls.
func (p *AtRisk) Wheel(lines int, s State) Action {
	p.list.at += lines
	p.list.clamp(len(p.records(s)))
	return Handled{}
}

// View draws one line per record: number, key, f, F and risk.
func (p *AtRisk) View(s State, width, height int, focused bool) string {
	a := s.Current.Assessment
	switch {
	case len(s.Scenario.Keys) == 0:
		return sentence(s, "Records at risk are listed as soon as key variables are chosen.", width, height)
	case a == nil:
		return sentence(s, "counting …", width, height)
	}
	records := p.records(s)
	if len(records) == 0 {
		return sentence(s, "No record violates "+strconv.Itoa(s.K)+"-anonymity under the rule "+string(s.Scenario.Rule)+".", width, height)
	}
	first, last := p.list.window(len(records), height-1)
	sizes := keySizes(s, records[first:last], width-numbersWidth-recordWidth-1)
	head := FitRight("record", recordWidth) + " "
	for i, size := range sizes {
		head += cellOf(s.Scenario.Keys[i], size)
	}
	lines := []string{s.Theme.Heading.Render(FitRight2(head, "f       F   risk", width))}
	for i := first; i < last; i++ {
		lines = append(lines, p.row(s, a, records[i], sizes, i == p.list.at, focused, width))
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// The columns of numbers on both sides of the key.
const (
	recordWidth  = 10
	numbersWidth = 22
)

func (p *AtRisk) row(s State, a *risk.Assessment, record int, sizes []int, chosen, focused bool, width int) string {
	sample, population := a.Frequency(record)
	text := FitRight(Count(record+1), recordWidth) + " "
	for i, size := range sizes {
		text += cellOf(keyText(s, s.Scenario.Keys[i], record), size)
	}
	figures := FitRight(Frequency(sample), 6) + FitRight(Frequency(population), 8) + FitRight(Probability(a.Risk(record)), 7)
	line := FitRight2(text, figures, width)
	if chosen {
		return rowStyle(s.Theme, true, focused)(line)
	}
	return stale(s, s.Theme.Plain.Render)(line)
}

// cellOf fits a text into a column with a blank behind it.
func cellOf(text string, size int) string {
	if size <= 0 {
		return ""
	}
	return Fit(text, size) + " "
}

// keyText returns the value of a key variable; a sign where it is missing.
func keyText(s State, variable string, record int) string {
	column, ok := s.Current.Data.Column(variable)
	if !ok {
		return ""
	}
	if column.Missing(record) {
		if column.Suppressed().Has(record) {
			return suppressedSign
		}
		return missingSign
	}
	return shortened(column.Text(record))
}

// The signs of cells without a value.
const (
	missingSign    = "·"
	suppressedSign = "×"
)

// keySizes returns the width of each key variable's column for the records in
// sight; what does not fit into the space is left out from the right.
func keySizes(s State, records []int, space int) []int {
	sizes := make([]int, 0, len(s.Scenario.Keys))
	for _, variable := range s.Scenario.Keys {
		size := min(12, Width(Safe(shortened(variable))))
		for _, record := range records {
			size = max(size, Width(Safe(keyText(s, variable, record))))
		}
		size = min(size, 14)
		if size+1 > space {
			break
		}
		space -= size + 1
		sizes = append(sizes, size)
	}
	return sizes
}

// FitRight2 puts one text on the left and one on the right of width cells; the
// left one gives way.
func FitRight2(left, right string, width int) string {
	size := min(Width(right), width)
	return Fit(left, width-size) + Fit(right, size)
}

// Frequency spells a frequency: whole numbers without decimals, others with
// one.
func Frequency(f float64) string {
	if f == float64(int64(f)) {
		return Count(int(f))
	}
	if f >= 1000 {
		return Count(int(f + .5))
	}
	return strconv.FormatFloat(f, 'f', 1, 64)
}
