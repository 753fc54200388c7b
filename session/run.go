package session

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// ErrPaths is wrapped if two files of a run have the same path.
var ErrPaths = errors.New("two files of the run have the same path")

// RunOptions are the inputs and outputs of a run.
type RunOptions struct {
	Script  string // path of a script or journal
	File    string // path of the source, or of its description
	Out     string // path of the protected file
	Summary string // path of the summary; "": none
	Records string // path of the figures per record; "": none
	Force   bool   // replace files that exist

	// OtherData allows applying the steps of a journal to other data than its own.
	OtherData bool

	// Reading changes the format of the file that the script describes or that is guessed; nil: no change.
	Reading func(*fileio.Format) error

	Codebook string // path of a codebook for a text file; "": none

	Report      string // path of the internal report; "": none
	ReportUsers string // path of the user report; "": none

	Reporting ReportOptions // date, responsible person and contact of the reports

	Measures      []string        // names of additional measures for the summary and the records
	MeasureParams string          // path of their parameters; "": the defaults
	Catalog       measure.Catalog // the available measures; nil: all
	Methods       method.Catalog  // the available methods; nil: all

	// GuardFormulas puts an apostrophe before text that a spreadsheet would read as a formula.
	GuardFormulas bool

	// Patterns recognise identifiers in the pre-release checks; nil: the built-in ones.
	Patterns *identify.Patterns

	KeepNotes bool // keep notes, documents and the label of the dataset

	Strict bool               // write nothing if the pre-release checks have a critical finding
	Accept []check.Acceptance // acceptances of critical findings

	Warn  func(message string) // receives each warning, one line; nil: no warnings
	Meter *progress.Meter      // for one part of the work after the other
}

// Run executes a script on a file without a terminal. All files appear after everything was computed; after an
// error there are no new files.
func Run(ctx context.Context, o RunOptions) error {
	if err := o.checkPaths(); err != nil {
		return err
	}
	script, err := readScriptFile(o.Script, o.Methods)
	if err != nil {
		return err
	}
	analyst := NewAnalyst().With(o.Catalog).Recognising(o.Patterns)
	requested, err := readRequested(analyst.measures, o.Measures, o.MeasureParams)
	if err != nil {
		return err
	}
	document, loaded, err := o.perform(ctx, script)
	if err != nil {
		return err
	}
	if !document.Protected() {
		o.warn(filepath.Base(o.Script) + " has no step that changes values: no protection is applied")
	}
	released := document
	for _, one := range requested {
		released.Measures = withMeasure(released.Measures, one)
	}
	checked, stop := context.WithCancel(ctx)
	wait := released.startCheck(checked, o.export(), analyst) // beside the summary and writing, which leave a processor idle
	defer func() { stop(); _, _ = wait() }()
	summary, err := document.Summarise(ctx, analyst)
	if err != nil {
		return err
	}
	if reason := summary.Current.NotApplicable; reason != "" {
		o.warn("k-anonymity and risk are not applicable: " + reason)
	}
	if raised := summary.Current.Set.Value("risk", "raised", 0); raised != nil && raised.Number > 0 {
		o.warn(wording.Does(int(raised.Number), "record", "belong") +
			" to key patterns whose weights sum to less than their number of records; that number is used as their " +
			"population frequency. Check the weights")
	}
	summary.LoadSeconds = seconds(loaded)
	set, err := summary.measure(ctx, &document, analyst, requested)
	if err != nil {
		return err
	}
	return o.write(ctx, released, summary, analyst, set, wait)
}

// warn reports warnings.
func (o *RunOptions) warn(messages ...string) {
	for _, message := range messages {
		if o.Warn != nil {
			o.Warn(message)
		}
	}
}

// file returns the path of the file with the source, or "" if it is not in a file.
func (o *RunOptions) file() (string, error) {
	if source := (*MethodSource)(nil).Source(o.File, fileio.Format{}); InDatabase(source) {
		return source.File(), nil
	}
	return fileio.DataFile(o.File)
}

// checkPaths reports, before any work, files that could not be written in the end.
func (o *RunOptions) checkPaths() error {
	source, err := o.file()
	if err != nil {
		return err
	}
	taken := map[string]string{canonical(o.Script): "the script"}
	if source != "" {
		taken[canonical(source)] = "the input file"
	}
	if database.Is(o.Out) {
		if o.Codebook != "" {
			return fmt.Errorf("%w: a table has no codebook file; omit the codebook", ErrPaths)
		}
		if _, err := database.ParseTarget(o.Out); err != nil {
			return err
		}
	}
	for _, out := range []struct{ path, name string }{{o.Out, "the output"}, {o.Summary, "the summary"},
		{o.Records, "the records"}, {o.Codebook, "the codebook"}, {o.Report, "the report"},
		{o.ReportUsers, "the user report"}} {
		if out.path == "" || database.Is(out.path) {
			continue
		}
		path := canonical(out.path)
		if other, ok := taken[path]; ok {
			return fmt.Errorf("%w: %s is both %s and %s; choose another name", ErrPaths, out.path, other, out.name)
		}
		taken[path] = out.name
		if err := fileio.Writable(out.path, fileio.WriteOptions{Force: o.Force, Source: source}); err != nil {
			return err
		}
	}
	return nil
}

// script finds the source and reads the script. Without a file the source is that of a journal.
func (o *RunOptions) script() (*Script, error) {
	if o.File != "" {
		if _, err := o.file(); err != nil {
			return nil, err
		}
	}
	script, err := readScriptFile(o.Script, o.Methods)
	if err == nil && o.File == "" {
		if script.Source == nil {
			return nil, fmt.Errorf("%s is no session, so it does not know its data: name the file", filepath.Base(o.Script))
		}
		o.File = script.Source.Path
	}
	return script, err
}

func readScriptFile(path string, methods method.Catalog) (*Script, error) {
	file, err := fileio.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the script cannot be read: %w", err)
	}
	defer file.Close()
	sum := sha256.New()
	script, err := ReadScript(io.TeeReader(file, sum), methods)
	if err != nil {
		return nil, fmt.Errorf("%s, %w", filepath.Base(path), err)
	}
	script.sum = hex.EncodeToString(sum.Sum(nil))
	return script, nil
}

// perform reads the source and applies the steps of the script.
func (o *RunOptions) perform(ctx context.Context, script *Script) (Document, time.Duration, error) {
	started := time.Now()
	opening, err := o.open(ctx, script)
	if err != nil {
		return Document{}, 0, err
	}
	loaded := time.Since(started)
	document, err := o.document(ctx, opening, script)
	return document, loaded, err
}

// open reads the source in the format of the script, or in a guessed one.
func (o *RunOptions) open(ctx context.Context, script *Script) (Opening, error) {
	source, err := SourceOf(ctx, o.File, script.Format, o.Reading)
	if err == nil && o.Out != "" {
		err = CheckName(o.Out, source.Format())
	}
	if err != nil {
		return Opening{}, err
	}
	opening, err := source.Open(ctx, o.Meter)
	if err != nil {
		return Opening{}, err
	}
	opening.Name = cmp.Or(opening.Name, Called(opening.Source.Identity().Path))
	for _, warning := range opening.Warnings {
		o.warn(opening.Name + ": " + warning)
	}
	opening.Volatile, opening.Methods = true, o.Methods
	return opening, o.sameData(script, &opening)
}

// sameData returns an error if a journal belongs to other data than those that were read.
func (o *RunOptions) sameData(script *Script, opening *Opening) error {
	if script.Source == nil || script.Source.Hash == "" || script.Source.Hash == openedHash(opening.Data) {
		return nil
	}
	text := fmt.Sprintf("%s is the journal of a session on %s, but %s has other data, or was read with other settings",
		filepath.Base(o.Script), Called(script.Source.Path), opening.Name)
	if !o.OtherData {
		return fmt.Errorf("%w: %s; use --other-data to run its steps anyway", ErrSource, text)
	}
	o.warn(text)
	return nil
}

// document applies the steps of the script to what was read.
func (o *RunOptions) document(ctx context.Context, opening Opening, script *Script) (Document, error) {
	document, err := Replay(ctx, opening, script, func(message string) { o.warn(message) })
	if own := new(ScriptError); errors.As(err, &own) {
		err = fmt.Errorf("%s, %w", filepath.Base(o.Script), err)
	}
	return document, err
}

// follow applies the steps of a script up to its position.
func (s *Session) follow(ctx context.Context, script *Script, warn func(string)) error {
	for i := range script.Steps[:script.Position] {
		step := &script.Steps[i]
		scenario := step.scenario
		if step.redone {
			scenario = Fitted(scenario, s.Data())
		}
		if err := s.SetScenario(*scenario); err != nil {
			return &ScriptError{max(1, step.scenarioLine), err}
		}
		if step.changed {
			warn(fmt.Sprintf("line %d, step %d (%s): made by an earlier or unknown version of this method; its result may differ", step.lineNumber, i+1, step.Spec.Step))
		}
		result, err := s.Prepare(step.Spec).Run(ctx, nil, nil)
		if err == nil {
			err = s.Commit(result)
		}
		if err != nil {
			return &ScriptError{step.lineNumber, err}
		}
		for _, warning := range result.Report.Warnings {
			warn(fmt.Sprintf("line %d, step %d (%s): %s", step.lineNumber, i+1, step.Spec.Step, warning))
		}
	}
	if err := s.SetScenario(script.Scenario); err != nil {
		return &ScriptError{max(1, script.scenarioLine), err}
	}
	s.tree.setScenarios(script.tree.scenarios)
	s.scenario = s.tree.scenarios.inForce()
	return ctx.Err()
}

// write stages all files, then places them. wait waits for the findings.
func (o *RunOptions) write(ctx context.Context, d Document, summary *Summary, analyst *Analyst, requested measure.Set,
	wait func() ([]check.Finding, error)) error {
	s := fileio.Staging{Options: fileio.WriteOptions{Force: o.Force, Source: d.Source.File()}}
	defer s.Discard()
	for _, out := range []struct {
		path  string
		write func(io.Writer) error
	}{
		{o.Summary, func(w io.Writer) error { return WriteJSON(w, summary) }},
		{o.Records, func(w io.Writer) error {
			set, err := analyst.Figures(ctx, d.Data, &d.Scenario, measure.Records)
			if err != nil {
				return err
			}
			return writeRecords(ctx, w, d.Data, set.With(requested))
		}},
	} {
		if out.path == "" {
			continue
		}
		if err := s.Add(out.path, out.write); err != nil {
			return err
		}
	}
	var err error
	if o.Reporting.Hash, err = o.writeData(ctx, &s, d); err != nil {
		return err
	}
	found, failed := wait() // before the tables, which it also needs
	if err := cmp.Or(o.writeTables(ctx, &s, &d, analyst), failed); err != nil {
		return err
	}
	if err := o.report(ctx, found); err != nil {
		return err
	}
	if err := o.writeReports(ctx, &s, d, analyst, found); err != nil {
		return err
	}
	return s.Place()
}

// writeData stages the protected file and its companions. It returns the SHA-256 of the file, or "" if it is not
// known.
func (o *RunOptions) writeData(ctx context.Context, s *fileio.Staging, d Document) (hash string, err error) {
	options := o.export()
	lacks, err := d.Lacks(ctx, options)
	if err != nil {
		return "", err
	}
	for _, lack := range lacks {
		o.warn(filepath.Base(o.Out) + ": " + lack)
	}
	if len(lacks) > 0 && o.Codebook == "" && d.CodebookFits(o.Out) {
		o.warn(CodebookAdvice)
	}
	sum := sha256.New()
	done, err := d.stage(ctx, s, options, sum, o.Meter)
	if err != nil || database.Is(o.Out) || IsScript(o.Out, d.Source.Format()) {
		return "", err
	}
	o.warn(done.Warnings...)
	if done.Warning != "" {
		o.warn(done.Warning)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// export returns the options for writing the protected file.
func (o *RunOptions) export() ExportOptions {
	return ExportOptions{Path: o.Out, Codebook: o.Codebook, GuardFormulas: o.GuardFormulas, KeepNotes: o.KeepNotes,
		Unfixed: true}
}

// writeReports stages both reports, the internal one with the findings.
func (o *RunOptions) writeReports(ctx context.Context, s *fileio.Staging, d Document, analyst *Analyst,
	found []check.Finding) error {
	internal, users := o.Reporting, o.Reporting
	internal.Path, internal.Audience, internal.Protected = o.Report, Internal, o.Out
	internal.Findings, internal.Accepted = append([]check.Finding{}, found...), o.Accept
	users.Path, users.Audience, users.Protected = o.ReportUsers, Users, o.Out
	for _, report := range []ReportOptions{internal, users} {
		if report.Path == "" {
			continue
		}
		if err := s.Add(report.Path, func(w io.Writer) error { return d.WriteReport(ctx, w, report, analyst) }); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// report reports the findings in the protected file as warnings. In a strict run, the error wraps ErrCritical if a
// critical finding is not accepted.
func (o *RunOptions) report(ctx context.Context, found []check.Finding) error {
	for i := range found {
		if !found[i].Warned {
			o.warn(found[i].String())
		}
	}
	o.warn(Unneeded(found, o.Accept)...)
	if !o.Strict {
		return ctx.Err()
	}
	return Refused("export", found, o.Accept)
}

// CodebookAdvice explains how to keep labels and missing codes that a text file cannot hold.
const CodebookAdvice = "use --write-codebook FILE to keep labels and missing codes in a separate file"

// WriteJSON writes a value as indented JSON.
func WriteJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
