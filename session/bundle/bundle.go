// Package bundle releases a protected file as a folder that anybody with the original can verify. Its part
// "internal" has the script with its seeds, the internal report, and the findings of the checks; its part "users"
// has the files for users: the protected file, its codebook, the user report and a list of SHA-256 hashes.
//
//	written, err := bundle.Write(ctx, document, bundle.Options{Folder: "release"}, analyst, nil)
//	verdict, err := bundle.Verify(ctx, bundle.VerifyOptions{Folder: "release", Original: "survey.csv"}, analyst)
//
// The folder appears when everything in it is written, and the protected file gets its name last: that is the
// release.
package bundle

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
)

// Options are the options of a release.
type Options struct {
	Folder         string    // the folder to create, in an existing folder
	Name           string    // name of the protected file, whose extension is its format; "": the default name
	RandomOrder    bool      // records in random order, households together
	NewIdentifiers []string  // variables whose values are replaced by random IDs, equal values by the same
	Codebook       string    // "csv" or "xml"; "": csv if it has content
	GuardFormulas  bool      // put an apostrophe before text that a spreadsheet would read as a formula
	KeepNotes      bool      // keep notes, documents and the label of the dataset
	Force          bool      // replace a bundle; another folder is never replaced
	Date           time.Time // of the reports; zero: today
	Responsible    string    // who is responsible, for the internal report
	Contact        string    // contact, for the user report

	Accept []check.Acceptance // acceptances of critical findings; the default date is that of the release
}

// ReleaseResult describes a release.
type ReleaseResult struct {
	Folder   string
	Safe     string // path of the protected file
	Hash     string // of the bundle
	Report   *fileio.WriteReport
	Findings []check.Finding
	Warnings []string
}

// Write releases the document as a bundle. Its steps are replayed from the data as read, so that the release is
// what Verify will find. New IDs and random order are additional last steps, whose seeds are only in the internal
// script. Errors: session.ErrCritical; fileio.ErrExists if the folder exists and must not be replaced; and those
// of writing files. After an error there is no new release, and an earlier one is untouched.
func Write(ctx context.Context, d session.Document, o Options, analyst *session.Analyst,
	meter *progress.Meter) (*ReleaseResult, error) {
	if o.Name == "" {
		o.Name = d.DefaultName("")
	}
	if err := o.valid(&d); err != nil {
		return nil, err
	}
	script, err := o.script(d)
	if err != nil {
		return nil, err
	}
	c := &contents{analyst: analyst} // its patterns recognise identifiers
	if script, err = c.repeat(ctx, session.Opening{Source: d.Source, Name: d.Name, Data: d.Base}, script); err != nil {
		return nil, err
	}
	if !sameData(&d, &c.document) {
		return nil, errors.New("repeating the steps gives different data: another version of the program made them; open the session again " +
			"and review the steps")
	}
	c.manifest = o.manifest(&c.document, analyst.Patterns())
	found, err := c.findings(ctx, meter)
	if err != nil {
		return nil, err
	}
	if err := session.Refused("release", found, o.Accept); err != nil {
		return nil, err
	}
	c.manifest.Accepted = append(c.manifest.Accepted, check.Covering(found, o.dated())...)
	return c.release(ctx, o, script, found, meter)
}

// valid returns an error for options that no bundle can have.
func (o *Options) valid(d *session.Document) error {
	if base := filepath.Base(o.Folder); o.Folder == "" || strings.Trim(base, `./\`) == "" {
		return errors.New("the release has no name: give the name of a new folder")
	}
	if err := o.validNames(d); err != nil {
		return err
	}
	_, err := replaceable(o.Folder, o.Force, d.Source.File())
	return err
}

// validNames returns an error for names that no file of a bundle can have.
func (o *Options) validNames(d *session.Document) error {
	for _, text := range []string{o.Name, o.Responsible, o.Contact, d.Source.Identity().Path} {
		if strings.ContainsFunc(text, unicode.IsControl) { // the page to sign has one line for each
			return errors.New("names, paths and contacts in a release must be one line without control characters")
		}
	}
	if strings.Trim(o.Name, ".") == "" || strings.ContainsAny(o.Name, `/\`) {
		return fmt.Errorf("%s is not a file name: the protected file goes into the part %q of the release; give a name without a folder",
			o.Name, usersPart)
	}
	for _, taken := range []string{usersReport, sumsFile, usersPart + "/codebook.csv", usersPart + "/codebook.xml"} {
		if strings.EqualFold(usersPart+"/"+o.Name, taken) {
			return fmt.Errorf("%s already has that name in the release; choose another name for the protected file", o.Name)
		}
	}
	if o.Codebook != "" && o.Codebook != "csv" && o.Codebook != "xml" {
		return fmt.Errorf("a codebook is csv or xml, not %s", o.Codebook)
	}
	return fileio.CheckName(o.Name, d.Source.Format())
}

// script returns the steps of the document, those that the options add, and the active measures.
func (o *Options) script(d session.Document) ([]byte, error) {
	measures := d.Measures
	d.Measures = nil
	text, err := scriptOf(d)
	if err != nil {
		return nil, err
	}
	var lines []any
	for _, last := range []struct {
		wanted bool
		name   string
		method method.Method
	}{
		{len(o.NewIdentifiers) > 0, prepare.NewIdentifiersSpec().Name, &prepare.NewIdentifiers{Variables: o.NewIdentifiers}},
		{o.RandomOrder, prepare.ShuffleRecordsSpec().Name, &prepare.ShuffleRecords{Members: prepare.MembersShuffled}},
	} {
		if !last.wanted {
			continue
		}
		spec, err := session.NewSpec(last.name, last.method, session.NewSeed())
		if err != nil {
			return nil, err
		}
		lines = append(lines, spec)
	}
	return withLines(text, append(lines, released(measures)...))
}

// scriptOf returns the script of a document in a bundle: its steps and active measures.
func scriptOf(d session.Document) ([]byte, error) {
	var text bytes.Buffer
	if err := d.WriteScript(&text, true); err != nil {
		return nil, err
	}
	return withLines(text.Bytes(), released(d.Measures))
}

// released returns the measures that a bundle can contain, without those that read a file, because nobody else has
// that file.
func released(measures []session.MeasureSpec) (lines []any) {
	for _, open := range measures {
		if spec, ok := catalog.Measures().Find(open.Name); ok && !readsFile(spec.New(), open.Params) {
			lines = append(lines, open)
		}
	}
	return lines
}

// withLines returns a script with lines added.
func withLines(script []byte, lines []any) ([]byte, error) {
	for _, line := range lines {
		written, err := json.Marshal(line)
		if err != nil {
			return nil, err
		}
		script = append(append(script, written...), '\n')
	}
	return script, nil
}

func readsFile(m measure.Measure, params json.RawMessage) bool {
	given := map[string]json.RawMessage{}
	_ = json.Unmarshal(params, &given)
	return slices.ContainsFunc(m.Params(), func(p method.Param) bool {
		path, there := given[p.Name]
		return p.Kind == method.KindFile && there && string(path) != `""`
	})
}

// repeat applies the steps of a script to the data of an opening, and returns the script of the resulting
// document. If the script is not in that form, it repeats once more, because Verify repeats the script of the
// bundle.
func (c *contents) repeat(ctx context.Context, opening session.Opening, script []byte) ([]byte, error) {
	for range 2 {
		read, err := session.ReadScript(bytes.NewReader(script), nil)
		if err != nil {
			return nil, err
		}
		if c.document, err = session.Replay(ctx, opening, read, func(string) {}); err != nil {
			return nil, err
		}
		again, err := scriptOf(c.document)
		if err != nil || bytes.Equal(again, script) {
			return script, err
		}
		script = again
	}
	return nil, errors.New("the steps cannot be written as a script that repeats them: open the session again and review the steps")
}

// sameData reports whether the steps of a document gave the same data again.
func sameData(d, again *session.Document) bool {
	for i := range d.Steps {
		if after := d.Steps[i].After; after != "" && after != again.Steps[i].After {
			return false
		}
	}
	return true
}

// manifest returns the manifest of a document's bundle, as far as it is known before the files.
func (o *Options) manifest(d *session.Document, patterns *identify.Patterns) *manifest {
	if o.Date.IsZero() {
		o.Date = time.Now()
	}
	m := &manifest{Format: formatName, Version: formatVersion, Program: session.ProgramVersion(), Safe: o.Name,
		Date: o.Date.Format(time.DateOnly), Source: source{d.Source.Identity().Path, d.Name, d.Hash}, Accepted: []check.Acceptance{}, Question: question(d),
		Options: settings{GuardFormulas: o.GuardFormulas, Responsible: o.Responsible, Contact: o.Contact,
			KeepNotes: o.KeepNotes && len(d.Notes(o.Name)) > 0}}
	if added := patterns.Added(); len(added) > 0 {
		m.Options.Patterns = hashOf(added)
	}
	if o.Codebook == "" && d.CodebookFits(o.Name) {
		o.Codebook = "csv"
	}
	if o.Codebook != "" {
		m.Options.Codebook = "codebook." + o.Codebook
	}
	return m
}

// dated returns the acceptances, each with a date.
func (o *Options) dated() []check.Acceptance {
	all := slices.Clone(o.Accept)
	for i := range all {
		all[i].Date = cmp.Or(all[i].Date, o.Date.Format(time.DateOnly))
	}
	return all
}
