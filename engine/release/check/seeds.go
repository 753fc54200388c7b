package check

import (
	"fmt"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// leastSeed is the lowest seed that cannot be found by trial within hours. Seeds drawn by the program have 64
// bits.
const leastSeed = 1 << 32

// seeds finds steps with a seed that an intruder can guess.
func (r *release) seeds() []Finding {
	var guessable []string
	var fix Fix
	for i := range r.Steps {
		if step := &r.Steps[i]; step.Draws && step.Seed < leastSeed {
			guessable, fix.Redraw = append(guessable, strconv.Itoa(i+1)+" ("+step.Name+")"), append(fix.Redraw, i)
		}
	}
	if len(guessable) == 0 {
		return nil
	}
	fix.Title = "new seed for step " + wording.Listed(guessable)
	subject := "Step " + guessable[0] + " draws from a seed below"
	if len(guessable) > 1 {
		fix.Title = "new seeds for steps " + wording.Listed(guessable)
		subject = "Steps " + wording.Listed(guessable) + " draw from seeds below"
	}
	return []Finding{{Count: len(guessable), unit: "step", Fixes: []Fix{fix}, Text: fmt.Sprintf("%s 2^32, which an intruder can guess. "+
		"Omit \"seed\" in the script: the program then generates one.", subject)}}
}
