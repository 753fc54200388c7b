package views

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// PRAMFrequencies is the pane of the frequencies of the selected variable before
// PRAM, as they are expected, after it, and estimated back without bias.
type PRAMFrequencies struct {
	list  list
	shown perturbed
}

var (
	_ MousePane = (*PRAMFrequencies)(nil)
	_ Explained = (*PRAMFrequencies)(nil)
	_ Named     = (*PRAMFrequencies)(nil)
)

// ID returns "pram-frequencies".
func (*PRAMFrequencies) ID() string { return "pram-frequencies" }

// Title returns what stands in the frame while there are no figures.
func (*PRAMFrequencies) Title() string { return "Frequencies and estimate" }

// TitleFor names the variable and the stratum.
func (p *PRAMFrequencies) TitleFor(s State) string {
	if look := p.shown.look(s); look.times > 0 {
		return p.Title() + " · " + look.variable + look.of(s)
	}
	return p.Title()
}

// Keys returns the keys of the pane.
func (p *PRAMFrequencies) Keys() []key.Binding {
	if p.shown.times == 0 {
		return nil
	}
	keys := listKeys()
	if len(p.shown.composed.Strata) > 1 {
		keys = append(keys, keyStratum())
	}
	return keys
}

// HandleKey moves the cursor and walks through strata.
func (p *PRAMFrequencies) HandleKey(msg tea.KeyPressMsg, s State) Action {
	look := p.shown.look(s)
	stratum := look.stratum(s)
	switch {
	case stratum == nil:
		return nil
	case key.Matches(msg, keyStratum()):
		return look.nextStratum(s, direction(msg))
	case p.list.move(msg, len(stratum.Levels)):
		return Handled{}
	}
	return nil
}

// Click puts the cursor on a line.
func (p *PRAMFrequencies) Click(_, y int, s State) Action {
	stratum := p.shown.look(s).stratum(s)
	if row := y - 1 + p.list.first; stratum != nil && y >= 1 && row < len(stratum.Levels) {
		p.list.at = row
		return Handled{}
	}
	return nil
}

// Wheel scrolls.
func (p *PRAMFrequencies) Wheel(lines int, s State) Action {
	if stratum := p.shown.look(s).stratum(s); stratum != nil {
		p.list.at += lines
		p.list.clamp(len(stratum.Levels))
	}
	return Handled{}
}

// View draws one line per category.
func (p *PRAMFrequencies) View(s State, width, height int, focused bool) string {
	look := p.shown.look(s)
	stratum := look.stratum(s)
	if stratum == nil {
		return nothingDrawn(s, look, width, height)
	}
	foot := frequencyNotes(s, look.composed.Kept, stratum, width)
	room := max(2, height-len(foot))
	lines := frequencyLines(s, stratum, &p.list, width, room, focused)
	return Exactly(Exactly(strings.Join(lines, "\n"), width, room)+"\n"+strings.Join(foot, "\n"), width, height)
}

// frequencyLines draws a head and one line per category of a stratum: before,
// expected, after, and the estimate with its standard error.
func frequencyLines(s State, stratum *method.PRAMStratum, l *list, width, height int, focused bool) []string {
	fields := frequencyFields(stratum, width)
	first, last := l.window(len(stratum.Levels), height-1)
	lines := []string{headings(s, fields, 1, width)}
	for i := first; i < last; i++ {
		lines = append(lines, frequencyRow(s, stratum, fields, i, i == l.at, focused, width))
	}
	return lines
}

// frequencyFields are the columns.
func frequencyFields(stratum *method.PRAMStratum, width int) []field {
	fields := []field{
		{head: "category", size: 8, least: 8},
		{head: "before", right: true, size: 6},
		{head: "expected", right: true, size: 8, rank: 2},
		{head: "after", right: true, size: 5},
		{head: "estimate", right: true, size: 8, rank: 1},
		{head: "± s.e.", right: true, size: 6, rank: 1},
	}
	for i, label := range stratum.Levels {
		fields[0].size = max(fields[0].size, min(widest, Width(Safe(shortened(label)))))
		for j, text := range frequencyTexts(stratum, i) {
			fields[j+1].size = max(fields[j+1].size, Width(text))
		}
	}
	arrange(fields, width-2)
	spread(fields, width-2)
	return fields
}

// frequencyTexts spells the figures of a category.
func frequencyTexts(stratum *method.PRAMStratum, i int) [5]string {
	texts := [5]string{Count(stratum.Before[i]), tenths(stratum.Expected[i]), Count(stratum.After[i]), "–", "–"}
	if stratum.Estimate != nil {
		texts[3], texts[4] = tenths(stratum.Estimate[i]), tenths(stratum.Errors[i])
	}
	return texts
}

// tenths spells a number with one decimal and commas.
func tenths(x float64) string {
	text := fmt.Sprintf("%.1f", x)
	whole, decimal, _ := strings.Cut(text, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "−", whole[1:]
	}
	if len(whole) > 3 && len(whole) < 16 {
		n := 0
		for _, digit := range whole {
			n = 10*n + int(digit-'0')
		}
		whole = Count(n)
	}
	return sign + whole + "." + decimal
}

func frequencyRow(s State, stratum *method.PRAMStratum, fields []field, i int, chosen, focused bool, width int) string {
	theme := s.Theme
	l := newLine(width, cursor(theme, chosen && focused, focused))
	l.mark(&theme.Strong, chosen)
	l.field(&theme.Plain, fields[0], stratum.Levels[i])
	after := &theme.Plain
	if stratum.After[i] != stratum.Before[i] {
		after = &theme.Changed
	}
	texts := frequencyTexts(stratum, i)
	for j, style := range []*lipgloss.Style{&theme.Plain, &theme.Faint, after, &theme.Strong, &theme.Faint} {
		l.field(fresh(s, style), fields[j+1], texts[j])
	}
	return l.String()
}

// frequencyNotes says what the table leaves open.
func frequencyNotes(s State, kept int, stratum *method.PRAMStratum, width int) []string {
	var notes []string
	switch {
	case stratum.Singular:
		notes = append(notes, "The matrix has no inverse: the frequencies cannot be estimated back.")
	case stratum.Estimate == nil:
		notes = append(notes, "Cells became missing in between: the frequencies are not estimated back.")
	}
	if kept > 0 {
		notes = append(notes, "Not in the table: "+Count(kept)+" records whose value was kept.")
	}
	var lines []string
	for _, note := range notes {
		for _, line := range wrapped(s.Theme.Faint.Render, note, width-2) {
			lines = append(lines, " "+line)
		}
	}
	return lines
}

// Figures explains expectation and estimate of the category under the cursor.
func (p *PRAMFrequencies) Figures(s State) []Figure {
	stratum := p.shown.look(s).stratum(s)
	if stratum == nil {
		return nil
	}
	p.list.clamp(len(stratum.Levels))
	i := p.list.at
	name := Safe(shortened(stratum.Levels[i]))
	figures := []Figure{{Name: "Expected frequency of " + name, Value: tenths(stratum.Expected[i]),
		Definition: "How often the category occurs after PRAM on average over all draws. With an invariant matrix it is the frequency before.",
		Formula:    "E(T*) = P' T",
		Values:     []string{"before " + Count(stratum.Before[i]), "after " + Count(stratum.After[i])},
		Source:     sourcePRAM}}
	if stratum.Estimate == nil {
		return figures
	}
	return append(figures, Figure{Name: "Unbiased estimate of " + name, Value: tenths(stratum.Estimate[i]) + " ± " + tenths(stratum.Errors[i]),
		Definition: "What users who know the matrix can tell of the frequency before PRAM from that after it. It is right on average; its standard error says how far it is off in one draw. " +
			"Categories that came about by drawing members of a household together have a larger one.",
		Formula: "estimate (P^-1)' T*; Var(T*) = sum_k T_k (diag p_k - p_k p_k'); standard errors from (P^-1)' Var(T*) P^-1",
		Values:  []string{"T = " + Count(stratum.Before[i]), "T* = " + Count(stratum.After[i])},
		Source:  sourcePRAM + "; " + sourceHundep + ", section 3.6"})
}
