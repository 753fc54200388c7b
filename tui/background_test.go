package tui

import (
	"math/rand/v2"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// Background work shares nothing with the program that either modifies: keys are pressed, and frames drawn, while
// jobs run. The race detector sees what the other tests, which run one thing at a time, cannot.
func TestWorkInBackground(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := append(allKeys(), "K", "r", "S", "p", "I", "R", "T", "u", "ctrl+r", "]", "tab", "/", "c", "enter", "enter",
		"esc", "esc", "down", "down", "right", "s", "v")
	presses := 250
	if longtests.Wanted() {
		presses = 600
	}
	d := surveyOf(t, 120, 40).Hold()
	arrived, running, most := make(chan tea.Msg), 0, 0
	begin := func() {
		for _, cmd := range d.held {
			running++
			go func() { arrived <- cmd() }()
		}
		d.held, most = nil, max(most, running)
	}
	for i := 0; i < presses || running > 0; i++ {
		if i < presses {
			d.pressing(names[random.IntN(len(names))])
			begin()
		}
		if len(d.timers) > 0 && random.IntN(3) == 0 {
			d.Pass()
			begin()
		}
		if running > 0 && (i >= presses || random.IntN(2) == 0) {
			msg := <-arrived
			running--
			d.follow(msg)
			begin()
			d.frame()
		}
	}
	if most < 2 {
		t.Errorf("never more than %d pieces at a time", most)
	}
}
