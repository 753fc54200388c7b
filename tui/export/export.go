package export

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// SeedsHelp is the help of the option to write seeds into scripts.
const SeedsHelp = "Write the seeds of random methods. With the seeds, an intruder can reverse the perturbation."

// What can be exported.
const (
	exportData    = "file"
	exportRelease = "release"
	exportReport  = "report"
	exportScript  = "script"
	exportRecodes = "recodes"
)

// export writes the protected file, a release, a report, a script or the recodes.
type export struct {
	dialogs.SaveForm
	*Options
	gate     acceptance
	rows     int // number of option fields; those of findings follow
	doc      session.Document
	analyst  *session.Analyst
	accepted []check.Finding // the critical findings accepted for this file
	now      session.ReportOptions

	lacks views.Cache[string, []string] // what the file format cannot hold, by extensions of file and codebook
}

// DefaultPath returns a path next to the source, with a suffix as in session.Document.DefaultName.
func DefaultPath(doc session.Document, suffix string) string {
	folder, _ := filepath.Split(doc.Source.File())
	return folder + doc.DefaultName(suffix)
}

// fit updates path, title and new IDs after a change of what is exported or of the session.
func (d *export) fit() {
	d.Path = cmp.Or(d.Paths[d.suffix()], DefaultPath(d.doc, d.suffix()))
	if d.Heading = "Export"; !d.doc.Protected() {
		d.Heading = "Export: no protection has been applied"
	}
	d.NewIdentifiers = slices.DeleteFunc(slices.Clone(d.NewIdentifiers), func(name string) bool {
		_, ok := d.doc.Data.Column(name)
		return !ok || d.doc.Scenario.Has(name, microdata.RoleRemoved)
	})
}

// Size leaves room for the fields with the findings, and for the text of one finding.
func (d *export) Size() (width, height int) {
	const said, foundSaid = 9, 13 // lines of the help, and of a finding
	rows := len(d.Visible())
	if d.gate.last != nil && len(d.gate.last.findings) > 0 {
		return 100, rows + foundSaid
	}
	return 100, rows + said
}

// Seek runs the checks on what would be written, and finds what a file of the chosen format cannot hold.
func (d *export) Seek(views.State) views.Piece {
	ending := fmt.Sprint(d.gate.times, filepath.Ext(d.Path), d.Codebook, d.KeepNotes)
	if !d.guarded() {
		return nil
	}
	if piece := d.seekCheck(); piece != nil || d.What != exportData {
		return piece
	}
	doc, options := d.doc, d.options(d.Path)
	return d.lacks.Seek(ending, func(ctx context.Context) ([]string, error) { // an error is reported when the file is written
		return doc.Lacks(ctx, options)
	})
}

// Keys returns the keys of the finding in focus and of the fields.
func (d *export) Keys() []key.Binding {
	keys, acts := d.SaveForm.Keys(), views.Bindings(d.acts())
	if len(acts) == 1 { // no fix; fixes would come before enter
		out := len(keys) - 2
		return slices.Concat(keys[:out], acts, keys[out:])
	}
	return append(keys, acts...)
}

// HandleKey fixes the finding in focus, edits the fields, or writes.
func (d *export) HandleKey(msg tea.KeyPressMsg, s views.State) draw.Action {
	d.found()
	if d.gate.waits = false; msg.String() != "enter" {
		d.askAgain()
	}
	if action := views.CarryOut(d.acts(), msg, s); action != nil {
		return action
	}
	return d.SaveForm.HandleKey(msg, s)
}

// askAgain withdraws the confirmation by enter: the next enter applies to what is visible then.
func (d *export) askAgain() {
	d.gate.waits, d.gate.early, d.Replace, d.Problem = false, false, false, ""
}

// Click moves the focus to a row, or changes its field.
func (d *export) Click(x, y int, s views.State) draw.Action {
	d.askAgain()
	return d.SaveForm.Click(x, y, s)
}

// View draws the fields, and the text for the one in focus.
func (d *export) View(s views.State, width, height int) string {
	d.found()
	return d.SaveForm.View(s, width, height)
}

// about describes the finding in focus, what the file cannot hold, and a missing or unknown extension, before the
// file is written.
func (d *export) about(s views.State, width int) (lines []string) {
	if d.gate.waits {
		return s.Changed.Wrapped("It is written when the checks end without critical findings; any other key cancels.", width)
	}
	if d.gate.early && d.found() == nil {
		return s.Changed.Wrapped("The checks are running. Choose a fix when they have finished.", width)
	}
	if f := d.under(); f != nil {
		return d.aboutFinding(f, s, width)
	}
	if f := d.offered(); f != nil {
		if lines = append(s.Error.Wrapped("✗ "+f.Title, width), aboutFixes(f, s, width)...); len(f.Fixes) == 0 {
			lines = s.Plain.Append(lines, f.Text, width)
		}
	}
	if d.What != exportData {
		return lines
	}
	if err := session.CheckName(d.Path, d.doc.Source.Format()); err != nil {
		return s.Warning.Wrapped(err.Error(), width)
	}
	for _, lack := range *d.lacks.Last() {
		lines = s.Warning.Append(lines, lack, width)
	}
	return lines
}

func (d *export) writing(path string) (draw.Action, error) {
	if d.guarded() {
		return d.letOut(path), nil
	}
	return d.launch(path, nil), nil
}

// launch writes as work, with the critical findings that were accepted.
func (d *export) launch(path string, accepted []check.Finding) draw.Action {
	job := *d
	job.Path, job.accepted, job.Options = path, accepted, d.Options.clone()
	return dialogs.Launch{Title: "writing " + session.Called(path), Work: job.run}
}

// companions returns the files that go with the protected one and would be replaced, or none after an error, which
// writing will report.
func (d *export) companions(path string) []string {
	if d.What != exportData {
		return nil
	}
	all, _ := d.doc.Companions(path, d.codebookPath(path))
	return all
}

// run writes in the background.
func (d export) run(ctx context.Context, meter *progress.Meter) (notice string, err error) {
	switch d.What {
	case exportRelease:
		return d.release(ctx, meter)
	case exportReport:
		err = d.doc.ExportReport(ctx, d.reporting(ctx), d.analyst)
	case exportScript:
		write := func(w io.Writer) error { return d.doc.WriteScript(w, d.WithSeeds) }
		if strings.EqualFold(filepath.Ext(d.Path), ".r") {
			write = d.doc.WriteRScript
		}
		err = d.doc.WriteFile(d.Path, d.Replace, write)
	case exportRecodes:
		err = d.doc.WriteFile(d.Path, d.Replace, d.doc.WriteRecodes)
	default:
		return d.writeData(ctx, meter)
	}
	if err != nil {
		return "", err
	}
	return d.What + " written to " + d.Path, nil
}

// options returns how the protected file is written.
func (d *export) options(path string) session.ExportOptions {
	return session.ExportOptions{Path: path, Force: d.Replace, GuardFormulas: d.GuardFormulas, RandomOrder: d.RandomOrder, KeepNotes: d.KeepNotes,
		Codebook: d.codebookPath(path), NewIdentifiers: d.NewIdentifiers}
}

// reporting returns how the report is written. The internal report lists the findings and who accepted them; if
// the checks failed, it says that they were not made.
func (d *export) reporting(ctx context.Context) session.ReportOptions {
	o := d.now
	o.Path, o.Force, o.Protected, o.Responsible, o.Contact = d.Path, d.Replace, d.safe(), d.Responsible, d.Contact
	if d.ForUsers {
		o.Audience = session.Users
		return o
	}
	if found, err := d.gate.check(ctx, d.doc, d.options(d.safe())); err == nil {
		o.Findings, o.Accepted = append([]check.Finding{}, found...), d.agreed.of(found)
	}
	return o
}

// safe returns the path of the protected file.
func (d *export) safe() string {
	switch d.What {
	case exportData:
		return d.Path
	case exportReport:
		return cmp.Or(d.Paths[""], d.doc.DefaultName(""))
	}
	return d.doc.DefaultName("")
}

// release writes a folder with an internal part and a part to publish.
func (d *export) release(ctx context.Context, meter *progress.Meter) (string, error) {
	o := bundle.Options{Folder: d.Path, Force: d.Replace, GuardFormulas: d.GuardFormulas, RandomOrder: d.RandomOrder, KeepNotes: d.KeepNotes,
		NewIdentifiers: d.NewIdentifiers, Date: d.now.Date, Responsible: d.Responsible, Contact: d.Contact,
		Accept: d.agreed.of(d.accepted)}
	done, err := bundle.Write(ctx, d.doc, o, d.analyst, meter)
	if err != nil {
		return "", err
	}
	text := "released with both reports: " + wording.Counted(done.Report.Records, "record") + d.acceptance() + "; in " +
		done.Folder
	return strings.Join(append(done.Warnings, text), ". "), nil
}

func (d *export) writeData(ctx context.Context, meter *progress.Meter) (string, error) {
	options := d.options(d.Path)
	done, err := d.doc.Export(ctx, options, meter)
	if err != nil {
		return "", err
	}
	place := d.Path
	if database.Is(place) { // because it may have a password
		place = "the table " + session.Called(place)
	}
	text := d.called(exportData) + " written to " + place + ": " + wording.Counted(done.Records, "record")
	if options.Codebook != "" {
		text += ", and " + filepath.Base(options.Codebook)
	}
	text += d.acceptance()
	// Warnings come first, because the line of the screen may be too short for all.
	return strings.Join(append(done.Warnings, text), ". "), nil
}

// New opens the dialog for the current session, with the options chosen so far.
func New(doc session.Document, analyst *session.Analyst, now time.Time, options *Options) *export {
	d := &export{Options: options, doc: doc, analyst: analyst}
	d.gate.check = func(ctx context.Context, doc session.Document, o session.ExportOptions) ([]check.Finding, error) {
		return doc.Check(ctx, o, analyst, nil)
	}
	d.now.Date, d.now.Audience = now, session.Internal
	d.SaveForm.Write, d.Companions = d.writing, d.companions
	d.fit()
	d.About = d.about
	d.Fields = d.fields()
	d.rows = len(d.Fields)
	return d
}
