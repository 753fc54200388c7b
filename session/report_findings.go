package session

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
)

// decision is the decision of one person about variables of a critical finding, or that there is none.
type decision struct {
	*check.Finding
	variables        []string
	by, reason, date string
}

// decisions returns the decisions about the critical findings, in their order.
func (o *ReportOptions) decisions() (all []decision) {
	for i := range o.Findings {
		f := &o.Findings[i]
		if !f.Critical {
			continue
		}
		for _, a := range f.Acceptances(o.Accepted) {
			all = decide(all, decision{f, []string{a.Variable}, a.By, a.Because, cmp.Or(a.Date, o.date(), "–")})
		}
		for _, variable := range f.Unaccepted(o.Accepted) {
			all = decide(all, decision{f, []string{variable}, "not accepted", "–", "–"})
		}
	}
	return all
}

// decide appends a decision, or adds its variables to the last one if that is the same.
func decide(all []decision, d decision) []decision {
	if n := len(all); n > 0 {
		if last := &all[n-1]; last.Finding == d.Finding && last.by == d.by && last.reason == d.reason && last.date == d.date {
			last.variables = append(last.variables, d.variables...)
			return all
		}
	}
	return append(all, d)
}

// named names the finding with at most most of its variables.
func (d *decision) named(most int) string {
	variables := slices.DeleteFunc(slices.Clone(d.variables), func(name string) bool { return name == "" })
	if len(variables) == 0 {
		return d.Title
	}
	return d.Title + ": " + strings.Join(wording.FirstFew(variables, most), ", ")
}

// criticals lists the critical findings with who accepted them, as far as the first page has room.
func (r *reportBuilder) criticals(context.Context) error {
	const rows, variables, name, reason = 6, 2, 60, 80
	if r.options.Findings == nil {
		return nil
	}
	s := report.NewTable("Critical findings", "finding", "accepted by", "reason", "date")
	all := r.options.decisions()
	for i := range all[:min(rows, len(all))] {
		d := &all[i]
		s.Row(d.named(variables), wording.Shortened(d.by, name), wording.Shortened(d.reason, reason), d.date)
	}
	switch more := len(all) - rows; {
	case more > 0:
		s.Add("Chapter 2 lists %s more and describes all of them.", wording.Number(more))
	case len(all) > 0:
		s.Add("Chapter 2 describes them.")
	}
	r.addTable(s, "None.")
	return nil
}

// described describes the critical findings in full.
func (r *reportBuilder) described(context.Context) error {
	s := report.NewTable("Critical findings", "finding", "what was found", "why it matters",
		"accepted by", "reason", "date")
	all := r.options.decisions()
	for i := range all {
		d := &all[i]
		s.Row(d.named(len(d.variables)), d.Text, d.Why, d.by, d.reason, d.date)
	}
	r.add(s)
	return nil
}

// warnings lists the other findings, grouped by kind.
func (r *reportBuilder) warnings(context.Context) error {
	s := report.NewTable("Warnings", "warning", "what was found", "why it matters")
	for _, f := range r.options.Findings {
		last := s.Table[len(s.Table)-1]
		switch {
		case f.Critical:
		case last[0] == f.Title && last[2] == f.Why:
			last[1] += " " + f.Text
		default:
			s.Row(f.Title, f.Text, f.Why)
		}
	}
	if r.options.Findings != nil {
		r.addTable(s, "None.")
	}
	return nil
}
