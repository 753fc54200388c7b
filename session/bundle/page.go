package bundle

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Page returns the verdict as lines of a page to sign.
func (v *Verdict) Page() []string {
	lines := []string{"Verification of " + v.Folder, ""}
	for _, result := range v.Results {
		mark := "ok  "
		if len(result.Problems) > 0 {
			mark = "NO  "
		}
		lines = append(lines, mark+result.What)
		for _, problem := range result.Problems {
			lines = append(lines, "      "+problem)
		}
	}
	lines = append(lines, "")
	if v.Stopped {
		lines = append(lines, "The verification stopped there.")
	}
	if !v.Holds() {
		return append(lines, "The release is not valid. Do not sign it.", "", "Made by sdcdesk "+cmp.Or(v.Program, "(not known)"),
			"SHA-256 of the release: "+v.Hash)
	}
	lines = append(lines, v.Statement.lines()...)
	blank := func(title string, width int) string { return title + ": " + strings.Repeat("_", width) }
	return append(lines, "", "Made by sdcdesk "+v.Program, "SHA-256 of the release: "+v.Hash, "",
		"Decision:  [ ] release   [ ] do not release", "", blank("Name", 30)+"   "+blank("Date", 14), "", blank("Signature", 40))
}

// lines returns the statement as lines.
func (s *Statement) lines() (lines []string) {
	row := func(title, format string, args ...any) {
		lines = append(lines, fmt.Sprintf("%-17s", title)+fmt.Sprintf(format, args...))
	}
	row("Protected file", "%s", s.File)
	row("SHA-256", "%s", s.SHA256)
	row("Release date", "%s", s.Date)
	row("Original", "%s", s.Original)
	row("Read as", "%s", s.Reading)
	for _, one := range [...][2]string{{"Person responsible", s.Responsible}, {"Contact", s.Contact}} {
		if one[1] != "" {
			row(one[0], "%s", one[1])
		}
	}
	if !s.GuardsFormulas {
		row("Formulas", "not guarded: a spreadsheet may run text in the file as a formula")
	}
	if s.KeepsNotes {
		row("Notes", "kept: the file contains notes, documents and the dataset label")
	}
	if s.Patterns != "" {
		row("Own patterns", "%s, SHA-256 %s", patternsFile, s.Patterns)
	}
	row("Records", "%s", wording.Number(s.Figures.Records))
	row("Key variables", "%s", cmp.Or(strings.Join(s.Keys, ", "), "none"))
	if len(s.Keys) > 0 {
		s.protection(row)
	}
	for _, one := range s.Figures.Missing {
		if one.Cells > 0 {
			row("Missing", "%s: %s", one.Variable, wording.Counted(one.Cells, "cell"))
		}
	}
	row("Warnings", "%s", wording.Number(s.Warnings))
	row("Critical", "%s", wording.Counted(len(s.Critical), "finding"))
	for _, f := range s.Critical {
		lines = append(lines, "  "+f.Title+" ("+f.Name+"): "+f.Text)
		for i := range f.Accepted {
			lines = append(lines, "    "+f.Accepted[i].String())
		}
	}
	lines = append(lines, "Not assessed")
	for _, text := range s.NotAssessed {
		lines = append(lines, "  "+text)
	}
	return lines
}

// protection writes the guarantees and the measured values of the key variables.
func (s *Statement) protection(row func(title, format string, args ...any)) {
	row("Missing values", "rule %s, alpha %v", s.Rule, s.Alpha)
	guaranteed := "no step guarantees k-anonymity"
	for i, g := range s.Guaranteed {
		if i == 0 {
			guaranteed = ""
		} else {
			guaranteed += "; "
		}
		guaranteed += fmt.Sprintf("k = %d (step %d, rule %s)", g.K, g.Step, g.Rule)
	}
	row("Guaranteed k", "%s", guaranteed)
	if s.MeasuredK != nil {
		row("Measured k", "%s", strconv.FormatFloat(*s.MeasuredK, 'f', -1, 64))
	}
	for _, one := range s.Figures.Violators {
		row("Violators", "k = %d: %s default, %s conservative, %s own category", one.K, wording.Number(one.Default),
			wording.Number(one.Conservative), wording.Number(one.OwnCategory))
	}
	risk := "not available"
	if s.Risk != nil {
		risk = wording.PercentAgainst(*s.Risk, s.Target)
	}
	if !s.Weighted {
		row("Global risk", "%s; no target without a weight variable", risk)
		return
	}
	row("Global risk", "%s, target %s", risk, wording.Limit(s.Target))
}
