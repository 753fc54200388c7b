package tui

import (
	"errors"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/tui/dialogs"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/suppression/suppress"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

func TestFirstFigures(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40)
	d.Pane("k-anonymity").Contains("3,702", "4,443", "4,704", "4,459", "4,471")
	d.Pane("risk").Contains("84.84", "1.7 %", "384.83")
	d.Screen().Contains("5,000 records", "7 key variables", "weight", "household", "Overview")
}

// recodeAge recodes age into eight intervals.
func recodeAge(d *driver) *driver {
	d.Helper()
	return d.Send(slices.Concat(pressed("1", "down", "down", "down", "r"), typed("4 14 24 34 44 54 64"),
		pressed("enter"))...)
}

func TestRecodeUndoRedoAndJump(t *testing.T) {
	d := demonstration(t, 120, 40)
	d.Press("1", "down", "down", "down", "r").Type("4 14 24 34 44 54 64")
	d.Dialog().Contains("0-4", "65+", "4,443")
	whatIf := d.m.asking.answer
	if whatIf.WhatIf == nil || whatIf.Need == nil || whatIf.Pending || whatIf.NeedPending {
		t.Fatalf("the what-if has no figures: %+v", whatIf)
	}
	d.Press("enter")
	current := d.m.bench.current.Assessment
	if got, want := current.Violators[1].Count, whatIf.WhatIf.Assessment.Violators[1].Count; got != want {
		t.Errorf("%d violators of 3 after the step, %d were promised", got, want)
	}
	d.Pane("steps").Contains("age")
	d.Press("1", "g", "r", "down", "space", "down", "space", "m", "esc")
	if len(d.steps()) != 2 {
		t.Fatalf("steps %q", d.steps())
	}
	d.Press("u", "u")
	d.Pane("k-anonymity").Contains("4,443")
	if d.m.bench.doc.Position() != 0 || d.m.bench.doc.Data() != d.m.bench.doc.Base() {
		t.Errorf("two undos lead to position %d", d.m.bench.doc.Position())
	}
	d.Press("u")
	d.Screen().Contains("there is nothing to undo")
	d.Press("ctrl+r")
	if got := d.m.bench.current.Assessment.Violators[1].Count; got != current.Violators[1].Count {
		t.Errorf("%d violators of 3 after redo, want %d", got, current.Violators[1].Count)
	}
	d.Press("6", "up", "enter")
	if d.m.bench.doc.Position() != 2 {
		t.Errorf("enter on the newest step leads to position %d", d.m.bench.doc.Position())
	}
	d.Press("6", "end", "enter")
	if d.m.bench.doc.Position() != 0 {
		t.Errorf("enter on the original data leads to position %d", d.m.bench.doc.Position())
	}
}

func TestSuppressionAsPromised(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Press("K")
	promised := d.m.asking.answer.WhatIf
	if promised == nil || promised.Report.Suppression == nil {
		t.Fatalf("no what-if: %+v", d.m.asking.answer)
	}
	d.Press("enter")
	violators := d.m.bench.current.Assessment.Violators
	if violators[1].Conservative != 0 {
		t.Errorf("%d violators of 3 left under the rule conservative", violators[1].Conservative)
	}
	steps := d.m.bench.doc.Steps()
	if done := steps[len(steps)-1].Report.Suppression; done.Total != promised.Report.Suppression.Total {
		t.Errorf("%d cells suppressed, %d were promised", done.Total, promised.Report.Suppression.Total)
	}
	d.Pane("suppressions").Contains("age")
}

func TestDrillDownAndBack(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("2", "down", "enter")
	d.Screen().Contains("region = ", "Brisk")
	d.Press("enter")
	d.Screen().Contains("Record ")
	d.Press("esc")
	d.Screen().Contains("region = ")
	d.Press("esc")
	d.Screen().Contains("1 Key variables", "2 region")
}

func TestEscCancelsWork(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("K").Hold().Press("enter")
	d.Screen().Contains("esc cancels")
	d.Press("u") // waits, and has no effect
	d.Press("esc").Release()
	d.Screen().Contains("cancelled, nothing was changed")
	if len(d.steps()) != 0 || d.m.work != nil {
		t.Errorf("steps %q, work %v", d.steps(), d.m.work)
	}
}

func TestEscLeavesADialogBeforeTheWorkBelow(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("K").Hold().Press("enter", "q", "esc")
	if d.m.dialog != nil || d.m.work == nil {
		t.Fatalf("esc in the question whether to quit: dialog %v, work %v", d.m.dialog, d.m.work)
	}
	d.Press("r", "ctrl+c", "esc")
	d.Dialog().Contains("Recode region") // it returns after the question
	d.Press("esc").Release()
	if len(d.steps()) != 1 {
		t.Errorf("steps %q", d.steps())
	}
}

// A result for data that have changed meanwhile is reported, not committed.
func TestResultForDataThatMoved(t *testing.T) {
	d := recodeAge(surveyOf(t, 120, 40)).Press("K").Hold().Press("enter")
	doc := d.m.bench.doc
	undo, err := doc.PrepareMove(0)
	if err != nil {
		t.Fatal(err)
	}
	result, err := undo.Run(t.Context(), nil, nil)
	if err == nil {
		err = doc.Commit(result)
	}
	if err != nil {
		t.Fatal(err)
	}
	d.Release()
	d.Screen().Contains("the data have changed in the meantime")
	if len(d.steps()) != 0 {
		t.Errorf("steps %q", d.steps())
	}
}

func TestKeysWaitForWork(t *testing.T) {
	d := recodeAge(surveyOf(t, 120, 40)).Press("K").Hold().Press("enter", "u", "u")
	if n := len(d.steps()); n != 1 {
		t.Fatalf("%d steps while the second is computed", n)
	}
	d.Release()
	if d.m.bench.doc.Position() != 0 || len(d.m.bench.doc.Steps()) != 1 { // the first u cancels the second step
		t.Errorf("position %d of %d, want 0 of 1", d.m.bench.doc.Position(), len(d.m.bench.doc.Steps()))
	}
}

func TestOldFiguresAreMarkedAndNeverMixed(t *testing.T) {
	d := recodeAge(demonstration(t, 120, 40))
	after := d.m.bench.current
	d.Hold().Press("u")
	if s := d.m.state(); !s.Stale || s.Current.Data != after.Data || s.Current.Assessment != after.Assessment {
		t.Errorf("until new figures are there the old ones stay with their data: stale %v, same %v", s.Stale,
			s.Current.Data == after.Data)
	}
	d.Press("ctrl+r", "u").Release()
	if s := d.m.state(); s.Stale || s.Current.Data != d.m.bench.doc.Data() ||
		s.Current.Assessment.Violators[1].Count != 4443 {
		t.Errorf("after two undos and a redo: stale %v, %+v", s.Stale, s.Current.Assessment.Violators)
	}
}

// An answer to an earlier question is never shown as the answer to the latest one.
func TestStaleAnswersAreDropped(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "down", "down", "down", "r", "right").Hold()
	d.Press("right")
	older := d.held
	d.held = nil
	d.Press("right")
	newer := d.held
	d.held, d.hold = nil, false
	for _, cmd := range slices.Concat(newer, older) {
		d.run(cmd)
	}
	for len(d.timers) > 0 {
		d.Pass()
	}
	want, err := d.m.bench.analyst.WhatIf(t.Context(), d.m.bench.doc.Data(), d.m.bench.scenario,
		d.m.dialog.(dialogs.Previewer).Question().Step, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := d.m.asking.answer
	if got.Pending || got.WhatIf.Assessment.Expected != want.Assessment.Expected {
		t.Errorf("expected re-identifications %v (pending %v), want %v", got.WhatIf.Assessment.Expected, got.Pending,
			want.Assessment.Expected)
	}
}

func TestQuitAsksOnlyWhileWorkRuns(t *testing.T) {
	beside(t)
	for _, key := range []string{"q", "ctrl+c"} {
		if d := guide(t, 120, 40).Press(key); !d.quit {
			t.Errorf("%s does not quit", key)
		}
		d := guide(t, 120, 40).Press("K").Hold().Press("enter", key)
		d.Dialog().Contains("Quit while work runs?")
		for _, cmd := range d.held { // the work ends unnoticed
			unheard(cmd)
		}
		d.held = nil
		d.hold = false
		d.Press("enter")
		if !d.quit {
			t.Errorf("%s, then enter, does not quit while work runs", key)
		}
	}
	d := guide(t, 120, 40).Press("K", "ctrl+c")
	if !d.quit {
		t.Error("ctrl+c does not quit a dialog")
	}
}

// unheard runs a command and drops its messages.
func unheard(cmd tea.Cmd) {
	if batch, ok := cmd().(tea.BatchMsg); ok {
		for _, cmd := range batch {
			if cmd != nil {
				unheard(cmd)
			}
		}
	}
}

func TestNoLetterIsACommandWhileTextIsTyped(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("2", "/").Type("quK:?ir")
	if d.quit || d.m.dialog != nil {
		t.Fatal("a letter of a filter was a command")
	}
	d.Screen().Contains("/quK:?ir")
	d.Press("esc", "3", "[").Type("]]")
	d = surveyOf(t, 120, 40).Press(":").Type("quit")
	if d.quit {
		t.Fatal("a letter typed into the palette was a command")
	}
	d.Press("enter")
	if !d.quit {
		t.Error("the palette does not quit")
	}
}

func TestSmallScreens(t *testing.T) {
	beside(t)
	d := demonstration(t, 80, 24)
	d.Screen().Contains("k=2 3,702", "k=3 4,443", "k=5 4,704", "re-id. 84.84 (1.7 %)", "Key variables")
	d.Press("tab")
	d.Screen().Contains("region · 8 categories")
	d.Screen().Lacks("Key variables")
	d.Resize(20, 5)
	d.Screen().Contains("2:3702 3:4443 5:4704", "q quit")
	d.Resize(40, 8)
	d.Screen().Contains("3,702", "4,443", "4,704", "quit")
	for height := 1; height < 6; height++ {
		d.Resize(20, height)
		d.Screen().Contains("2:3702")
	}
}

func TestBackgroundAndThemes(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	themes := map[string]bool{d.m.theme.Name: true}
	for range 2 {
		d.Press(":").Type("theme").Press("enter")
		themes[d.m.theme.Name] = true
	}
	if len(themes) != 3 {
		t.Errorf("themes %v", themes)
	}
	d = surveyOf(t, 80, 24).Send(tea.BackgroundColorMsg{Color: color.White})
	if d.m.theme.Name != "light" {
		t.Errorf("on a white background the theme is %s", d.m.theme.Name)
	}
	d = start(t, Options{Theme: "dark"}, 80, 24).Send(tea.BackgroundColorMsg{Color: color.White})
	if d.m.theme.Name != "dark" {
		t.Errorf("the theme that was asked for gives way to %s", d.m.theme.Name)
	}
}

func TestMouse(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	lines := strings.Split(d.Text(), "\n")
	click := func(line int, text string) {
		t.Helper()
		x := strings.Index(lines[line], text)
		if x < 0 {
			t.Fatalf("line %d lacks %q", line, text)
		}
		d.Send(tea.MouseClickMsg{X: draw.Width(lines[line][:x]), Y: line, Button: tea.MouseLeft})
		lines = strings.Split(d.Text(), "\n")
	}
	click(4, "urbrur")
	if d.m.bench.selected.Variable != "urbrur" {
		t.Errorf("a click selects %q", d.m.bench.selected.Variable)
	}
	click(39, "? help")
	if d.m.dialog == nil {
		t.Fatal("a click on a key of the bottom line does nothing")
	}
	d.Press("esc")
	lines = strings.Split(d.Text(), "\n")
	click(0, "Data")
	d.Screen().Contains("hid", "pid")
	click(39, "q quit")
	if !d.quit {
		t.Error("a click on quit does not quit")
	}
}

func TestMouseInDialogs(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("K")
	click := func(text string, right int) {
		t.Helper()
		for y, line := range strings.Split(d.Text(), "\n") {
			place := d.m.dialogPlace(d.m.height - 2)
			if x := strings.Index(line, text); x >= 0 && place.contains(draw.Width(line[:x]), y) {
				d.Send(tea.MouseClickMsg{X: draw.Width(line[:x]) + right, Y: y, Button: tea.MouseLeft})
				return
			}
		}
		t.Fatalf("no line has %q:\n%s", text, d.Text())
	}
	click("algorithm", 0)
	d.Dialog().Contains("▸ algorithm")
	before := asked[*suppress.KAnonymity](d).Algorithm
	click("◂ ", 0)
	after := asked[*suppress.KAnonymity](d).Algorithm
	click(after+" ▸", len(after)+1)
	if again := asked[*suppress.KAnonymity](d).Algorithm; after == before || again != before {
		t.Errorf("arrows lead from %s to %s and %s", before, after, again)
	}
	d.Press("esc", "1", "g", "r")
	click("Brisk", 0)
	click("Farrow", 0)
	if marked := asked[*recode.Group](d).Levels; !slices.Equal(marked, []string{"Brisk", "Farrow"}) {
		t.Errorf("marked are %q", marked)
	}
	d.Press("esc", "1", "down", "down", "down", "r")
	click("40-49", 0)
	d.Dialog().Contains("▸49◂")
	d.Press("esc", ":").Type("export")
	click("Export: file", 0)
	if !strings.HasPrefix(d.m.dialog.Title(), "Export") {
		t.Errorf("a click in the palette opens %T", d.m.dialog)
	}
}

func TestRemoveAStep(t *testing.T) {
	beside(t)
	d := recodeAge(surveyOf(t, 120, 40)).Press("1", "g", "r", "down", "space", "down", "space", "m", "esc")
	d.Press("6", "down")
	d.Screen().Contains("c/d change/remove step")
	d.Press("d")
	d.Dialog().Contains("Remove a step?", "Removing step 1", "intervals age")
	d.Press("esc")
	if len(d.steps()) != 2 {
		t.Fatalf("esc leaves %q", d.steps())
	}
	d.Press("d", "enter")
	if titles := d.steps(); len(titles) != 1 || !strings.HasPrefix(titles[0], "group region") {
		t.Errorf("steps %q", titles)
	}
	column, _ := d.m.bench.current.Data.Column("age")
	if column.Recoded() || d.m.state().Stale {
		t.Error("age is still recoded, or the figures are old")
	}
}

func TestHelpInADialogLeadsBackToIt(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("K", "right", "?")
	d.Dialog().Contains("field")
	d.Press("end").Dialog().Contains("apply")
	d.Press("esc")
	d.Dialog().Contains("suppression rule")
	if a := d.m.asking.answer; a.Pending || a.WhatIf == nil || a.WhatIf.Report.Suppression.K != 4 {
		t.Errorf("after help the what-if is %+v", a)
	}
}

func TestEndings(t *testing.T) {
	d := surveyOf(t, 120, 40)
	if _, err := d.m.ended(tea.ErrInterrupted); err != nil {
		t.Errorf("a signal is no error: %v", err)
	}
	opening := Options{Path: writeSurvey(t)}
	d = recodeAge(start(t, opening, 120, 40).Press("enter", "a", "enter"))
	journal, err := d.m.ended(tea.ErrProgramPanic)
	if err == nil || !errors.Is(err, tea.ErrProgramPanic) || !strings.Contains(err.Error(), journal) || journal == "" {
		t.Errorf("after a panic: %q, %v", journal, err)
	}
	if info, err := session.ReadJournal(journal, nil); err != nil || len(info.Steps) != 1 || info.InUse {
		t.Errorf("the journal after a panic: %+v, %v", info, err)
	}
}

func TestChangeAStep(t *testing.T) {
	beside(t)
	d := recodeAge(demonstration(t, 120, 40)).Press("1", "g", "r", "down", "space", "down", "space", "m", "esc", "K", "enter")
	d.Press("6", "end", "up", "c") // the intervals
	d.Screen().Contains("Step 1: Recode age")
	d.Dialog().Contains("0-4", "65+", "4,443") // the figures before the step, and its own breaks
	d.Type("20 40 60")
	d.Dialog().Contains("21-40")
	d.Press("enter")
	d.Dialog().Contains("Changing step 1 (intervals age", "2 later steps", "✓ 2 group region", "✓ 3 k-anonymity")
	d.Press("enter")
	if titles := d.steps(); len(titles) != 3 || !strings.Contains(titles[0], "21-40") ||
		!strings.HasPrefix(titles[1], "group region") {
		t.Fatalf("steps %q", titles)
	}
	if left := d.m.bench.current.Assessment.Violators[1].Conservative; left != 0 {
		t.Errorf("%d violators after the suppression was done again", left)
	}
	d.Press("6", "home", "c")
	d.Screen().Contains("Step 3: k-anonymity")
	d.Press("right")
	if want := 4; d.m.asking.answer.WhatIf.Report.Suppression.K != want ||
		d.m.asking.answer.WhatIf.Report.Suppression.Total == 0 {
		t.Errorf("the what-if is that of k = %d on the data after the step", d.m.asking.answer.WhatIf.Report.Suppression.K)
	}
	d.Press("enter")
	if titles := d.steps(); len(titles) != 3 || !strings.Contains(titles[2], "k=4") {
		t.Errorf("steps %q", titles)
	}
	// the earlier k-anonymity is between them, on its branch
	d.Press("down", "down", "c")
	d.Screen().Contains("Step 2: Recode region", "● Brisk", "● Dunmere") // the marks of the step
	d.Press("esc", "u")
	if titles := d.steps(); len(titles) != 3 || !strings.Contains(titles[2], "k=3") || d.m.editing != nil {
		t.Errorf("after esc and undo, which takes the change back: %q", titles)
	}
}
