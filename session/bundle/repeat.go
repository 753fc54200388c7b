package bundle

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/engine/release/recount"
	"github.com/sdcdesk/sdcdesk/session"
)

// repeat makes the release again from script and original, and compares it with the bundle.
func (v *verification) repeat(ctx context.Context) error {
	d, script, problem, err := v.document(ctx)
	if err != nil {
		return err
	}
	v.add("the original matches the release", problem...)
	if !v.soFar() {
		return nil
	}
	again, err := scriptOf(d)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, script) {
		problem = []string{scriptFile + " has lines that the program did not write"}
	}
	v.add("the script is in canonical form", problem...)
	o, problem := v.manifest.releaseOptions(&d)
	v.add("date, names and options are valid", problem...)
	if v.manifest.Options.Patterns != "" || len(v.analyst.Patterns().Added()) > 0 {
		v.add("the identifier patterns are those of the release", v.patterns()...)
	}
	if !v.soFar() {
		return nil
	}
	c := &contents{document: d, analyst: v.analyst, manifest: o.manifest(&d, v.analyst.Patterns())}
	c.manifest.Program = v.manifest.Program
	found, err := c.findings(ctx, nil)
	if err != nil {
		return err
	}
	c.manifest.Accepted = append(c.manifest.Accepted, check.Covering(found, o.Accept)...)
	v.add("all critical findings, and no others, are accepted", v.manifest.unlikeAcceptances(found)...)
	r, err := c.remade(ctx, script, found)
	if err != nil {
		return err
	}
	var tables []string
	for i := range d.Scenario.Tables {
		tables = append(tables, r.tablePath(session.TableName(d.Scenario.Tables, i)))
	}
	v.compare(r, tables)
	if v.Statement, err = c.statement(ctx, found); err != nil {
		return err
	}
	if err := v.recount(ctx, c); err != nil {
		return err
	}
	v.Stopped = false
	return nil
}

// patterns sets the patterns of identifiers to those of the bundle's check. The verifier may require particular
// patterns.
func (v *verification) patterns() (problems []string) {
	given, hash := v.analyst.Patterns().Added(), v.manifest.Options.Patterns
	if hash == "" {
		if len(given) > 0 {
			problems = []string{patternsFile + " is missing: the release was checked without your patterns"}
		}
		return problems
	}
	text, err := os.ReadFile(within(v.options.Folder, patternsFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return []string{patternsFile + " is missing"}
	case err != nil:
		return []string{err.Error()}
	case hashOf(text) != hash:
		return []string{patternsFile + " differs from the patterns that the release was checked with"}
	case len(given) > 0 && !bytes.Equal(text, given):
		return []string{patternsFile + " differs from your patterns"}
	}
	patterns, err := identify.Default().Read(bytes.NewReader(text))
	if err != nil {
		return []string{patternsFile + ": " + err.Error()}
	}
	v.analyst = v.analyst.Recognising(patterns)
	return nil
}

// releaseOptions returns the options of the release from the manifest, the only place that has them; problems
// lists those that no release can have.
func (m *manifest) releaseOptions(d *session.Document) (o Options, problems []string) {
	o = Options{Folder: ".", Name: m.Safe, GuardFormulas: m.Options.GuardFormulas, Accept: m.Accepted,
		Codebook:    strings.TrimPrefix(filepath.Ext(m.Options.Codebook), "."),
		Responsible: m.Options.Responsible, Contact: m.Options.Contact, KeepNotes: m.Options.KeepNotes}
	if path := m.Source.Path; m.Source.Name != strings.Trim(session.Called(path), "<>") &&
		m.Source.Name != path[strings.LastIndexAny(path, `/\`)+1:] {
		problems = append(problems, "the name of the original differs from its path")
	}
	var err error
	if o.Date, err = time.Parse(time.DateOnly, m.Date); err != nil {
		problems = append(problems, "the date of the release must look like 2026-05-17")
	}
	if err := o.validNames(d); err != nil {
		problems = append(problems, err.Error())
	}
	for i := range m.Accepted {
		a := &m.Accepted[i]
		if err := a.Valid(); err != nil {
			problems = append(problems, err.Error())
		} else if a.Date == "" || a.Date > m.Date {
			problems = append(problems, fmt.Sprintf("%s was accepted after the release, or without a date", a.Subject()))
		}
	}
	return o, problems
}

// unlikeAcceptances lists the critical findings that the manifest does not accept, and acceptances of findings
// that do not exist.
func (m *manifest) unlikeAcceptances(found []check.Finding) (problems []string) {
	for _, subject := range check.Missing(found, m.Accepted) {
		problems = append(problems, subject+" is critical and was not accepted")
	}
	needed := check.Covering(found, m.Accepted)
	for i, a := range m.Accepted {
		if !slices.Contains(needed, a) {
			problems = append(problems, a.Subject()+" was accepted but is not a critical finding")
		} else if slices.Contains(m.Accepted[:i], a) {
			problems = append(problems, a.Subject()+" was accepted twice")
		}
	}
	return problems
}

// remade makes all files again except the protected one, of which it computes the hash, and returns the manifest
// with the hashes of all.
func (c *contents) remade(ctx context.Context, script []byte, found []check.Finding) (*manifest, error) {
	if _, err := c.writeSafe(ctx, io.Discard, nil); err != nil {
		return nil, err
	}
	if _, err := c.files(ctx, script, found); err != nil {
		return nil, err
	}
	_, err := c.manifest.text()
	return c.manifest, err
}

// compare compares a repeated release with the files of the bundle and with its manifest.
func (v *verification) compare(made *manifest, tables []string) {
	type part struct {
		what  string
		paths []string
	}
	parts := []part{
		{"the script reproduces the protected file", []string{made.safePath()}},
		{"the codebook and the user report are reproduced", []string{usersReport, usersPart + "/" + made.Options.Codebook}},
		{"the internal report and the findings are reproduced", []string{internalReport, checkFile}},
		{"the list of hashes is reproduced", []string{sumsFile}},
	}
	if len(tables) > 0 {
		parts = append(parts, part{"the protected tables are reproduced", tables})
	}
	for _, part := range parts {
		var problems []string
		for _, f := range made.Files {
			if slices.Contains(part.paths, f.Path) && v.tree.hash(f.Path) != f.SHA256 {
				problems = append(problems, f.Path+" differs from the result of script and original")
			}
		}
		v.add(part.what, problems...)
	}
	v.add("the manifest matches the script and the original", v.manifest.unlikeFields(made)...)
}

// unlikeFields lists the fields of the manifest that differ from those of another.
func (m *manifest) unlikeFields(made *manifest) (problems []string) {
	if m.Own == made.Own {
		return nil
	}
	is, should := reflect.ValueOf(*m), reflect.ValueOf(*made)
	for i := range is.NumField() {
		name, _, _ := strings.Cut(is.Type().Field(i).Tag.Get("json"), ",")
		a, b := is.Field(i).Interface(), should.Field(i).Interface()
		if reflect.DeepEqual(a, b) || name == "manifest_sha256" {
			continue
		}
		if name == "files" {
			problems = append(problems, m.unlikeFiles(made)...)
			continue
		}
		said, _ := json.Marshal(a)
		follows, _ := json.Marshal(b)
		problems = append(problems, fmt.Sprintf("%s: %s is %s, but script and original give %s", manifestFile, name, said, follows))
	}
	return problems
}

// unlikeFiles lists the files that only one of two manifests has.
func (m *manifest) unlikeFiles(made *manifest) (problems []string) {
	listed := func(m *manifest, path string) bool {
		return slices.ContainsFunc(m.Files, func(f file) bool { return f.Path == path })
	}
	for _, f := range m.Files {
		if !listed(made, f.Path) {
			problems = append(problems, f.Path+" is listed, but no release contains it")
		}
	}
	for _, f := range made.Files {
		if !listed(m, f.Path) {
			problems = append(problems, f.Path+" is not listed")
		}
	}
	return problems
}

// document replays the steps of the script on the original; problem says that it is another original.
func (v *verification) document(ctx context.Context) (d session.Document, text []byte, problem []string, err error) {
	if text, err = os.ReadFile(within(v.options.Folder, scriptFile)); err != nil {
		return d, nil, nil, err
	}
	script, err := session.ReadScript(bytes.NewReader(text), nil)
	if err != nil {
		return d, nil, nil, fmt.Errorf("%s, %w", scriptFile, err)
	}
	said := &fileio.Format{}
	if script.Format != nil {
		said = script.Format
	}
	source, err := session.SourceOf(ctx, v.options.Original, said, v.options.Reading)
	if err != nil {
		return d, nil, nil, err
	}
	opening, err := source.Open(ctx, nil)
	if err != nil {
		return d, nil, nil, err
	}
	hash := opening.Data.Hash()
	if hex.EncodeToString(hash[:]) != v.manifest.Source.Hash {
		return d, nil, []string{fmt.Sprintf("%s differs from the data that the release was made from, or is read with other settings",
			session.Called(v.options.Original))}, nil
	}
	written := *said
	written.Metadata = opening.Source.Format().Metadata
	opening.Source, opening.Name = opening.Source.Elsewhere(v.manifest.Source.Path, written), v.manifest.Source.Name
	d, err = session.Replay(ctx, opening, script, func(string) {})
	if err != nil {
		err = fmt.Errorf("%s, %w", scriptFile, err)
	}
	return d, text, nil, err
}

// recount counts the protected file independently, and compares the counts with those of the steps.
func (v *verification) recount(ctx context.Context, c *contents) error {
	const what = "an independent count of the protected file agrees"
	safe := within(v.options.Folder, c.manifest.safePath())
	as := c.document.Source.Format()
	format := fileio.FormatFor(safe, as)
	format.MostMemory, format.Scratch = as.MostMemory, as.Scratch
	if format.Codebook = ""; c.manifest.Options.Codebook != "" {
		format.Codebook = filepath.Join(filepath.Dir(safe), c.manifest.Options.Codebook)
	}
	figures := &c.manifest.Figures
	names := make([]string, len(figures.Missing))
	for i := range names {
		names[i] = figures.Missing[i].Variable
	}
	counted, err := recount.File(ctx, safe, format, names, c.manifest.Question)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil { // the file is not the result of the steps
		v.add(what, err.Error())
		return nil
	}
	v.add(what, unlikeCounts(figures, counted)...)
	return nil
}

// unlikeCounts lists where two counts differ.
func unlikeCounts(follows, counted *recount.Counts) (problems []string) {
	differ := func(what string, one, other any) {
		if !reflect.DeepEqual(one, other) {
			problems = append(problems, fmt.Sprintf("%s: %v in the file, %v from the steps", what, other, one))
		}
	}
	differ("records", follows.Records, counted.Records)
	differ("missing cells", follows.Missing, counted.Missing)
	differ("violators (k, default, conservative, own category)", follows.Violators, counted.Violators)
	return problems
}
