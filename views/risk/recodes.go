package risk

import (
	"context"
	"fmt"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// riskRecodes are suggested recodes with the individual risks that each would leave:
// those worth most, which are looked for a piece at a time and tried one after the
// other. Any threshold is then looked up.
type riskRecodes struct {
	of     views.AssessmentAt   // what they belong to
	search *suggest.Search      // nil until it has begun; only its pieces touch it
	asked  []suggest.Suggestion // that are to be tried, worth most first
	tried  int
	found  []recodeRisk
	ended  bool // there is nothing more to look for
}

// recodeRisk is a recode that was tried.
type recodeRisk struct {
	suggest.Suggestion
	expected float64
	risks    *risk.Distribution
}

// mostTried is the number of suggested recodes that are tried.
const mostTried = 16

// Seek looks for recodes, then tries them. It comes to rest when all were tried, and
// also when something cannot be computed.
func (p *RiskDistribution) Seek(s views.State) func(ctx context.Context, budget time.Duration) (take func()) {
	a, r := s.Current.Assessment, &p.recodes
	if a == nil || s.Stale || s.Try == nil || s.Scenario == nil {
		return nil
	}
	if of := (views.AssessmentAt{Assessment: a, K: s.K}); r.of != of {
		*r = riskRecodes{of: of}
	}
	switch {
	case r.ended:
		return nil
	case r.asked == nil:
		return r.look(s)
	default:
		return r.try(s, r.asked[r.tried])
	}
}

// taken is what a piece returns: what it found is taken in unless the data have
// changed since, or it was cancelled and is to be done again.
func (r *riskRecodes) taken(ctx context.Context, of views.AssessmentAt, err error, take func()) func() {
	cancelled := ctx.Err() != nil
	return func() {
		switch {
		case cancelled || r.of != of:
		case err != nil:
			r.ended = true
		default:
			take()
		}
	}
}

// look goes on with the search among suggestions.
func (r *riskRecodes) look(s views.State) func(ctx context.Context, budget time.Duration) func() {
	of, search, data, scenario := r.of, r.search, s.Current.Data, s.Scenario
	return func(ctx context.Context, budget time.Duration) func() {
		var err error
		if search == nil {
			search, err = suggest.New(data, scenario, of.Assessment, of.K)
		}
		if err == nil {
			err = search.Continue(ctx, budget)
		}
		var best []suggest.Suggestion
		if err == nil && search.Done() {
			frontier := search.Frontier()
			best = moderate(frontier.Worthwhile())
		}
		return r.taken(ctx, of, err, func() {
			if r.search = search; search.Done() {
				r.asked = best[:min(len(best), mostTried)]
				r.ended = len(best) == 0
			}
		})
	}
}

// moderate returns the suggestions that keep at least half of the detail of their
// variable, of which the harshest would always leave fewest records; all where none
// does.
func moderate(all []suggest.Suggestion) []suggest.Suggestion {
	var kept []suggest.Suggestion
	for i := range all {
		if all[i].Lost <= all[i].Detail/2 {
			kept = append(kept, all[i])
		}
	}
	if len(kept) == 0 {
		return all
	}
	return kept
}

// try computes the risks after a recode.
func (r *riskRecodes) try(s views.State, one suggest.Suggestion) func(ctx context.Context, budget time.Duration) func() {
	of := r.of
	return func(ctx context.Context, _ time.Duration) func() {
		name, m := one.Step()
		after, err := s.Try(ctx, name, m)
		if err == nil && after.Assessment != nil {
			after.Assessment.Distribution() // computed here, not when it is drawn
		}
		return r.taken(ctx, of, err, func() {
			if after.Assessment != nil {
				r.found = append(r.found, recodeRisk{one, after.Assessment.Expected, after.Assessment.Distribution()})
			}
			r.tried++
			r.ended = r.tried == len(r.asked)
		})
	}
}

// best returns the recode that leaves fewest records above a threshold, of equals the
// one worth most; nil where none is known of the current data.
func (r *riskRecodes) best(s views.State, threshold float64) *recodeRisk {
	if r.of != (views.AssessmentAt{Assessment: s.Current.Assessment, K: s.K}) {
		return nil
	}
	var best *recodeRisk
	fewest := 0
	for i := range r.found {
		if above, _ := r.found[i].risks.Above(threshold); best == nil || above < fewest {
			best, fewest = &r.found[i], above
		}
	}
	return best
}

// told says what the best recode would leave, in a line, or two where there is room:
// each in several forms, the longest first.
func (r *riskRecodes) told(s views.State, threshold float64, roomy bool) (style *draw.Style, first, second []string) {
	best := r.best(s, threshold)
	switch {
	case best != nil:
	case r.ended && r.of == views.AssessmentAt{Assessment: s.Current.Assessment, K: s.K}:
		return &s.Faint, []string{fmt.Sprintf("recoding: no suggested recode removes violators of k = %d", s.K), "recoding: none is suggested"}, nil
	default:
		return &s.Faint, []string{"recoding: looking for the best suggested recode …", "recoding: looking for one …"}, nil
	}
	style, doubt := &s.Plain, ""
	if !r.ended {
		style, doubt = &s.Faint, " …" // a better one may come
	}
	above, _ := best.risks.Above(threshold)
	variable, what := draw.Label(best.Variable), draw.Safe(views.SuggestionText(s, &best.Suggestion))
	left, global, expected := wording.Number(above), wording.MeanRisk(best.expected/float64(max(1, best.risks.Records))), wording.Amount(best.expected)
	lost := views.LostShare(best.Lost, best.Detail)
	if roomy {
		return style, []string{fmt.Sprintf("recoding %s, %s: %s above it; b opens it%s", variable, what, left, doubt),
				fmt.Sprintf("recoding %s, %s: %s above it (b)%s", variable, what, left, doubt), fmt.Sprintf("recoding %s: %s above it (b)%s", variable, left, doubt)},
			[]string{fmt.Sprintf("  global risk %s, %s expected re-identifications, %s of its detail lost", global, expected, lost),
				fmt.Sprintf("  global risk %s, re-id %s, %s of its detail lost", global, expected, lost)}
	}
	return style, []string{
		fmt.Sprintf("recoding %s, %s: %s above it, global risk %s, re-id %s; b opens it%s", variable, what, left, global, expected, doubt),
		fmt.Sprintf("recoding %s, %s: %s above it, %s, re-id %s (b)%s", variable, what, left, global, expected, doubt),
		fmt.Sprintf("recoding %s: %s above it, %s, re-id %s (b)%s", variable, left, global, expected, doubt),
		fmt.Sprintf("recoding %s: %s above it (b)%s", variable, left, doubt),
	}, nil
}

// explain explains what the best recode would leave.
func (r *riskRecodes) explain(s views.State, threshold float64) []views.Figure {
	best := r.best(s, threshold)
	if best == nil {
		return nil
	}
	above, _ := best.risks.Above(threshold)
	n := max(1, best.risks.Records)
	return []views.Figure{{
		Name: "Records above the threshold after a recode", Value: wording.Number(above),
		Definition: fmt.Sprintf("Records whose individual risk would still be higher than the threshold after %s: of the %d suggested recodes worth most "+
			"that keep at least half of the detail of their variable, the one that leaves fewest. S lists all of them, b opens the dialog of this one.", draw.Safe(best.Variable+", "+views.SuggestionText(s, &best.Suggestion)), len(r.found)),
		Formula: "number of r_i > t, with f and F of the keys after the recode",
		Values: []string{fmt.Sprintf("t = %.6g, n = %s", threshold, wording.Number(best.risks.Records)),
			fmt.Sprintf("global risk: %s / %s = %s", wording.Amount(best.expected), wording.Number(n), wording.MeanRisk(best.expected/float64(n))),
			fmt.Sprintf("detail lost: %.4f of the %.3f bits of %s", best.Lost, best.Detail, draw.Safe(best.Variable)),
			wording.Number(above) + " records"},
		Source: measure.SourceRiskAll,
	}}
}
