package views

import (
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// KAnonymity is the pane of violators: how many records share their key with
// fewer than k-1 others, now and in the original data.
type KAnonymity struct{}

var _ Explained = (*KAnonymity)(nil)

// ID returns "k-anonymity".
func (*KAnonymity) ID() string { return "k-anonymity" }

// Title returns what stands in the frame.
func (*KAnonymity) Title() string { return "k-anonymity" }

// Keys returns the keys of the pane.
func (*KAnonymity) Keys() []key.Binding {
	return []key.Binding{bind("+/-", "k of the lists", "+", "-", "=")}
}

// HandleKey changes the k whose violators are listed.
func (*KAnonymity) HandleKey(msg tea.KeyPressMsg, s State) Action {
	at := 0
	for i, k := range s.Scenario.K {
		if k == s.K {
			at = i
		}
	}
	switch msg.String() {
	case "+", "=", "down", "j":
		at = min(at+1, len(s.Scenario.K)-1)
	case "-", "up", "k":
		at = max(0, at-1)
	default:
		return nil
	}
	if len(s.Scenario.K) == 0 {
		return nil
	}
	return SetK{s.Scenario.K[at]}
}

// View draws one line per k of the scenario, then the violators under the
// conservative and the own-category rule.
func (*KAnonymity) View(s State, width, height int, _ bool) string {
	now, before := s.Current.Assessment, s.Original.Assessment
	if len(s.Scenario.Keys) == 0 {
		return sentence(s, "Violators are counted as soon as key variables are chosen.", width, height)
	}
	if now == nil || before == nil {
		return sentence(s, "counting …", width, height)
	}
	lines := []string{s.Theme.Heading.Render(Fit(FitRight("k", 4)+FitRight("violators", 20)+FitRight("original", 21), width))}
	for i, v := range now.Violators {
		lines = append(lines, violatorRow(s, v, before.Violators[i], width))
	}
	if v, ok := violatorsOf(now, s.K); ok {
		lines = append(lines, "", stale(s, s.Theme.Faint.Render)(Fit(fmt.Sprintf(" k = %d, read in other ways", s.K), width)))
		b, _ := violatorsOf(before, s.K)
		lines = append(lines, ruleRow(s, "conservative", v.Conservative, b.Conservative, width),
			ruleRow(s, "own category", v.OwnCategory, b.OwnCategory, width))
	}
	if history := violatorHistory(s); len(history) > 1 && height >= len(lines)+2 {
		lines = append(lines, "", s.Theme.Faint.Render(Fit(" history  ", 10))+s.Theme.Bar.Render(Fit(Sparkline(history), max(0, width-10))))
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

func violatorRow(s State, now, before risk.Violators, width int) string {
	n := s.Current.Data.Len()
	text := FitRight(Count(now.Count), 11) + FitRight(Percent(now.Count, n), 9)
	original := FitRight("("+Count(before.Count), 11) + FitRight(Percent(before.Count, n)+")", 10)
	mark := " "
	if now.K == s.K {
		mark = "▸"
	}
	style := riskStyle(s.Theme, now.Count, n)
	return s.Theme.Strong.Render(Fit(mark+FitRight(fmt.Sprint(now.K), 3), 4)) + stale(s, style)(text) +
		s.Theme.Faint.Render(Fit(original, max(0, width-24)))
}

// riskStyle returns green for none, amber up to one record in ten, red above.
func riskStyle(theme *Theme, violators, records int) func(...string) string {
	switch {
	case violators == 0:
		return theme.Low.Render
	case 10*violators <= records:
		return theme.Middle.Render
	default:
		return theme.High.Render
	}
}

func ruleRow(s State, rule string, now, before, width int) string {
	text := Fit("   "+rule, 16) + FitRight(Count(now), 8) + " "
	return stale(s, s.Theme.Plain.Render)(text) + s.Theme.Faint.Render(Fit(" ("+Count(before)+")", max(0, width-25)))
}

// violatorHistory returns the violators of the screen's k, first in the
// original data, then after every step that stands.
func violatorHistory(s State) []float64 {
	if s.Original.Assessment == nil {
		return nil
	}
	first, ok := violatorsOf(s.Original.Assessment, s.K)
	if !ok {
		return nil
	}
	history := []float64{float64(first.Count)}
	for _, step := range s.Steps[:min(s.Position, len(s.Steps))] {
		if step.Violators >= 0 {
			history = append(history, float64(step.Violators))
		}
	}
	return history
}

// Figures explains the violators under each rule.
func (*KAnonymity) Figures(s State) []Figure {
	if s.Current.Assessment == nil || s.Original.Assessment == nil {
		return nil
	}
	n := s.Current.Data.Len()
	var figures []Figure
	for _, v := range s.Current.Assessment.Violators {
		figures = append(figures, Figure{
			Name:  fmt.Sprintf("Violators of %d-anonymity", v.K),
			Value: Count(v.Count) + " records, " + Percent(v.Count, n),
			Definition: fmt.Sprintf("Records whose key, their combination of values on the key variables, occurs fewer than %d times in the file. "+
				"How missing values count is said by the rule %s of the scenario.", v.K, s.Scenario.Rule),
			Formula: "number of records with f < k",
			Values: []string{fmt.Sprintf("rule %s, alpha %v: %s", s.Scenario.Rule, s.Scenario.Alpha, Count(v.Count)),
				"rule conservative (a blank protects nobody else): " + Count(v.Conservative),
				"rule own category (only identical keys count): " + Count(v.OwnCategory)},
			Source: "Samarati and Sweeney 1998; SDC practice guide, Measuring risk",
		})
	}
	return figures
}
