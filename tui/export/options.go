package export

import (
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
)

// Options are the choices of the dialog. They are kept for the next export of the session.
type Options struct {
	session.ExportSettings // its paths do not change with the session
	agreed                 Acceptances
	kept                   session.ExportSettings // the settings stored in the session
}

// NewOptions returns the options stored in a session, or those of its first export.
func NewOptions(kept session.ExportSettings, ok bool) *Options {
	if !ok {
		kept.GuardFormulas = true
	}
	if !slices.ContainsFunc(kinds[:], func(kind [2]string) bool { return kind[0] == kept.What }) {
		kept.What = exportData
	}
	if _, known := codebooks[kept.Codebook]; !known {
		kept.Codebook = ""
	}
	if kept.Paths == nil {
		kept.Paths = map[string]string{}
	}
	o := &Options{ExportSettings: kept, agreed: Acceptances{}}
	o.ExportSettings = o.settings()
	o.kept = o.settings()
	return o
}

// settings returns a copy of the options without the acceptances.
func (o *Options) settings() session.ExportSettings {
	out := o.ExportSettings
	out.Paths, out.NewIdentifiers = maps.Clone(o.Paths), slices.Clone(o.NewIdentifiers)
	return out
}

// Keep stores the options in the session, if they have changed.
func (o *Options) Keep(doc *session.Session) error {
	settings := o.settings()
	if reflect.DeepEqual(settings, o.kept) {
		return nil
	}
	err := doc.KeepExportSettings(settings)
	if err == nil {
		o.kept = settings
	}
	return err
}

// clone returns the options as they are now.
func (o *Options) clone() *Options {
	out := *o
	out.ExportSettings, out.agreed = o.settings(), maps.Clone(o.agreed)
	return &out
}

// suffix returns the suffix of the default name of what is exported.
func (o *Options) suffix() string {
	if o.What == exportReport && o.ForUsers {
		return "-user-report.html"
	}
	return map[string]string{exportRelease: "-release", exportReport: "-report.html", exportScript: "-steps.jsonl",
		exportRecodes: "-recodes.json"}[o.What]
}

// kinds lists what can be exported, in order, with descriptions.
var kinds = [...][2]string{
	{exportData, "Writes the data file without the removed variables. Press ←→ for other outputs: a release with an internal and a " +
		"user report, a report, the script, or the recodes."},
	{exportRelease, "A folder that anyone with the original can verify (sdcdesk verify). The folder \"users\" is for publication: the " +
		"file, its codebook, the user report. The folder \"internal\" is confidential: the script with its seeds, the " +
		"internal report, the findings and who accepted them."},
	{exportReport, "The internal report describes protection, risk and utility; the user report describes how to use the file. " +
		"Neither contains values of records."},
	{exportScript, "The script repeats the steps with sdcdesk run, or with the R package sdcMicro if the path ends in .R. Random " +
		"order and random IDs of an export are not steps: pass them to sdcdesk release."},
	{exportRecodes, "The recodes as one step, for another file or other variables."},
}

// called names what is exported. A file is called protected only if a step was applied.
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
	at := slices.IndexFunc(kinds[:], func(kind [2]string) bool { return kind[0] == d.What })
	field := &dialogs.Field{Label: "output", Help: kinds[at][1], Value: func() string { return d.called(d.What) }}
	field.Change = func(by int) {
		at = (at + by + len(kinds)) % len(kinds)
		d.What, field.Help = kinds[at][0], kinds[at][1]
		d.fit()
	}
	return field
}

// fieldPath keeps the typed path.
func (d *export) fieldPath() *dialogs.Field {
	path := d.PathField("The path to write to. A release creates a folder. The extension determines the format: of a file " +
		fileio.WrittenEndings() + ", of a report .html, .md, .json or plain text.")
	typed := path.Typed
	path.Typed = func(text string) error {
		d.Paths[d.suffix()] = text
		return typed(text)
	}
	return path
}

// fields returns the fields of all kinds of exports; each kind shows its own.
func (d *export) fields() []*dialogs.Field {
	is := func(what string) bool { return d.What == what }
	users := dialogs.NewSwitch("user report", "Omit internal information, such as parameters and the path of the original.",
		&d.ForUsers).If(func() bool { return is(exportReport) })
	change := users.Change
	users.Change = func(by int) {
		change(by)
		d.fit()
	}
	return []*dialogs.Field{d.fieldWhat(), d.fieldPath(), users, d.fieldCodebook(),
		dialogs.NewSwitch("escape formulas", "Prefix text that a spreadsheet would read as a formula with an apostrophe.",
			&d.GuardFormulas).If(func() bool { return d.guarded() && fileio.GuardsFormulas(d.safe(), d.doc.Source.Format()) }),
		dialogs.NewSwitch("random order", "Write the records in random order, households together, because the original order can identify records.",
			&d.RandomOrder).If(d.guarded),
		d.fieldFresh(),
		dialogs.NewSwitch("keep notes", "Keep the notes, documents and data set label of the original.",
			&d.KeepNotes).If(func() bool { return d.guarded() && len(d.doc.Notes(d.safe())) > 0 }),
		dialogs.NewText("person responsible", "Person responsible for the release, named in the internal report and on the page to sign.",
			&d.Responsible).If(func() bool { return is(exportRelease) || is(exportReport) && !d.ForUsers }),
		dialogs.NewText("contact", "Contact for users, such as an office and its address, in the user report.",
			&d.Contact).If(func() bool { return is(exportRelease) || is(exportReport) && d.ForUsers }),
		dialogs.NewSwitch("seeds", SeedsHelp, &d.WithSeeds).If(func() bool { return is(exportScript) }),
		d.fieldCheck(),
	}
}

// fieldFresh names the variables that get random IDs.
func (d *export) fieldFresh() *dialogs.Field {
	return &dialogs.Field{Label: "random IDs",
		Help: "Replace the household IDs with random IDs, the same for all members.",
		Value: func() string {
			if len(d.NewIdentifiers) == 0 {
				return "no"
			}
			return strings.Join(d.NewIdentifiers, ", ")
		},
		Change: func(int) {
			if len(d.NewIdentifiers) > 0 {
				d.NewIdentifiers = nil
			} else {
				d.NewIdentifiers = []string{d.doc.Scenario.Household}
			}
		},
		Hidden: func() bool {
			return !d.guarded() || d.doc.Scenario.Household == "" && len(d.NewIdentifiers) == 0
		},
	}
}

// The kinds of codebooks by extension.
var codebooks = map[string]string{"": "none", ".csv": "CSV", ".xml": "DDI (XML)"}

// codebookPath returns the path of the codebook next to a protected file, or "".
func (d *export) codebookPath(path string) string {
	if d.Codebook == "" || d.What != exportData || !d.doc.CodebookFits(path) {
		return ""
	}
	return strings.TrimSuffix(path, filepath.Ext(path)) + "-codebook" + d.Codebook
}

func (d *export) fieldCodebook() *dialogs.Field {
	return &dialogs.Field{
		Label: "codebook",
		Help: "Write variable and value labels and missing codes to a file of the same name with -codebook, because a text " +
			"file cannot hold them.",
		Value: func() string { return codebooks[d.Codebook] },
		Change: func(by int) {
			d.Codebook, d.Replace = dialogs.Ring([]string{"", ".csv", ".xml"}, d.Codebook, by), false
		},
		Hidden: func() bool { return d.What != exportData || !d.doc.CodebookFits(d.Path) },
	}
}
