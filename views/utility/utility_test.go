package utility

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// The figures of a row have the same decimals in all states.
func TestStatesHaveTheSameDecimals(t *testing.T) {
	s := viewtest.SurveyAt(t, 2)
	s.Tree = []views.Node{{ID: 0, Stands: true}, {ID: 1, Position: 1, Stands: true, Current: true}}
	small := slices.Clone(s.Current.Figures)
	for i := range small {
		numbers := slices.Clone(small[i].Values.Numbers)
		for j := range numbers {
			if numbers[j].Unit == measure.Amount {
				numbers[j].Number = 0.8291
			}
		}
		small[i].Values.Numbers = numbers
	}
	s.StepFigures = map[int]measure.Set{0: s.Original.Figures, 1: small}
	for line := range strings.SplitSeq(ansi.Strip(NewUtility().View(s, 120, 30, true)), "\n") {
		if !strings.Contains(line, "re-id") {
			continue
		}
		decimals := map[int]bool{}
		for _, figure := range regexp.MustCompile(`\d\.\d+`).FindAllString(line, -1) {
			decimals[len(figure)] = true
		}
		if len(decimals) != 1 {
			t.Errorf("%q", line)
		}
	}
}

// The figures of a column have the same decimals for all candidates.
func TestCandidatesHaveTheSameDecimals(t *testing.T) {
	id := views.FigureID{Measure: "risk", Name: "expected_reidentifications"}
	candidate := func(number float64) views.Trial {
		return views.Trial{Figures: measure.Set{{Spec: measure.Spec{Name: id.Measure}, Values: measure.Values{
			Numbers: []measure.Value{{Name: id.Name, Unit: measure.Amount, Number: number}}}}}}
	}
	texts := trialTexts([]views.Trial{candidate(1.62), {}, candidate(0.469)}, []views.FigureID{id})
	if got := slices.Concat(texts...); !slices.Equal(got, []string{"1.62", measure.Unknown, "0.47"}) {
		t.Errorf("%q", got)
	}
}
