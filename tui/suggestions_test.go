package tui

import (
	"context"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// promises returns the violators of k = 3 that the step under the cursor would
// leave.
func (d *driver) promises() int {
	d.Helper()
	if whatIf := d.m.asking.answer.WhatIf; whatIf != nil && !d.m.asking.answer.Pending {
		return whatIf.Assessment.Violators[1].Count
	}
	d.Fatalf("there is no what-if:\n%s", d.Text())
	return 0
}

// The list of suggestions ends with the whole search; what the first promises is
// what it gives. Several are applied in a row, and the figures follow.
func TestSuggestionIsAppliedAsPromised(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("S")
	d.Dialog().Contains("4,443 violators of k = 3 now", "27 of 217 recodes", "worth most first", "detail lost", "would be")
	promised := d.promises()
	if strings.Count(d.Text(), draw.Count(promised)) < 2 {
		t.Errorf("the what-if of the first suggestion has %d violators, the list says otherwise:\n%s", promised, d.Text())
	}
	if promised > 4443*3/4 {
		t.Errorf("the first suggestion leaves %d violators of 4,443: it is not worth a key press", promised)
	}
	d.Press("enter")
	if got := d.m.bench.current.Assessment.Violators[1].Count; got != promised {
		t.Errorf("%d violators after the step, %d were promised", got, promised)
	}
	d.Dialog().Contains(draw.Count(promised) + " violators of k = 3 now")
	again := d.promises()
	if again >= promised {
		t.Errorf("the next suggestion leaves %d violators of %d", again, promised)
	}
	d.Press("enter")
	if got := d.m.bench.current.Assessment.Violators[1].Count; got != again || len(d.steps()) != 2 {
		t.Errorf("%d violators after steps %q, %d were promised", got, d.steps(), again)
	}
	d.Press("v").Dialog().Contains("Suggested recodes of ")
	if d.m.dialog.Title() == "Suggested recodes of the key variables" {
		t.Error("v leaves all variables")
	}
}

func TestSuggestionOpensInTheRecodeDialog(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("S", "s", "s", "r")
	if marked := asked[*recode.Group](d).Levels; len(marked) < 2 {
		t.Errorf("%d categories are marked", len(marked))
	}
	d.Press("esc")
	if len(d.steps()) != 0 {
		t.Errorf("steps %q", d.steps())
	}
}

// Suggestions that another dominates are shown on demand, faint and in their
// order; the cursor stays on its suggestion.
func TestDominatedSuggestionsAreHidden(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("S", "down", "down", "down")
	at := d.promises()
	d.Press("a").Dialog().Contains("the best 1")
	if got := d.promises(); got != at {
		t.Errorf("with all suggestions the cursor stands on one that leaves %d violators, not %d", got, at)
	}
	d.Press("s", "s") // per bit: a recode that does next to nothing
	if got := d.promises(); got < 4_400 {
		t.Errorf("the recode of the best rate leaves %d violators", got)
	}
	d.Press("a").Dialog().Contains("; 27 of 217 recodes")
}

// The two questions to the frontier are fields: their answer is under the cursor.
func TestLimitsOfSuggestions(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("S", "n").Type("3000")
	d.Dialog().Contains("at most 3000", "violators, least loss: 1", "% of the detail")
	if got := d.promises(); got > 3000 || got < 2700 {
		t.Errorf("at most 3,000 violators: %d are left", got)
	}
	d.Press("enter", "x").Type("5,5")
	five := d.promises()
	d.Dialog().Contains("at most 5,5", "most removed: "+draw.Count(4443-five)+" violators")
	if five <= 3000 {
		t.Errorf("for 5.5 %% of the detail %d violators are left", five)
	}
	d.Press("enter").Press("enter")
	if steps := d.steps(); len(steps) != 1 {
		t.Fatalf("steps %q", steps)
	}
	if got := d.m.bench.current.Assessment.Violators[1].Count; got != five {
		t.Errorf("%d violators after the step, %d were promised", got, five)
	}
	if d.promises() >= five {
		t.Error("after the step the limit holds for the next one")
	}
	d.Press("n").Type("x").Dialog().Contains("a whole number from 0 on")
	d.Press("tab").retype("0").Dialog().Contains("at most 0", "none found")
	d.Press("esc").retype("") // the field is empty again
	d.Press("n").retype("1").Dialog().Contains("none found (fewest ")
}

// While the search goes on the cursor stays on its suggestion, wherever better
// ones come to stand.
func TestCursorStaysOnItsSuggestion(t *testing.T) {
	d := surveyOf(t, 120, 40).Hold().Press("S")
	d.held = nil
	goOn := func(times int) {
		t.Helper()
		for range times {
			piece := d.m.dialog.(views.Seeker).Seek(d.m.dialogState())
			if piece == nil {
				t.Fatal("the search is over")
			}
			piece(context.Background(), 1)()
		}
	}
	goOn(60)
	d.Press("down", "down")
	lines := func() (at string, line int) {
		for i, text := range strings.Split(d.Text(), "\n") {
			if strings.Contains(text, "│ ▸") {
				_, text, _ = strings.Cut(text, "▸")
				text, _, _ = strings.Cut(text, "−") // what is fewer; the bar behind it changes
				return text, i
			}
		}
		t.Fatalf("no line has the cursor:\n%s", d.Text())
		return "", 0
	}
	chosen, first := lines()
	moved := false
	for range 120 {
		goOn(1)
		now, line := lines()
		if now != chosen {
			t.Fatalf("the cursor went from %q to %q", chosen, now)
		}
		moved = moved || line != first
	}
	if !moved {
		t.Error("no better suggestion was found: nothing is tested")
	}
}

func TestClosingTheSuggestionsEndsTheSearch(t *testing.T) {
	d := surveyOf(t, 120, 40).Hold().Press("S")
	d.Dialog().Contains("searching …")
	d.Press("esc").Release()
	if d.m.dialog != nil || d.m.seeking.Runs() {
		t.Errorf("after esc the dialog is %v, a search runs: %v", d.m.dialog, d.m.seeking.Runs())
	}
	d.Press("S").Dialog().Contains("worth most first")
}

// A click on a suggestion chooses it, one on a limit begins to type it.
func TestSuggestionsByMouse(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("S")
	place := d.m.dialogPlace(d.m.height - 2)
	before := d.promises()
	d.act(func() { d.m.click(place.x+6, place.y+8) })
	if d.promises() == before {
		t.Error("a click on another line chooses nothing")
	}
	d.act(func() { d.m.click(place.x+6, place.y+2) })
	if !d.m.dialog.Typing() {
		t.Error("a click on a limit does not begin to type it")
	}
}
