package bundle

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/engine/release/recount"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/session"
)

// Statement is what a person signs: which file is released, what protects it, and who accepted what. It is derived
// from script and original, except for the date, the names of the files and the acceptances, which are only in the
// manifest.
type Statement struct {
	File           string         `json:"file"`
	SHA256         string         `json:"sha256"`
	Date           string         `json:"date"`
	Original       string         `json:"original"` // its path as in the reports
	Reading        string         `json:"reading"`  // how it is read
	Responsible    string         `json:"responsible,omitempty"`
	Contact        string         `json:"contact,omitempty"` // contact for users
	GuardsFormulas bool           `json:"guards_formulas"`
	KeepsNotes     bool           `json:"keeps_notes"`
	Patterns       string         `json:"identifier_patterns_sha256,omitempty"` // of custom patterns; "": none
	Figures        recount.Counts `json:"figures"`

	Keys       []string          `json:"keys"`
	Rule       microdata.Rule    `json:"rule"`  // for missing values
	Alpha      float64           `json:"alpha"` // of the rule default
	Guaranteed []check.Guarantee `json:"guaranteed"`
	K          []int             `json:"k"`          // of the scenario
	MeasuredK  *float64          `json:"measured_k"` // the lowest frequency of a key pattern; nil: no key variables
	Risk       *float64          `json:"global_risk"`
	Target     float64           `json:"global_risk_target"`
	Weighted   bool              `json:"weighted"` // the risk is estimated with sampling weights

	Critical    []finding `json:"critical"` // with their acceptances
	Warnings    int       `json:"warnings"`
	NotAssessed []string  `json:"not_assessed"`
}

// statement returns what is to be signed for the release.
func (c *contents) statement(ctx context.Context, found []check.Finding) (*Statement, error) {
	d, m := &c.document, c.manifest
	data := d.Data.Without(d.Scenario.Remove)
	scenario := session.Fitted(&d.Scenario, data)
	s := &Statement{File: m.Safe, SHA256: c.hash, Date: m.Date, Original: m.Source.Path, Reading: d.Source.Format().String(),
		Responsible: m.Options.Responsible, Contact: m.Options.Contact, GuardsFormulas: m.Options.GuardFormulas,
		KeepsNotes: m.Options.KeepNotes, Patterns: m.Options.Patterns, Figures: m.Figures, Keys: m.Question.Keys, Rule: scenario.Rule, Alpha: scenario.Alpha,
		K: scenario.K, Target: scenario.GlobalRiskTarget(), Weighted: scenario.Weight != "", Critical: []finding{}}
	for _, f := range checked(found, m.Accepted) {
		if f.Critical {
			s.Critical = append(s.Critical, f)
		} else {
			s.Warnings++
		}
	}
	var err error
	if s.Guaranteed, err = d.Guarantees(session.ExportOptions{Path: m.Safe}, c.analyst); err != nil {
		return nil, err
	}
	if s.NotAssessed, err = d.NotAssessed(ctx, c.analyst); err != nil {
		return nil, err
	}
	assessment, err := risk.Of(ctx, measure.NewVersion(data, scenario, nil))
	if assessment == nil || err != nil {
		return s, err
	}
	s.Risk = &assessment.Global
	if all := assessment.KeyFrequencies().Sample; len(all) > 0 {
		least := slices.Min(all)
		s.MeasuredK = &least
	}
	return s, nil
}
