package recoding

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// limit is the question that the dialog of suggestions answers: which recode loses least
// and leaves at most so many violators, or which removes most and loses at most such a
// part of the detail. The cursor goes to the answer, and follows it while better ones are
// found, until it is moved.
type limit struct {
	share   bool   // of the detail, in percent; false: of violators
	text    string // as it was typed; "": there is none
	value   float64
	err     error           // why the text is no limit
	input   *draw.TextField // while it is typed
	follows bool            // the cursor follows the answer
}

func (l *limit) take(text string) {
	comma, most, wrong := "", 1e15, "a whole number from 0 on"
	if l.share {
		comma, most, wrong = ".", 100, "a number from 0 to 100"
	}
	x, err := strconv.ParseFloat(strings.NewReplacer(" ", "", ",", comma, "%", "").Replace(text), 64)
	l.text, l.value, l.err = text, x, nil
	if text != "" && (err != nil || !(x >= 0 && x <= most) || !l.share && x != math.Trunc(x)) {
		l.err = errors.New(wrong)
	}
}

// limitActs are the keys that begin to type a limit.
func (d *suggestions) limitActs() []views.KeyAction {
	return []views.KeyAction{
		views.Handles("n", "least loss for N", func() { d.typeLimit(false) }),
		views.Handles("x", "most for x %", func() { d.typeLimit(true) }),
	}
}

// typeLimit begins to type a limit, in the place of the other one.
func (d *suggestions) typeLimit(share bool) {
	if d.limit.share != share {
		d.limit = limit{share: share}
	}
	d.limit.input, d.limit.follows = draw.NewTextField(d.limit.text), true
	d.answer()
}

// Typing reports whether a limit is being typed.
func (d *suggestions) Typing() bool { return d.limit.input != nil }

// HandleKey types into a limit; other keys are those of the list.
func (d *suggestions) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	d.follow(s)
	l := &d.limit
	switch pressed := msg.String(); {
	case l.input == nil && pressed == "esc":
		return d.StepDialog.HandleKey(msg, s)
	case l.input == nil:
		if effect := d.Press(msg, s); effect != nil {
			return effect
		}
	case pressed == "enter":
		l.input = nil
	case pressed == "esc":
		*l = limit{}
	case pressed == "tab" || pressed == "shift+tab" || pressed == "up" || pressed == "down":
		d.typeLimit(!l.share)
	default:
		l.input.Handle(msg)
		l.take(strings.TrimSpace(l.input.Text()))
		d.answer()
	}
	return nil
}

// answer puts the cursor on the answer to the limit, where it follows that.
func (d *suggestions) answer() {
	if d.limit.follows {
		d.choose(d.within())
	}
}

// within returns the best suggestion within the limit; nil where there is none.
func (d *suggestions) within() *suggest.Suggestion {
	switch l := &d.limit; {
	case l.text == "" || l.err != nil:
		return nil
	case l.share:
		return d.found.Last().frontier.MostRemoved(l.value / 100)
	default:
		return d.found.Last().frontier.LeastLost(int(l.value))
	}
}

// limitLines draws the two questions, with what the one that is asked leads to, where
// there is room for them beside the list.
func (d *suggestions) limitLines(s views.State, width, height int) []string {
	if height < 7 && !d.Typing() {
		return nil
	}
	return []string{d.limitLine(s, false, " n  ", " violators, least loss", width),
		d.limitLine(s, true, " x  ", " % of the detail, most removed", width)}
}

func (d *suggestions) limitLine(s views.State, share bool, key, after string, width int) string {
	const before = "at most "
	l := &limit{}
	if d.limit.share == share {
		l = &d.limit
		after += d.reply()
	}
	style := s.Theme.Faint
	if l.follows {
		style = s.Theme.Plain
	}
	head, rest := s.Theme.Key.Fit(key, min(width, len(key))), max(1, width-len(key))
	if l.input == nil {
		field := "…"
		if l.text != "" {
			field = draw.Safe(l.text)
		}
		return head + style.Fit(before+field+after, rest)
	}
	rest = max(1, rest-len(before))
	size := min(rest, 8)
	return head + style.Render(before) + l.input.View(s.Theme, size) + style.Fit(after, max(0, rest-size))
}

// reply says what the limit leads to.
func (d *suggestions) reply() string {
	one, l, frontier := d.within(), &d.limit, d.found.Last().frontier
	switch {
	case l.text == "":
		return ""
	case l.err != nil:
		return ": " + l.err.Error()
	case one != nil && l.share:
		return ": " + wording.Counted(one.Removed(), "violator")
	case one != nil:
		return fmt.Sprintf(": %.1f %% of the detail", 100*frontier.Share(one))
	case l.share || len(frontier.Suggestions) == 0:
		return ": none found"
	}
	return fmt.Sprintf(": none found (fewest %s)",
		draw.Count(frontier.Suggestions[len(frontier.Suggestions)-1].After))
}
