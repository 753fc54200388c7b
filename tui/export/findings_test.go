package export

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// someFindings returns findings with every kind of fix.
func someFindings() []check.Finding {
	return []check.Finding{
		{Name: "names", Title: "Names", Text: "One variable has names.", Why: "A name tells who it is.", Cite: "A handbook.",
			Critical: true, Count: 2, Of: 3, Variables: []string{"name"},
			Fixes: []check.Fix{{Title: "leave name out", Remove: []string{"name"}}}},
		{Name: "numbers", Title: "Numbers of the source", Text: "Household numbers are the source's.", Critical: true,
			Fixes: []check.Fix{{Title: "new numbers", NewIdentifiers: []string{"hid"}}}},
		{Name: "order", Title: "Original order", Text: "The records stand in the original order.", Count: 3,
			Fixes: []check.Fix{{Title: "random order", RandomOrder: true},
				{Title: "round age", Step: "recode-round", Method: &recode.Round{Variable: "age", Base: 5}}}},
	}
}

// opened is a dialog for three records, checked by found.
type opened struct {
	testing.TB
	*export
	s     views.State
	found func(session.ExportOptions) ([]check.Finding, error)
	times int
}

func open(t testing.TB) *opened {
	t.Helper()
	t.Chdir(t.TempDir())
	const text = "name,hid,age\nAda,1,30\nBo,1,31\nCy,2,32\n"
	data, report, err := fileio.ReadBytes(context.Background(), "safe.csv", []byte(text), fileio.NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	doc := session.Document{Name: "small.csv", Source: session.NewDemonstration("small.csv", report.Format), Base: data,
		Data: data, Scenario: microdata.NewScenario()}
	o := &opened{TB: t, export: New(doc, session.NewAnalyst(), time.Time{}, NewOptions(session.ExportSettings{}, false)),
		s: views.State{Look: draw.Look{Theme: draw.NewTheme(true, false)}}}
	o.found = func(session.ExportOptions) ([]check.Finding, error) { return someFindings(), nil }
	o.gate.check = func(_ context.Context, _ session.Document, options session.ExportOptions) ([]check.Finding, error) {
		o.times++
		return o.found(options)
	}
	return o
}

// runWork runs the background work of the dialog.
func (o *opened) runWork() draw.Action {
	for range 5 {
		if piece := o.Seek(o.s); piece != nil {
			piece(context.Background(), time.Second)()
		}
	}
	return o.GoOn()
}

// press presses keys and returns the action of the last one.
func (o *opened) press(names ...string) (effect draw.Action) {
	for _, name := range names {
		effect = o.HandleKey(draw.Press(name), o.s)
	}
	return effect
}

// at goes to the row that begins with label.
func (o *opened) at(label string) *opened {
	o.Helper()
	for range 20 {
		if strings.Contains(o.text(96, 40), "▸ "+label) {
			return o
		}
		o.press("down")
	}
	o.Fatalf("no row %q:\n%s", label, o.text(96, 40))
	return o
}

func (o *opened) text(width, height int) string { return ansi.Strip(o.View(o.s, width, height)) }

func (o *opened) shows(texts ...string) {
	o.Helper()
	for _, text := range texts {
		if shown := o.text(96, 40); !strings.Contains(shown, text) {
			o.Errorf("the dialog lacks %q:\n%s", text, shown)
		}
	}
}

func TestFindingsStandUnderTheFields(t *testing.T) {
	o := open(t)
	o.shows("check", "runs …")
	o.runWork()
	o.shows("3 findings, 2 critical", "✗ critical       Names: 2 of 3 · name", "  warning        Original order: 3")
	o.at("✗ critical").shows("One variable has names.", "A name tells who it is.", "A handbook.", "1  leave name out")
	page, ok := o.press("down", "i").(dialogs.Cover)
	if !ok {
		t.Fatal("the findings cannot be read")
	}
	text := ansi.Strip(page.Dialog.View(o.s, 60, 40))
	if !strings.HasPrefix(text, "✗ Numbers of the source") {
		t.Errorf("the finding under the cursor is not the first:\n%s", text)
	}
	for _, f := range someFindings() {
		if !strings.Contains(text, f.Text) || !strings.Contains(text, f.Fixes[0].Title) {
			t.Errorf("the page lacks %q:\n%s", f.Title, text)
		}
	}
}

// A fix is one key: an option of the dialog, a step, or variables to leave out.
func TestFixes(t *testing.T) {
	o := open(t)
	o.runWork()
	o.at("✗ critical")
	remove, ok := o.press("1").(dialogs.SetScenario)
	if !ok || !remove.Stay || !remove.Scenario.Has("name", microdata.RoleRemoved) {
		t.Errorf("the first fix asks for %#v", remove)
	}
	o.press("down", "1")
	o.shows("random IDs       hid")
	o.runWork()
	o.at("  warning").press("1")
	o.shows("random order     yes", "runs …")
	if effect := o.press("2"); effect != (draw.Handled{}) {
		t.Errorf("a fix of findings that are not known asks for %#v", effect)
	}
	o.runWork()
	step, ok := o.press("2").(dialogs.Apply)
	if !ok || !step.Stay || step.Step.Step != "recode-round" {
		t.Errorf("the step of a fix is %#v", step)
	}
	if effect := o.press("3"); effect != nil {
		t.Errorf("a fix that is not there asks for %#v", effect)
	}
}

// What is written is what was checked: an option, or a change of the session, starts another check.
func TestChangedOptionsAreChecked(t *testing.T) {
	o := open(t)
	var random []bool
	o.found = func(options session.ExportOptions) ([]check.Finding, error) {
		random = append(random, options.RandomOrder)
		return nil, nil
	}
	o.runWork()
	o.at("random order").press("right")
	o.runWork()
	o.runWork()
	o.Look(o.doc)
	o.runWork()
	if len(random) != 3 || random[0] || !random[1] || !random[2] {
		t.Errorf("checked with random order %v", random)
	}
	o.shows("nothing found")
}

// Another file name starts no check, unless it names a person.
func TestNamesOfFilesAreCheckedOnce(t *testing.T) {
	o := open(t)
	var names []string
	o.found = func(options session.ExportOptions) ([]check.Finding, error) {
		names = append(names, filepath.Base(options.Path))
		return nil, nil
	}
	for _, name := range []string{"safe.csv", "survey.csv", "asked by Mrs Miller.csv", "other.csv"} {
		o.Path = name
		o.runWork()
	}
	if !slices.Equal(names, []string{"safe.csv", "asked by Mrs Miller.csv", "other.csv"}) {
		t.Errorf("checked were %q", names)
	}
}

func TestCriticalFindingsNeedConfirmation(t *testing.T) {
	o := open(t)
	if effect := o.press("enter"); effect != nil {
		t.Fatalf("enter before the check asks for %#v", effect)
	}
	o.shows("when the checks end")
	ask, ok := o.runWork().(dialogs.Cover)
	if !ok {
		t.Fatal("a critical finding is not asked for")
	}
	for _, word := range []string{"", "y", "ye", "yess", "no", "Yes"} {
		ask, ok = o.press("enter").(dialogs.Cover)
		if !ok {
			t.Fatal("a critical finding is not asked for")
		}
		var effect draw.Action
		for _, key := range append(strings.Split("r/n/"+word, ""), "enter") {
			if key == "/" {
				key = "enter"
			}
			if key != "" {
				effect = ask.Dialog.HandleKey(draw.Press(key), o.s)
			}
		}
		if text := ansi.Strip(ask.Dialog.View(o.s, 70, 12)); effect != nil ||
			!strings.Contains(text, "Names, Numbers of the source") || !strings.Contains(text, "nothing was written") {
			t.Errorf("%q gives %#v and shows\n%s", word, effect, text)
		}
	}
	var effect draw.Action
	for _, key := range []string{"esc", "backspace", "backspace", "backspace", "y", "e", "s", "enter"} {
		effect = ask.Dialog.HandleKey(draw.Press(key), o.s)
	}
	write, ok := effect.(dialogs.Launch)
	if !ok {
		t.Fatalf("yes asks for %#v", effect)
	}
	said, err := write.Work(context.Background(), nil)
	if err != nil || !strings.Contains(said, "3 records") || !strings.Contains(said, "accepted: Names, Numbers of the source") {
		t.Errorf("it says %q, %v", said, err)
	}
}

// A key after enter withdraws an enter that waits for the check.
func TestEnterWaitsForTheCheck(t *testing.T) {
	o := open(t)
	o.found = func(session.ExportOptions) ([]check.Finding, error) { return someFindings()[2:], nil }
	o.press("enter", "down")
	if effect := o.runWork(); effect != nil {
		t.Errorf("it was taken back, and asks for %#v", effect)
	}
	o.Look(o.doc)
	o.press("enter")
	if _, ok := o.runWork().(dialogs.Launch); !ok {
		t.Error("nothing is written when the check has ended")
	}
}

// A failed check gives the reason, and what writing without it means.
func TestCheckThatFails(t *testing.T) {
	o := open(t)
	o.found = func(session.ExportOptions) ([]check.Finding, error) { return nil, errors.New("no weights") }
	o.runWork()
	o.shows("failed: no weights")
	ask, ok := o.press("enter").(dialogs.Cover)
	if !ok || !strings.Contains(ask.Dialog.View(o.s, 200, 12), "The check failed (no weights)") {
		t.Errorf("enter asks for %#v", ask)
	}
}

// Scripts and recodes contain no records: nothing is checked, and nothing asked.
func TestOtherKindsAreNotChecked(t *testing.T) {
	o := open(t)
	for range 9 {
		if o.press("right"); o.What == exportScript {
			break
		}
	}
	o.runWork()
	if _, ok := o.press("enter").(dialogs.Launch); !ok || o.times > 0 || strings.Contains(o.text(96, 40), "runs") {
		t.Errorf("a script was checked %d times:\n%s", o.times, o.text(96, 40))
	}
}

// At any size of the window the whole text of a finding can be read: there, or on its page.
func TestFindingsAtAnySize(t *testing.T) {
	o := open(t)
	o.runWork()
	o.at("  warning")
	for width := 16; width < 110; width += 7 {
		for height := 1; height < 40; height++ {
			lines := strings.Split(o.text(width, height), "\n")
			if len(lines) > height {
				t.Fatalf("%d lines in %d", len(lines), height)
			}
			for _, line := range lines {
				if draw.Width(line) > width {
					t.Fatalf("a line of %d cells in %d: %q", draw.Width(line), width, line)
				}
			}
			if height >= 3 && !strings.Contains(strings.Join(lines, "\n"), "▸   wa") {
				t.Fatalf("the row is out of sight at %d × %d:\n%s", width, height, strings.Join(lines, "\n"))
			}
		}
	}
}

// The internal report has the findings and their acceptances as in the dialog; the user report does not.
func TestReportTellsWhatWasAccepted(t *testing.T) {
	o := open(t)
	o.runWork()
	ask := o.press("enter").(dialogs.Cover)
	for _, key := range []string{"r", "enter", "N", "enter", "y", "e", "s", "enter"} {
		ask.Dialog.HandleKey(draw.Press(key), o.s)
	}
	o.found = func(session.ExportOptions) ([]check.Finding, error) {
		found := someFindings()
		found[1].Text = "There are more of them."
		return found, nil
	}
	report := func() string {
		o.press("down", "down") // to the field of the path and on: what to export stays
		launch := o.press("enter").(dialogs.Launch)
		if _, err := launch.Work(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(o.Path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	o.press("right", "right")
	o.Path = "inside.txt"
	inside := report()
	_, inside, _ = strings.Cut(inside, "Critical findings")
	names := false
	for _, line := range strings.Split(inside, "\n") {
		accepted := strings.HasPrefix(line, "Names") && !strings.Contains(line, "not accepted") && strings.Contains(line, "  N ")
		names = names || accepted
	}
	if !names || !strings.Contains(inside, "There are more of them.") {
		t.Errorf("the report lacks what was found and accepted:\n%s", inside)
	}
	o.ForUsers, o.Path = true, "users.txt"
	if users := report(); strings.Contains(users, "There are more of them.") {
		t.Errorf("the user report has what was found:\n%s", users)
	}
}

// A file created after enter was pressed is not replaced, because nobody was asked.
func TestNothingIsReplacedUnasked(t *testing.T) {
	for _, what := range []string{exportData, exportRelease, exportReport, exportScript, exportRecodes} {
		o := open(t)
		o.found = func(session.ExportOptions) ([]check.Finding, error) {
			if what != exportRelease {
				return nil, nil
			}
			return []check.Finding{{Name: "no-protection", Critical: true, Whole: true}}, nil // because a release checks again
		}
		o.doc.Scenario.Remove = []string{"name", "hid"} // no critical finding is left
		for o.What != what {
			o.press("right")
		}
		o.runWork()
		effect := o.press("enter")
		if ask, ok := effect.(dialogs.Cover); ok {
			for _, key := range []string{"r", "enter", "N", "enter", "y", "e", "s", "enter"} {
				effect = ask.Dialog.HandleKey(draw.Press(key), o.s)
			}
		}
		write := effect.(dialogs.Launch).Work
		if _, err := write(context.Background(), nil); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if _, err := write(context.Background(), nil); !errors.Is(err, fileio.ErrExists) {
			t.Errorf("%s is replaced: %v", what, err)
		}
	}
}

// A click after the question withdraws it: a file is replaced only while the question is shown.
func TestClickTakesTheQuestionBack(t *testing.T) {
	o := open(t)
	o.found = func(session.ExportOptions) ([]check.Finding, error) { return nil, nil }
	o.runWork()
	if err := os.WriteFile(o.Path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.press("enter")
	o.shows("exists; enter again replaces it")
	o.Click(0, 0, o.s)
	if effect := o.press("enter"); effect != nil {
		t.Errorf("after a click enter asks for %#v", effect)
	}
	if _, ok := o.press("enter").(dialogs.Launch); !ok {
		t.Error("enter pressed twice does not replace")
	}
}

// The keys are those of the finding under the cursor, even right after another check has finished, because they
// are asked for before the rows are drawn.
func TestKeysFollowTheCursor(t *testing.T) {
	o := open(t)
	hint := func() string {
		for _, binding := range o.Keys() {
			if binding.Help().Desc == "fix" {
				return binding.Help().Key
			}
		}
		return ""
	}
	if o.runWork(); hint() != "1" {
		t.Errorf("from above the keys of the first critical finding are %q", hint())
	}
	if o.press("down"); hint() != "" {
		t.Errorf("in the path, whose text takes digits, %q fixes", hint())
	}
	if o.at("  warning"); hint() != "1–2" {
		t.Errorf("the keys of the warning are %q", hint())
	}
	o.press("up")
	o.found = func(session.ExportOptions) ([]check.Finding, error) { return someFindings()[2:], nil }
	o.Look(o.doc)
	if o.press("9"); hint() != "1" {
		t.Errorf("while the check runs the keys are %q", hint())
	}
	if o.press("1"); !strings.Contains(o.text(96, 40), "Choose a fix when they have finished") {
		t.Errorf("a fix before the check has ended is taken without a word:\n%s", o.text(96, 40))
	}
	if o.runWork(); hint() != "1–2" {
		t.Errorf("after the check the keys are %q", hint())
	}
}
