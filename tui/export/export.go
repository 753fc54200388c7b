package export

import (
	"context"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views"
)

// seedsHelp is said of scripts.
const seedsHelp = "Write the seeds of random methods: whoever has them can undo the perturbation."

// What can be exported.
const (
	exportData    = "file"
	exportRelease = "release"
	exportReport  = "report"
	exportScript  = "script"
	exportRecodes = "recodes"
)

// export writes the protected file, a report or the steps as a script.
type export struct {
	dialogs.Saving
	gate     gate
	rows     int // of the fields; those of findings follow
	doc      session.Document
	analyst  *session.Analyst
	what     string
	edited   bool // the path was typed: it does not follow what is exported
	guard    bool
	codebook string // ending of the codebook that is written beside; "": none
	random   bool
	fresh    []string // variables that get new identifiers
	users    bool     // the report is for users, not for inside
	seeds    bool
	accepted []check.Finding // the critical ones that it is written with
	now      session.ReportOptions

	lacks views.Cache[string, []string] // what a file cannot hold, by the endings of the file and the codebook
}

// DefaultPath names a file beside the source by its ending; "": the ending is that
// of the source.
func DefaultPath(doc session.Document, ending string) string {
	folder, name := filepath.Split(doc.Source.File())
	if name == "" {
		name = doc.Name
	}
	stem, own := fileio.WrittenName(name, doc.Source.Format())
	if ending == "" {
		ending = doc.DefaultSuffix() + own
	}
	return folder + stem + ending
}

// rename gives what is exported its default name, unless one was typed, and the dialog its title.
func (d *export) rename() {
	if !d.edited {
		d.Path = d.defaultPath()
	}
	if d.Heading = "Export"; !d.doc.Protected() {
		d.Heading = "Export: no protection has been applied"
	}
}

func (d *export) defaultPath() string {
	endings := map[string]string{exportRelease: "-release", exportReport: "-report.html", exportScript: "-steps.jsonl",
		exportRecodes: "-recodes.json"}
	return DefaultPath(d.doc, endings[d.what])
}

// Size leaves room for the fields with the findings, and for what one of them says.
func (d *export) Size() (width, height int) {
	const said, foundSaid = 9, 13 // lines of the help, and of a finding
	rows := len(d.Visible())
	if d.gate.last != nil && len(d.gate.last.findings) > 0 {
		return 100, rows + foundSaid
	}
	return 100, rows + said
}

// Seek checks what would be written, and finds out what a file of the chosen kind cannot
// hold.
func (d *export) Seek(views.State) views.Piece {
	ending := fmt.Sprint(d.gate.times, filepath.Ext(d.Path), d.codebook)
	if !d.guarded() {
		return nil
	}
	if piece := d.seekCheck(); piece != nil || d.what != exportData {
		return piece
	}
	doc, path, book := d.doc, d.Path, d.codebookPath(d.Path)
	return d.lacks.Seek(ending, func(ctx context.Context) ([]string, error) { // an error is said when the file is written
		return doc.Lacks(ctx, path, book)
	})
}

// Keys are those of the finding in focus and of the fields.
func (d *export) Keys() []key.Binding {
	return append(d.Saving.Keys(), dialogs.Bindings(d.acts())...)
}

// HandleKey fixes the finding in focus, edits the fields, or writes.
func (d *export) HandleKey(msg tea.KeyPressMsg, s views.State) dialogs.Effect {
	d.found()
	if d.gate.waits = false; msg.String() != "enter" {
		d.askAgain()
	}
	if effect := dialogs.CarryOut(d.acts(), msg); effect != nil {
		return effect
	}
	return d.Saving.HandleKey(msg, s)
}

// askAgain takes back what enter was pressed for: pressed again it means what is in sight.
func (d *export) askAgain() { d.gate.waits, d.Replace, d.Problem = false, false, "" }

// Click brings a row into focus, or changes its field.
func (d *export) Click(x, y int, s views.State) dialogs.Effect {
	d.askAgain()
	return d.Saving.Click(x, y, s)
}

// View draws the fields, and what the one in focus is about.
func (d *export) View(s views.State, width, height int) string {
	d.found()
	return d.Saving.View(s, width, height)
}

// about says what the finding in focus is, what the file cannot hold, before it is
// written, and where its name says no kind of file.
func (d *export) about(s views.State, width int) (lines []string) {
	if d.gate.waits {
		return s.Theme.Changed.Wrapped("It is written as soon as the check has ended and found nothing critical; any other key takes that back.", width)
	}
	if f := d.under(); f != nil {
		return d.aboutFinding(f, s, width)
	}
	if d.what != exportData {
		return nil
	}
	if err := fileio.CheckName(d.Path, d.doc.Source.Format()); err != nil {
		return s.Theme.Warning.Wrapped(err.Error(), width)
	}
	if d.doc.Passes() {
		lines = append(lines, s.Theme.Faint.Wrapped(wording.Capital(session.NotChecked(d.doc.Data))+".", width)...)
	}
	for _, lack := range *d.lacks.Last() {
		lines = append(lines, s.Theme.Warning.Wrapped(lack, width)...)
	}
	return lines
}

// kinds are what can be exported, in order, with what they are.
var kinds = [...][2]string{
	{exportData, "Removed variables are left out of the file. The arrows lead to the release, which has the reports too, and to report, script and recodes."},
	{exportRelease, "A folder that anybody with the original can verify (sdcdesk verify). Its part outside goes out: the file, its codebook, the report for users. Its part inside stays: the script with its seeds, the full report, the check with what was accepted."},
	{exportReport, "The report tells what was done, without any record."},
	{exportScript, "The script repeats the steps with: sdcdesk run."},
	{exportRecodes, "The recodes can be made again on another file, or on other variables, as one step."},
}

// called names what is exported. A file is called protected only if a step was made.
func (d *export) called(what string) string {
	switch {
	case what != exportData:
		return what
	case d.doc.Protected():
		return "protected file"
	}
	return "file without protection"
}

func (d *export) fieldWhat() *dialogs.Field {
	at, kinds := 0, kinds
	if d.doc.Passes() {
		kinds[at][1] = "Removed variables are left out of the file. The arrows lead to report, script and recodes."
	}
	field := &dialogs.Field{Label: "what", Help: kinds[at][1], Value: func() string { return d.called(d.what) }}
	field.Change = func(by int) {
		at = (at + by + len(kinds)) % len(kinds)
		if kinds[at][0] == exportRelease && d.doc.Passes() { // it is verified record by record
			at = (at + by + len(kinds)) % len(kinds)
		}
		d.what, field.Help = kinds[at][0], kinds[at][1]
		d.rename()
	}
	return field
}

// toggle is a switch that is shown where it has a meaning.
func (d *export) toggle(label, help string, value *bool, shown func() bool) *dialogs.Field {
	field := dialogs.NewSwitch(label, help, value)
	field.Hidden = func() bool { return !shown() }
	return field
}

// fieldFresh names the variables that get new identifiers.
func (d *export) fieldFresh() *dialogs.Field {
	return &dialogs.Field{Label: "new identifiers",
		Help: "Replace the household identifiers by new random numbers, the same for all members.",
		Value: func() string {
			if len(d.fresh) == 0 {
				return "no"
			}
			return strings.Join(d.fresh, ", ")
		},
		Change: func(int) {
			if len(d.fresh) > 0 {
				d.fresh = nil
			} else {
				d.fresh = []string{d.doc.Scenario.Household}
			}
		},
		Hidden: func() bool {
			return !d.guarded() || d.doc.Passes() || d.doc.Scenario.Household == "" && len(d.fresh) == 0
		},
	}
}

// The kinds of codebooks by their endings.
var codebooks = map[string]string{"": "none", ".csv": "CSV", ".xml": "DDI (XML)"}

// codebookPath names the codebook beside a protected file; "": there is none.
func (d *export) codebookPath(path string) string {
	if d.codebook == "" || d.what != exportData || !d.doc.CodebookFits(path) {
		return ""
	}
	return strings.TrimSuffix(path, filepath.Ext(path)) + "-codebook" + d.codebook
}

func (d *export) fieldCodebook() *dialogs.Field {
	return &dialogs.Field{
		Label: "codebook",
		Help:  "Write labels of variables and values, and the codes that mean missing, to a file of the same name with -codebook: a text file holds none.",
		Value: func() string { return codebooks[d.codebook] },
		Change: func(by int) {
			d.codebook, d.Replace = dialogs.Ring([]string{"", ".csv", ".xml"}, d.codebook, by), false
		},
		Hidden: func() bool { return d.what != exportData || d.doc.Passes() || !d.doc.CodebookFits(d.Path) },
	}
}

func (d *export) writing(path string) (dialogs.Effect, error) {
	if d.guarded() {
		return d.letOut(path), nil
	}
	return d.launch(path, nil), nil
}

// launch writes as work, with the critical findings that somebody accepted.
func (d *export) launch(path string, accepted []check.Finding) dialogs.Effect {
	job := *d
	job.Path, job.accepted, job.gate.agreed = path, accepted, maps.Clone(d.gate.agreed)
	return dialogs.Launch{Title: "writing " + filepath.Base(path), Work: job.run}
}

// companions are the files that go with the protected one and would be replaced; none
// where an error will say more when it is written.
func (d *export) companions(path string) []string {
	if d.what != exportData {
		return nil
	}
	all, _ := d.doc.Companions(path, d.codebookPath(path))
	return all
}

// run writes in the background.
func (d export) run(ctx context.Context, meter *progress.Meter) (notice string, err error) {
	switch d.what {
	case exportRelease:
		return d.release(ctx, meter)
	case exportReport:
		err = d.doc.ExportReport(ctx, d.reporting(ctx), d.analyst)
	case exportScript:
		err = d.doc.WriteFile(d.Path, d.Replace, func(w io.Writer) error { return d.doc.WriteScript(w, d.seeds) })
	case exportRecodes:
		err = d.doc.WriteFile(d.Path, d.Replace, d.doc.WriteRecodes)
	default:
		return d.writeData(ctx, meter)
	}
	if err != nil {
		return "", err
	}
	return d.what + " written to " + d.Path, nil
}

// options says how the protected file is written.
func (d *export) options(path string) session.ExportOptions {
	return session.ExportOptions{Path: path, Force: d.Replace, GuardFormulas: d.guard, RandomOrder: d.random,
		Codebook: d.codebookPath(path), NewIdentifiers: d.fresh}
}

// reporting says how the report is written. That for inside tells what the check finds and
// who accepted it; one that fails is told as not made.
func (d *export) reporting(ctx context.Context) session.ReportOptions {
	o := d.now
	o.Path, o.Force = d.Path, d.Replace
	if d.users {
		o.Audience = session.Users
		return o
	}
	if found, err := d.gate.check(ctx, d.doc, d.options(d.safe())); err == nil {
		o.Findings, o.Accepted = append([]check.Finding{}, found...), d.gate.agreed.of(found)
	}
	return o
}

// safe names the protected file.
func (d *export) safe() string {
	if d.what == exportData {
		return d.Path
	}
	return bundle.DefaultName(d.doc)
}

// release writes a folder with a part that stays inside and one that goes out.
func (d *export) release(ctx context.Context, meter *progress.Meter) (string, error) {
	o := bundle.Options{Folder: d.Path, Force: d.Replace, GuardFormulas: d.guard, RandomOrder: d.random,
		NewIdentifiers: d.fresh, Date: d.now.Date, Accept: d.gate.agreed.of(d.accepted)}
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
	text := d.called(exportData) + " written to " + d.Path + ": " + wording.Counted(done.Records, "record")
	if options.Codebook != "" {
		text += ", and " + filepath.Base(options.Codebook)
	}
	text += d.acceptance()
	// Warnings first: the line of the screen may end before they do.
	return strings.Join(append(done.Warnings, text), ". "), nil
}

// New opens the dialog on a session as it is now; agreed has what was accepted so far.
func New(doc session.Document, analyst *session.Analyst, now time.Time, agreed Agreed) *export {
	d := &export{doc: doc, analyst: analyst, what: exportData, guard: true}
	d.gate.agreed = agreed
	d.gate.check = func(ctx context.Context, doc session.Document, o session.ExportOptions) ([]check.Finding, error) {
		return doc.Check(ctx, o, analyst, nil)
	}
	d.now.Date, d.now.Audience = now, session.Inside
	d.Saving.Write, d.Companions = d.writing, d.companions
	d.rename()
	d.About = d.about
	path := d.PathField("Where it is written. A release is a folder that is made. The ending says the form, of a file " + fileio.WrittenEndings() +
		", of a report .html, .md, .json, else plain text.")
	typed := path.Typed
	path.Typed = func(text string) error {
		d.edited = true
		return typed(text)
	}
	is := func(what string) func() bool { return func() bool { return d.what == what } }
	d.Fields = []*dialogs.Field{d.fieldWhat(), path, d.fieldCodebook(),
		d.toggle("guard formulas", "Put an apostrophe before text that a spreadsheet would take for a formula.", &d.guard,
			func() bool { return d.guarded() && fileio.GuardsFormulas(d.safe(), d.doc.Source.Format()) }),
		d.toggle("random order", "Write the records in random order, households together: the order can tell who is who.",
			&d.random, func() bool { return d.guarded() && !d.doc.Passes() }),
		d.fieldFresh(),
		d.toggle("for users", "Leave out what only the office should know, such as parameters and the source's path.",
			&d.users, is(exportReport)),
		d.toggle("with seeds", seedsHelp, &d.seeds,
			is(exportScript)),
		d.fieldCheck(),
	}
	d.rows = len(d.Fields)
	return d
}
