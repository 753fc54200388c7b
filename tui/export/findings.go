package export

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// checkResult is the result of a check, or its error.
type checkResult struct {
	findings []check.Finding
	err      error
}

// acceptance is the part of a dialog that guards the export of records: the findings of the checks are rows below the
// fields, and critical findings must be accepted by typing a word.
type acceptance struct {
	check func(ctx context.Context, doc session.Document, o session.ExportOptions) ([]check.Finding, error)
	known views.Cache[string, checkResult]
	last  *checkResult // the latest finished check; nil: none
	waits bool         // enter was pressed before the check had finished
	times int          // number of changes of the session

	early bool // a fix was chosen before the check had finished
}

// Acceptances has the acceptances of the critical findings of a session, by name and text of the finding. A finding
// with other counts has to be accepted again.
type Acceptances map[string][]check.Acceptance

func searched(f *check.Finding) string { return f.Name + " " + f.Text }

// of returns the acceptances of those findings that were accepted.
func (a Acceptances) of(found []check.Finding) (accepted []check.Acceptance) {
	for i := range found {
		accepted = append(accepted, a[searched(&found[i])]...)
	}
	return accepted
}

// Look takes the current session, which is then checked again.
func (d *export) Look(doc session.Document) {
	d.doc = doc
	d.fit()
	d.gate.times++
}

// guarded reports whether the export contains records.
func (d *export) guarded() bool { return d.What == exportData || d.What == exportRelease }

// notesKept returns the number of notes of the original that the file would contain.
func (d *export) notesKept() int {
	if !d.KeepNotes {
		return 0
	}
	return len(d.doc.Notes(d.safe()))
}

// question identifies what a check depends on. Of the file name that is only whether it names a person.
func (d *export) question() string {
	return fmt.Sprint(d.gate.times, check.NamesPerson(d.safe(), d.analyst.Patterns()), d.RandomOrder, d.GuardFormulas, d.Codebook, d.NewIdentifiers,
		d.notesKept())
}

// seekCheck returns the piece of work that checks what would be written now, or nil if the result is known.
func (d *export) seekCheck() views.Piece {
	doc, options := d.doc, d.options(d.safe())
	return d.gate.known.Seek(d.question(), func(ctx context.Context) (checkResult, error) {
		found, err := d.gate.check(ctx, doc, options)
		return checkResult{found, err}, nil
	})
}

// found returns the check of what would be written now, or nil while it runs.
func (d *export) found() *checkResult {
	found := d.gate.known.Found(d.question())
	if found != nil && found != d.gate.last {
		d.gate.last = found
		d.Fields = append(d.Fields[:d.rows:d.rows], d.findingFields()...)
	}
	return found
}

// findingFields returns a row for each finding of the latest check.
func (d *export) findingFields() (fields []*dialogs.Field) {
	for i := range d.gate.last.findings {
		f := &d.gate.last.findings[i]
		label, value := "  warning", f.Title
		if f.Critical {
			label = "✗ critical"
		}
		if counted := f.Counted(); counted != "" {
			value += ": " + counted
		}
		fitted := func(int) string { return value }
		if few := wording.FirstFew(f.Variables, 3); len(few) > 0 {
			counted, parts := value, append([]string{value + " · " + few[0]}, few[1:]...)
			value = strings.Join(parts, ", ")
			fitted = func(cells int) string {
				return draw.Fitting(cells, draw.Joined(cells, ", ", parts...),
					draw.Joined(cells, " ", strings.Fields(counted)...))
			}
		}
		fields = append(fields, &dialogs.Field{Label: label, Critical: f.Critical, Value: func() string { return value },
			Fitted: fitted, Hidden: func() bool { return !d.guarded() }})
	}
	return fields
}

// fieldCheck shows the state of the check.
func (d *export) fieldCheck() *dialogs.Field {
	return &dialogs.Field{Label: "check",
		Help: "Findings of the pre-release checks on the data as they will be written: disclosures, and guarantees that do " +
			"not hold. Critical findings need a typed yes. The arrow keys go to the findings.",
		Value: d.checkValue, Hidden: func() bool { return !d.guarded() }}
}

func (d *export) checkValue() string {
	found := d.found()
	switch {
	case found == nil:
		return "runs …"
	case found.err != nil:
		return "failed: " + found.err.Error()
	case len(found.findings) == 0:
		return "nothing found"
	}
	critical := len(check.Refusing(found.findings, nil))
	return wording.Counted(len(found.findings), "finding") + ", " + wording.Number(critical) + " critical"
}

// under returns the finding in focus, or nil if another row is in focus.
func (d *export) under() *check.Finding {
	d.found()
	if at := slices.Index(d.Fields, d.Field()) - d.rows; at >= 0 && d.guarded() {
		return &d.gate.last.findings[at]
	}
	return nil
}

// offered returns the finding whose fixes have keys: the one in focus, otherwise the first critical one, unless
// the field in focus takes text.
func (d *export) offered() *check.Finding {
	f := d.under()
	if f != nil || !d.guarded() || d.gate.last == nil || d.Field().Typed != nil {
		return f
	}
	if critical := check.Refusing(d.gate.last.findings, nil); len(critical) > 0 {
		return &d.gate.last.findings[0] // critical findings come first
	}
	return nil
}

// aboutFixes lists the fixes of a finding with their keys.
func aboutFixes(f *check.Finding, s views.State, width int) (lines []string) {
	for i := range f.Fixes {
		lines = s.Key.Append(lines, strconv.Itoa(i+1)+"  "+f.Fixes[i].Title, width)
	}
	return lines
}

// aboutFinding draws the text of the finding in focus, and its fixes with their keys.
func (d *export) aboutFinding(f *check.Finding, s views.State, width int) []string {
	lines := s.Strong.Wrapped(f.Text, width)
	lines = append(lines, aboutFixes(f, s, width)...)
	lines = s.Plain.Append(lines, f.Why, width)
	return s.Faint.Append(lines, f.Cite, width)
}

// acts returns the keys of the finding whose fixes are offered.
func (d *export) acts() (acts []views.KeyAction) {
	f := d.offered()
	if f == nil || d.Typing() {
		return nil
	}
	acts = []views.KeyAction{views.Emits("i", "show all findings", dialogs.Cover{Dialog: d.page(f)})}
	if n := len(f.Fixes); n > 0 {
		keys := strings.Split("123456789"[:min(n, 9)], "")
		help := keys[0]
		if n > 1 {
			help += "–" + keys[len(keys)-1]
		}
		acts = append([]views.KeyAction{views.Presses(help, "fix", func(msg tea.KeyPressMsg, _ views.State) draw.Action {
			if d.found() == nil {
				d.gate.early = true
				return draw.Handled{}
			}
			return d.fix(&f.Fixes[slices.Index(keys, msg.String())])
		}, keys...)}, acts...)
	}
	return acts
}

// page lists all findings to read, starting with the given one.
func (d *export) page(first *check.Finding) dialogs.Dialog {
	var lines []dialogs.ListLine
	found, at := d.gate.last.findings, 0
	for &found[at] != first {
		at++
	}
	for _, f := range slices.Concat(found[at:], found[:at]) {
		heading := f.Title
		if f.Critical {
			heading = "✗ " + heading + " (critical)"
		}
		lines = append(lines, dialogs.ListLine{Text: heading}, dialogs.ListLine{Key: "found", Text: f.Text})
		for _, part := range []dialogs.ListLine{{Key: "why", Text: f.Why}, {Key: "source", Text: f.Cite}} {
			if part.Text != "" {
				lines = append(lines, part)
			}
		}
		for i := range f.Fixes {
			lines = append(lines, dialogs.ListLine{Key: "fix " + strconv.Itoa(i+1), Text: f.Fixes[i].Title})
		}
	}
	return dialogs.NewList("Findings of the checks", lines)
}

// fix fixes a finding by an option of the dialog, the scenario or a step. The dialog stays open, and the check
// runs again.
func (d *export) fix(m *check.Fix) draw.Action {
	d.RandomOrder, d.KeepNotes = d.RandomOrder || m.RandomOrder, d.KeepNotes && !m.DropNotes
	for _, name := range m.NewIdentifiers {
		if !slices.Contains(d.NewIdentifiers, name) {
			d.NewIdentifiers = append(d.NewIdentifiers, name)
		}
	}
	switch {
	case len(m.Redraw) > 0:
		return dialogs.Redraw{Steps: m.Redraw}
	case m.Replace > 0:
		return dialogs.Replace{Step: m.Replace - 1, By: dialogs.StepOf(m.Step, m.Method)}
	case m.Step != "":
		return dialogs.Apply{Step: dialogs.StepOf(m.Step, m.Method), Stay: true}
	case len(m.Remove) > 0:
		scenario := d.doc.Scenario.Clone()
		for _, name := range m.Remove {
			scenario.LeaveOut(name)
		}
		return dialogs.SetScenario{Scenario: scenario, Stay: true}
	}
	return draw.Handled{}
}

// GoOn writes if enter waited for the check.
func (d *export) GoOn() draw.Action {
	if !d.gate.waits || d.found() == nil {
		return nil
	}
	return d.HandleKey(draw.Press("enter"), views.State{})
}

// letOut starts writing if there is no critical finding. Critical findings, and a failed check, have to be
// accepted first.
func (d *export) letOut(path string) draw.Action {
	found := d.found()
	if found == nil {
		d.gate.waits = true
		return nil
	}
	critical := check.Refusing(found.findings, nil)
	if len(critical) == 0 && found.err == nil || found.err != nil && d.What == exportRelease {
		return d.launch(path, nil) // a release is checked again, and reports the error
	}
	what := "You accept: " + titles(critical) + "."
	if found.err != nil {
		what = "The check failed (" + found.err.Error() + "), so the file would be written unchecked."
		return dialogs.Cover{Dialog: newConsent(what, false, func(string, string) draw.Action { return d.launch(path, nil) })}
	}
	return dialogs.Cover{Dialog: newConsent(what, true, func(because, by string) draw.Action {
		for i := range critical {
			d.agreed[searched(&critical[i])] = check.Accept(critical[i:i+1], because, by, d.now.Date.Format(time.DateOnly))
		}
		return d.launch(path, critical)
	})}
}

// acceptance returns the text about accepted findings, to follow what was written.
func (d *export) acceptance() string {
	if len(d.accepted) == 0 {
		return ""
	}
	return "; accepted: " + titles(d.accepted)
}

func titles(found []check.Finding) string {
	return wording.Joined(found, ", ", func(f check.Finding) string { return f.Title })
}
