package recoding

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// limits are the two questions that the dialog of suggestions answers: which recode
// loses least and leaves at most so many violators, and which removes most and loses
// at most such a part of the detail. The cursor goes to the answer, and follows it
// while better ones are found, until it is moved.
type limits struct {
	violators, share limit
	typed            *limit          // that is being typed into; nil: none
	input            *draw.TextField // while one is
	followed         *limit          // whose answer the cursor follows; nil: it stands by itself
}

// limit is the number that bounds an answer.
type limit struct {
	text  string // as it was typed; "": there is none
	value float64
	err   error // why the text is no limit
}

func (l *limit) takeCount(text string) {
	n, err := strconv.Atoi(strings.NewReplacer(" ", "", ",", "").Replace(text))
	if l.text, l.value, l.err = text, float64(n), nil; text != "" && (err != nil || n < 0) {
		l.err = errors.New("a whole number from 0 on")
	}
}

func (l *limit) takePercent(text string) {
	x, err := strconv.ParseFloat(strings.NewReplacer(" ", "", ",", ".", "%", "").Replace(text), 64)
	if l.text, l.value, l.err = text, x, nil; text != "" && (err != nil || !(x >= 0 && x <= 100)) {
		l.err = errors.New("a number from 0 to 100")
	}
}

// limitActs are the keys that begin to type a limit.
func (d *suggestions) limitActs() []dialogs.Act {
	return []dialogs.Act{
		dialogs.NewAct("n", "least loss for N", dialogs.Stays(func() { d.typeLimit(&d.limits.violators) })),
		dialogs.NewAct("x", "most for x %", dialogs.Stays(func() { d.typeLimit(&d.limits.share) })),
	}
}

func (d *suggestions) typeLimit(l *limit) {
	d.limits.typed, d.limits.input, d.limits.followed = l, draw.NewTextField(l.text), l
	d.answer()
}

// Typing reports whether a limit is being typed.
func (d *suggestions) Typing() bool { return d.limits.input != nil }

// HandleKey types into a limit; other keys are those of the list.
func (d *suggestions) HandleKey(msg tea.KeyPressMsg, s views.State) dialogs.Effect {
	d.follow(s)
	l := &d.limits
	if l.input == nil {
		if msg.String() == "esc" {
			return d.StepDialog.HandleKey(msg, s)
		}
		if effect := d.Press(msg, s); effect != nil {
			return effect
		}
		return dialogs.Stay{}
	}
	switch msg.String() {
	case "enter":
		l.input = nil
	case "esc":
		l.input, l.followed = nil, nil
		*l.typed = limit{}
	case "tab", "shift+tab", "up", "down":
		other := &l.violators
		if l.typed == other {
			other = &l.share
		}
		d.typeLimit(other)
	default:
		l.input.Handle(msg)
		take := l.typed.takeCount
		if l.typed == &l.share {
			take = l.typed.takePercent
		}
		take(strings.TrimSpace(l.input.Text()))
		d.answer()
	}
	return dialogs.Stay{}
}

// answer puts the cursor on the answer to the limit that it follows.
func (d *suggestions) answer() {
	if l := d.limits.followed; l != nil {
		d.choose(d.within(l))
	}
}

// within returns the best suggestion within a limit; nil where there is none.
func (d *suggestions) within(l *limit) *suggest.Suggestion {
	switch {
	case l.text == "" || l.err != nil:
		return nil
	case l == &d.limits.share:
		return d.frontier.MostRemoved(l.value / 100)
	}
	return d.frontier.LeastLost(int(l.value))
}

// limitLines draws the two limits with what they lead to, where there is room for
// them beside the list.
func (d *suggestions) limitLines(s views.State, width, height int) []string {
	if height < 7 && !d.Typing() {
		return nil
	}
	return []string{
		d.limitLine(s, &d.limits.violators, "n", "at most ", " violators, least loss", width),
		d.limitLine(s, &d.limits.share, "x", "at most ", " % of the detail, most removed", width),
	}
}

func (d *suggestions) limitLine(s views.State, l *limit, key, before, after string, width int) string {
	theme, field := s.Theme, "…"
	if l.text != "" {
		field = draw.Safe(l.text)
	}
	style := theme.Faint
	if d.limits.followed == l {
		style = theme.Plain
	}
	head := " " + key + "  "
	space := max(1, width-draw.Width(head)-draw.Width(before))
	if d.Typing() && d.limits.typed == l {
		size := min(space, 8)
		return theme.Key.Fit(head, min(width, draw.Width(head))) + style.Render(before) +
			d.limits.input.View(theme, size) + style.Fit(after+d.reply(l), max(0, space-size))
	}
	return theme.Key.Render(head) + style.Fit(before+field+after+d.reply(l), max(1, width-draw.Width(head)))
}

// reply says what a limit leads to.
func (d *suggestions) reply(l *limit) string {
	one := d.within(l)
	switch {
	case l.text == "":
		return ""
	case l.err != nil:
		return ": " + l.err.Error()
	case one != nil && l == &d.limits.share:
		return ": " + wording.Counted(one.Removed(), "violator")
	case one != nil:
		return fmt.Sprintf(": %.1f %% of the detail", 100*d.frontier.Share(one))
	case l == &d.limits.share || len(d.frontier.Suggestions) == 0:
		return ": none found"
	}
	return fmt.Sprintf(": none found (fewest %s)",
		draw.Count(d.frontier.Suggestions[len(d.frontier.Suggestions)-1].After))
}

// clickLimit begins to type the limit of a line.
func (d *suggestions) clickLimit(y int) dialogs.Effect {
	if d.top > 2 {
		switch y {
		case 1:
			d.typeLimit(&d.limits.violators)
		case 2:
			d.typeLimit(&d.limits.share)
		}
	}
	return dialogs.Stay{}
}
