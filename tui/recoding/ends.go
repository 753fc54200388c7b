package recoding

import (
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
)

// typeEnds takes a key while the ends are typed: the intervals follow the text
// as long as it makes sense.
func (d *recodeIntervals) typeEnds(msg tea.KeyPressMsg) dialogs.Effect {
	switch msg.String() {
	case "esc":
		d.breaks.set(d.before)
		d.ends, d.typed = nil, nil
		return dialogs.Stay{}
	case "tab":
		if d.typed == nil {
			d.ends = nil
		}
		return dialogs.Stay{}
	case "enter":
		if d.typed != nil {
			return dialogs.Stay{}
		}
		d.ends = nil
		return dialogs.Apply{Step: d.Step()}
	}
	d.ends.Handle(msg)
	ends, err := d.breaks.readEnds(d.ends.Text(), d.decimal)
	if d.typed = err; err == nil {
		d.breaks.set(ends)
	}
	return dialogs.Stay{}
}

// readEnds reads upper ends with blanks, commas or semicolons between them. Where
// the file has decimal commas and something else parts the ends, a comma inside
// a number is one. The error says which end makes no interval.
func (b *breaks) readEnds(text string, decimalComma bool) ([]float64, error) {
	marks := " ;,"
	if decimalComma && !b.whole && strings.ContainsAny(strings.TrimSpace(text), " ;") {
		marks = " ;"
	}
	var ends []float64
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(marks, r) }) {
		word = strings.Replace(strings.Trim(word, ","), ",", ".", 1)
		if word == "" {
			continue
		}
		end, err := method.ParseNumber(word)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s is no number", word)
		case b.whole && end != math.Trunc(end):
			return nil, fmt.Errorf("%s is no whole number", word)
		case !(end < b.highest()):
			return nil, fmt.Errorf("%s is not below the highest value, %s: the last interval ends there by itself",
				word, method.FormatNumber(b.highest()))
		case end < b.lowest() || !b.whole && end == b.lowest():
			return nil, fmt.Errorf("%s is below the lowest value, %s", word, method.FormatNumber(b.lowest()))
		}
		ends = append(ends, end)
	}
	return ends, nil
}
