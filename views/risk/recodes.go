package risk

import (
	"context"
	"fmt"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/recoding/plan"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// riskRecodes are suggested recodes with the individual risks after each. The most efficient ones are searched
// piece by piece and tried one after the other; then any threshold is a look-up.
type riskRecodes struct {
	asked []*plan.Recode // recodes to try, most efficient first
	tried int
	found []recodeRisk
	ended bool // the search is done
}

// recodeRisk is a recode that was tried, with the risks after it.
type recodeRisk struct {
	*plan.Recode
	expected float64
	risks    *risk.Distribution
}

// mostTried is the number of suggested recodes that are tried.
const mostTried = 16

// Seek searches recodes, then tries them. It stops when all were tried or when something cannot be computed.
func (p *RiskDistribution) Seek(s views.State) views.Piece {
	if s.Current.Assessment == nil || s.Stale || s.Try == nil || s.Scenario == nil {
		return nil
	}
	r := *p.recodesOf(s)
	if r.ended {
		return nil
	}
	return p.recodes.Extend(s.AssessmentAt(),
		func(ctx context.Context, _ time.Duration) (add func(*riskRecodes), err error) {
			if r.asked == nil {
				add, err = look(ctx, s)
			} else {
				add, err = try(ctx, s, r.asked[r.tried])
			}
			if err != nil { // a cancelled search adds nothing
				add = func(r *riskRecodes) { r.ended = true }
			}
			return add, nil
		})
}

// recodesOf returns what is known of the current assessment.
func (p *RiskDistribution) recodesOf(s views.State) *riskRecodes {
	return p.recodes.For(s.AssessmentAt())
}

// look searches the recodes to try: the most efficient ones of a single step that keep at least half of the
// information of their variable.
func look(ctx context.Context, s views.State) (func(*riskRecodes), error) {
	search, err := plan.New(ctx, s.Current.Data, s.Scenario, plan.Options{K: s.K, Single: true, Rule: s.Scenario.Rule})
	if err == nil {
		err = search.Continue(ctx, nil)
	}
	if err != nil {
		return nil, err
	}
	var best []*plan.Recode
	for _, p := range search.Found().Worthwhile() {
		if r := p.Recodes[0]; len(r.Steps) == 1 && r.Lost <= r.Detail/2 {
			best = append(best, r)
		}
	}
	return func(r *riskRecodes) { r.asked, r.ended = best[:min(len(best), mostTried)], len(best) == 0 }, nil
}

// try computes the risks after a recode.
func try(ctx context.Context, s views.State, one *plan.Recode) (func(*riskRecodes), error) {
	after, err := s.Try(ctx, one.Steps[0].Name, one.Steps[0].Method)
	if err != nil {
		return nil, err
	}
	if after.Assessment != nil {
		after.Assessment.Distribution() // computed here rather than while drawing
	}
	return func(r *riskRecodes) {
		if after.Assessment != nil {
			r.found = append(r.found, recodeRisk{one, after.Assessment.Expected, after.Assessment.Distribution()})
		}
		r.tried++
		r.ended = r.tried == len(r.asked)
	}, nil
}

// best returns the recode that leaves the fewest records above a threshold, the more efficient one of equals, or
// nil if none is known.
func (r *riskRecodes) best(threshold float64) *recodeRisk {
	var best *recodeRisk
	fewest := 0
	for i := range r.found {
		if above, _ := r.found[i].risks.Above(threshold); best == nil || above < fewest {
			best, fewest = &r.found[i], above
		}
	}
	return best
}

// summary describes the result of the best recode in a line, or two if there is room. Each line has several forms,
// the longest first.
func (r *riskRecodes) summary(s views.State, threshold float64, roomy bool) (style *draw.Style, first, second []string) {
	best := r.best(threshold)
	switch {
	case best != nil:
	case r.ended && views.ViolatorsAt(s.Current.Assessment, s.K).Violating == 0:
		return &s.Faint, []string{fmt.Sprintf("recoding: nothing to suggest, because no record violates %d-anonymity", s.K),
			fmt.Sprintf("recoding: no record violates %d-anonymity", s.K), "recoding: nothing to suggest"}, nil
	case r.ended:
		return &s.Faint, []string{fmt.Sprintf("recoding: no suggested recode removes violators of k = %d", s.K),
			"recoding: no suggestion"}, nil
	default:
		return &s.Faint, []string{"recoding: searching for the best suggested recode …", "recoding: searching …"}, nil
	}
	style, doubt := &s.Plain, ""
	if !r.ended {
		style, doubt = &s.Faint, " …" // a better one may follow
	}
	above, _ := best.risks.Above(threshold)
	variable, what := draw.Label(best.Variable), draw.Safe(views.RecodeText(s, best.Recode))
	left, global, expected := wording.Number(above), wording.Percent(best.expected/float64(max(1,
		best.risks.Records))), wording.Amount(best.expected)
	lost := wording.Percent(best.Lost / best.Detail)
	if roomy {
		return style, []string{fmt.Sprintf("recoding %s (%s): %s above the threshold; b opens the dialog%s", variable, what, left, doubt),
				fmt.Sprintf("recoding %s (%s) (b): %s above the threshold%s", variable, what, left, doubt),
				fmt.Sprintf("recoding %s (b): %s above the threshold%s", variable, left, doubt)},
			[]string{fmt.Sprintf("  global risk %s, %s expected re-identifications, information loss %s", global, expected,
				lost),
				fmt.Sprintf("  global risk %s, expected re-id. %s, information loss %s", global, expected, lost),
				fmt.Sprintf("  global risk %s, re-id. %s, information loss %s", global, expected, lost)}
	}
	return style, []string{
		fmt.Sprintf("recoding %s (%s) (b): %s above the threshold, global risk %s, expected re-id. %s%s", variable, what, left, global,
			expected, doubt),
		fmt.Sprintf("recoding %s (%s) (b): %s above the threshold, global risk %s, re-id. %s%s", variable, what, left, global, expected, doubt),
		fmt.Sprintf("recoding %s (b): %s above the threshold, global risk %s%s", variable, left, global, doubt),
		fmt.Sprintf("recoding %s (b): %s above threshold, global risk %s%s", variable, left, global, doubt),
		fmt.Sprintf("%s (b): %s above threshold, global risk %s%s", variable, left, global, doubt),
		fmt.Sprintf("recoding %s (b): %s above the threshold%s", variable, left, doubt),
	}, nil
}

// explain explains the result of the best recode.
func (r *riskRecodes) explain(s views.State, threshold float64) []views.Figure {
	best := r.best(threshold)
	if best == nil {
		return nil
	}
	above, _ := best.risks.Above(threshold)
	n := max(1, best.risks.Records)
	return []views.Figure{{
		Name: "Records above the threshold after a recode", Value: wording.Number(above),
		Definition: fmt.Sprintf("Records whose individual risk is still above the threshold after %s. Among the %d most efficient suggested "+
			"recodes that keep at least half of the information of their variable, this one leaves the fewest such records. S "+
			"lists all suggested recodes; b opens this one.", "recoding "+best.Variable+" ("+views.RecodeText(s, best.Recode)+")", len(r.found)),
		Formula: "number of r_i > t, with f and F of the key patterns after the recode",
		Values: []string{fmt.Sprintf("t = %.6g, n = %s", threshold, wording.Number(best.risks.Records)),
			fmt.Sprintf("global risk: %s / %s = %s", wording.Amount(best.expected), wording.Number(n),
				wording.Percent(best.expected/float64(n))),
			fmt.Sprintf("information loss: %.4f of the %.4f bits of %s", best.Lost, best.Detail, best.Variable),
			wording.Number(above) + " records"},
		Source: measure.SourceRiskAll,
	}}
}
