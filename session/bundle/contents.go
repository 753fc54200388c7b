package bundle

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/engine/release/recount"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/session"
)

// content is a file that is not written yet.
type content struct {
	path string
	text []byte
}

// contents makes the files of a bundle from the result of a script, except the protected file and the manifest. It
// depends only on the document and the manifest.
type contents struct {
	document session.Document
	manifest *manifest
	analyst  *session.Analyst
	warning  string // why a requested codebook is missing
	hash     string // SHA-256 of the protected file, after it was written
}

// writeSafe writes the protected file and keeps its hash.
func (c *contents) writeSafe(ctx context.Context, w io.Writer, meter *progress.Meter) (*fileio.WriteReport, error) {
	sum := sha256.New()
	report, err := fileio.WriteAs(ctx, c.manifest.Safe, io.MultiWriter(w, sum), c.document.Data, c.document.Source.Format(),
		c.document.Writing(c.export()), meter)
	c.hash = hex.EncodeToString(sum.Sum(nil))
	return report, err
}

// export returns the same options for the pre-release checks.
func (c *contents) export() session.ExportOptions {
	o := &c.manifest.Options
	return session.ExportOptions{Path: c.manifest.Safe, Codebook: o.Codebook, GuardFormulas: o.GuardFormulas, KeepNotes: o.KeepNotes,
		Unfixed: true}
}

// findings returns the findings of the checks on what is written.
func (c *contents) findings(ctx context.Context, meter *progress.Meter) ([]check.Finding, error) {
	return c.document.Check(ctx, c.export(), c.analyst, meter)
}

// files makes all files except the protected one, which was written before, and the manifest, which then gets the
// hashes and the figures.
func (c *contents) files(ctx context.Context, script []byte, found []check.Finding) (files []content, err error) {
	internal, err := c.internal(ctx, found)
	if err != nil {
		return nil, err
	}
	forUsers, err := c.forUsers(ctx)
	if err != nil {
		return nil, err
	}
	if c.manifest.Figures, err = c.count(ctx); err != nil {
		return nil, err
	}
	files = slices.Concat([]content{{scriptFile, script}}, internal, forUsers)
	c.manifest.Files = []file{{c.manifest.safePath(), c.hash}}
	c.manifest.list(files)
	sums := content{sumsFile, c.manifest.sums(usersPart)}
	c.manifest.list([]content{sums})
	return append(files, sums), nil
}

// forUsers returns the files of the part for users except the protected file and the list of hashes.
func (c *contents) forUsers(ctx context.Context) ([]content, error) {
	companions, err := fileio.Companions(c.manifest.Safe, c.document.Data, c.document.Source.Format(), c.document.Writing(c.export()))
	if errors.Is(err, fileio.ErrNoLabels) {
		c.manifest.Options.Codebook, c.warning, companions, err = "", err.Error(), nil, nil
	}
	if err != nil {
		return nil, err
	}
	report, err := c.report(ctx, session.ReportOptions{Path: usersReport, Audience: session.Users})
	files := []content{report}
	for _, companion := range companions {
		files = append(files, content{usersPart + "/" + filepath.ToSlash(companion.Path), []byte(companion.Text)})
	}
	if err != nil {
		return nil, err
	}
	tables, err := c.tables(ctx)
	return append(files, tables...), err
}

// tables returns the protected tables.
func (c *contents) tables(ctx context.Context) (files []content, err error) {
	tables, err := c.document.Tables(ctx, c.analyst)
	for _, t := range tables {
		var text bytes.Buffer
		if err := session.WriteTable(ctx, &text, t, c.manifest.Options.GuardFormulas); err != nil {
			return nil, err
		}
		files = append(files, content{c.manifest.tablePath(t.Definition.Name), text.Bytes()})
	}
	return files, err
}

// internal returns the files of the internal part except the script.
func (c *contents) internal(ctx context.Context, found []check.Finding) ([]content, error) {
	report, err := c.report(ctx, session.ReportOptions{Path: internalReport, Audience: session.Internal,
		Findings: append([]check.Finding{}, found...), Accepted: c.manifest.Accepted})
	if err != nil {
		return nil, err
	}
	text, err := asJSON(checked(found, c.manifest.Accepted))
	files := []content{report, {checkFile, text}}
	if added := c.analyst.Patterns().Added(); len(added) > 0 {
		files = append(files, content{patternsFile, added})
	}
	return files, err
}

func (c *contents) report(ctx context.Context, o session.ReportOptions) (content, error) {
	var err error
	if o.Date, err = time.Parse(time.DateOnly, c.manifest.Date); err != nil {
		return content{}, fmt.Errorf("the date of the release is not valid: %w", errChanged)
	}
	o.Program, o.Protected, o.Hash = c.manifest.Program, c.manifest.Safe, c.hash
	o.Responsible, o.Contact = c.manifest.Options.Responsible, c.manifest.Options.Contact
	var text bytes.Buffer
	err = c.document.WriteReport(ctx, &text, o, c.analyst)
	return content{o.Path, text.Bytes()}, err
}

// count answers the question of the manifest from the document.
func (c *contents) count(ctx context.Context) (recount.Counts, error) {
	data := c.document.Data.Without(c.document.Scenario.Remove)
	counts := recount.Counts{Records: data.Records()}
	for _, column := range data.Columns() {
		counts.Missing = append(counts.Missing, recount.Missing{Variable: column.Name(), Cells: column.MissingCount()})
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.K, scenario.Alpha = c.manifest.Question.Keys, c.manifest.Question.K, c.manifest.Question.Alpha
	assessment, err := risk.Of(ctx, measure.NewVersion(data, &scenario, nil))
	if assessment == nil || err != nil {
		return counts, err
	}
	for _, v := range assessment.Violators {
		counts.Violators = append(counts.Violators, recount.Violators{K: v.K, Default: v.Count,
			Conservative: v.Conservative, OwnCategory: v.OwnCategory})
	}
	return counts, nil
}

// question returns what to count in the protected file of a document.
func question(d *session.Document) recount.Question {
	scenario := session.Fitted(&d.Scenario, d.Data.Without(d.Scenario.Remove))
	return recount.Question{Keys: append([]string{}, scenario.Keys...), K: append([]int{}, scenario.K...),
		Alpha: scenario.Alpha}
}

// finding is a finding as written in a bundle.
type finding struct {
	Name      string   `json:"name"`
	Title     string   `json:"title"`
	Text      string   `json:"text"`
	Critical  bool     `json:"critical"`
	Variables []string `json:"variables,omitempty"`
	Count     int      `json:"count,omitempty"`
	Of        int      `json:"of,omitempty"`

	Accepted []check.Acceptance `json:"accepted,omitempty"`
}

// checked returns the findings with their acceptances.
func checked(found []check.Finding, accepted []check.Acceptance) []finding {
	out := []finding{}
	for _, f := range found {
		out = append(out, finding{f.Name, f.Title, f.Text, f.Critical, f.Variables, f.Count, f.Of, f.Acceptances(accepted)})
	}
	return out
}
