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

// Options are what was chosen in the dialog. They outlive it, so that another export of the
// session begins with them.
type Options struct {
	what          string
	paths         map[string]string // those that were typed, by suffix: they do not follow the session
	guard, random bool
	notes         bool     // keep notes, documents and the label of the data set
	codebook      string   // extension of the codebook that is written beside; "": none
	fresh         []string // variables that get random IDs
	users         bool     // the report is for users, not for inside
	seeds         bool
	responsible   string // who is responsible for the release
	contact       string // whom users can ask
	agreed        Agreed

	kept session.ExportSettings // those that the session has
}

// NewOptions returns the options that a session has kept, or those of its first export.
func NewOptions(kept session.ExportSettings, ok bool) *Options {
	o := &Options{what: exportData, guard: true}
	if ok {
		if slices.ContainsFunc(kinds[:], func(kind [2]string) bool { return kind[0] == kept.What }) {
			o.what = kept.What
		}
		if _, known := codebooks[kept.Codebook]; known {
			o.codebook = kept.Codebook
		}
		o.paths, o.guard, o.random, o.notes, o.fresh = maps.Clone(kept.Paths), kept.GuardFormulas, kept.RandomOrder,
			kept.KeepNotes, slices.Clone(kept.NewIdentifiers)
		o.users, o.seeds, o.responsible, o.contact = kept.ForUsers, kept.WithSeeds, kept.Responsible, kept.Contact
	}
	if o.agreed = (Agreed{}); o.paths == nil {
		o.paths = map[string]string{}
	}
	o.kept = o.settings()
	return o
}

// settings are the options without the acceptances.
func (o *Options) settings() session.ExportSettings {
	return session.ExportSettings{What: o.what, Paths: maps.Clone(o.paths), GuardFormulas: o.guard, RandomOrder: o.random,
		KeepNotes: o.notes, Codebook: o.codebook, NewIdentifiers: slices.Clone(o.fresh), ForUsers: o.users, WithSeeds: o.seeds,
		Responsible: o.responsible, Contact: o.contact}
}

// Keep has the session keep the options, if they are others than it has.
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
	out.paths, out.agreed, out.fresh = maps.Clone(o.paths), maps.Clone(o.agreed), slices.Clone(o.fresh)
	return &out
}

// suffix is what the default name of what is exported has behind that of the source.
func (o *Options) suffix() string {
	if o.what == exportReport && o.users {
		return "-user-report.html"
	}
	return map[string]string{exportRelease: "-release", exportReport: "-report.html", exportScript: "-steps.jsonl",
		exportRecodes: "-recodes.json"}[o.what]
}

// kinds are what can be exported, in order, with what they are.
var kinds = [...][2]string{
	{exportData, "Removed variables are left out. ←→ choose a release, which has both reports, or a report, the script or the recodes."},
	{exportRelease, "A folder that a person who has the original can verify (sdcdesk verify). Its part outside goes to the users: the file, its codebook, the user report. Its part inside stays: the script with its seeds, the internal report, the check with the acceptances."},
	{exportReport, "The internal report describes protection, risk and utility, the user report how to use the file. Neither has values of records."},
	{exportScript, "The script repeats the steps: sdcdesk run. Random order and random IDs that are chosen in this dialog are no steps: pass them to sdcdesk release."},
	{exportRecodes, "The recodes as one step, for another file or other variables."},
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
	at := slices.IndexFunc(kinds[:], func(kind [2]string) bool { return kind[0] == d.what })
	field := &dialogs.Field{Label: "what", Help: kinds[at][1], Value: func() string { return d.called(d.what) }}
	field.Change = func(by int) {
		at = (at + by + len(kinds)) % len(kinds)
		d.what, field.Help = kinds[at][0], kinds[at][1]
		d.fit()
	}
	return field
}

// fieldPath keeps the path that is typed.
func (d *export) fieldPath() *dialogs.Field {
	path := d.PathField("Where it is written. A release is a folder that is made. The extension says the form, of a file " +
		fileio.WrittenEndings() + ", of a report .html, .md, .json, else plain text.")
	typed := path.Typed
	path.Typed = func(text string) error {
		d.paths[d.suffix()] = text
		return typed(text)
	}
	return path
}

// fieldName is a text that one of the reports names.
func (d *export) fieldName(label, help string, value *string, shown func() bool) *dialogs.Field {
	return &dialogs.Field{Label: label, Help: help, Value: func() string { return *value },
		Hidden: func() bool { return !shown() },
		Typed: func(text string) error {
			*value = text
			return nil
		}}
}

// fields are those of all kinds of exports; each shows its own.
func (d *export) fields() []*dialogs.Field {
	is := func(what string) bool { return d.what == what }
	users := d.toggle("for users", "Leave out what only the office should know, such as parameters and the source's path.",
		&d.users, func() bool { return is(exportReport) })
	change := users.Change
	users.Change = func(by int) {
		change(by)
		d.fit()
	}
	return []*dialogs.Field{d.fieldWhat(), d.fieldPath(), users, d.fieldCodebook(),
		d.toggle("guard formulas", "Put an apostrophe before text that a spreadsheet would take for a formula.", &d.guard,
			func() bool { return d.guarded() && fileio.GuardsFormulas(d.safe(), d.doc.Source.Format()) }),
		d.toggle("random order", "Write the records in random order, households together: the order can reveal who is who.",
			&d.random, d.guarded),
		d.fieldFresh(),
		d.toggle("keep notes", "Write the notes, documents and label of the data set of the original into the file too.", &d.notes,
			func() bool { return d.guarded() && len(d.doc.Notes(d.safe())) > 0 }),
		d.fieldName("responsible", "Who is responsible for the release. The internal report and the page that is signed have the name.",
			&d.responsible, func() bool { return is(exportRelease) || is(exportReport) && !d.users }),
		d.fieldName("contact", "Whom users can ask, such as an office and its address. The user report has it.",
			&d.contact, func() bool { return is(exportRelease) || is(exportReport) && d.users }),
		d.toggle("with seeds", seedsHelp, &d.seeds, func() bool { return is(exportScript) }),
		d.fieldCheck(),
	}
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
		Help: "Replace the household IDs with random IDs, the same for all members.",
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
			return !d.guarded() || d.doc.Scenario.Household == "" && len(d.fresh) == 0
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
		Hidden: func() bool { return d.what != exportData || !d.doc.CodebookFits(d.Path) },
	}
}
