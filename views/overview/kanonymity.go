package overview

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// KAnonymity is the pane of violators of k-anonymity: the records that share their key pattern with fewer than k-1
// others, now and in the original.
type KAnonymity struct {
	views.TablePane
	now, before views.Cache[views.AssessmentAt, []float64]
}

// NewKAnonymity returns the pane of violators.
func NewKAnonymity() *KAnonymity {
	p := &KAnonymity{TablePane: views.TablePane{PaneID: "k-anonymity", Heading: "k-anonymity", Risk: true,
		Keyless: "Choose key variables to count the violators."}}
	p.Content, p.Explained = p.table, p.explain
	p.Move = draw.Bind("+/-", "change k", append(views.KeyRows().Keys(), "+", "-", "=")...)
	p.Actions = func() []views.KeyAction {
		return []views.KeyAction{views.Presses("", "", p.raise, "+", "-", "=")}
	}
	return p
}

// raise changes the k of the screen by one; it need not be a k of the scenario.
func (p *KAnonymity) raise(msg tea.KeyPressMsg, s views.State) draw.Action {
	if key.Matches(msg, draw.Bind("", "", "-")) {
		return views.SetK{K: max(2, s.K-1)}
	}
	return views.SetK{K: min(s.K+1, highestK)}
}

// highestK is the largest k of the screen.
const highestK = 999

// counts returns the violators of every listed k, now and in the original: the ks of the scenario and that of the
// screen. If the scenario does not count the latter, its violators under the other rules are unknown.
func (p *KAnonymity) counts(s views.State) (now, before []risk.Violators) {
	ofNow, ofBefore := p.curves(s)
	return withK(s.Current.Assessment, s.K, ofNow), withK(s.Original.Assessment, s.K, ofBefore)
}

// withK returns the violators of an assessment, with those of one more k inserted from their curve.
func withK(a *risk.Assessment, k int, curve []float64) []risk.Violators {
	if _, counted := views.ViolatorsOf(a, k); counted {
		return a.Violators
	}
	all := append(slices.Clone(a.Violators), risk.Violators{K: k, Count: int(curve[k-2])})
	slices.SortStableFunc(all, func(x, y risk.Violators) int { return x.K - y.K })
	return all
}

// table has one row per k. Below are the violators under the conservative and the own-category rule, and the
// history.
func (p *KAnonymity) table(s views.State, width int) draw.Table {
	now, before := s.Current.Assessment, s.Original.Assessment
	if len(before.Violators) != len(now.Violators) {
		return draw.Table{Instead: s.Waiting()}
	}
	violators, originally := p.counts(s)
	counts, originals := violatorTexts(violators, originally, now.Records, width-6)
	return draw.Table{
		Columns: []draw.Column{
			{Head: "k", Kind: draw.Values, Size: 3, Most: 3},
			{Head: "violators", Kind: draw.Counts},
			{Head: "original", Kind: draw.Counts, Rank: 1},
		},
		Rows: len(counts), Close: true, Colours: true,
		Row: func(row int) []draw.Cell {
			v := violators[row]
			return []draw.Cell{{Text: strconv.Itoa(v.K), Style: &s.Strong},
				{Text: counts[row], Style: views.RiskStyle(s.Theme, v.Count, now.Records)},
				{Text: originals[row], Style: &s.Faint}}
		},
		Foot: func(width, height int) []string {
			lines := otherRules(s, width, height)
			lines = append(lines, historyLines(s, width, height-len(lines))...)
			return append(lines, p.curveLines(s, width, height-len(lines))...)
		},
		Follows: true, Selected: slices.IndexFunc(violators, func(v risk.Violators) bool { return v.K == s.K }),
		Choose: func(row int) draw.Action { return views.SetK{K: violators[row].K} },
	}
}

// violatorTexts spells counts and percents of violators, "113  2.5 %" and
// "(653  14.3 %)", shorter where width is less than both take.
func violatorTexts(now, before []risk.Violators, records, width int) (counts, originals []string) {
	shares := make([]float64, 0, 2*len(now))
	for _, v := range slices.Concat(now, before) {
		shares = append(shares, float64(v.Count)/float64(records))
	}
	percents := wording.Percents(shares...)
	texts := func(violators []risk.Violators, gap string, percents []string) (texts []string) {
		number, percent := 5, 0
		for i, v := range violators {
			number, percent = max(number, draw.Width(draw.Count(v.Count))), max(percent, draw.Width(percents[i]))
		}
		for i, v := range violators {
			texts = append(texts, draw.FitRight(draw.Count(v.Count), number)+gap+draw.FitRight(percents[i], percent))
		}
		return texts
	}
	for _, form := range []struct {
		gap      string
		percents []string
	}{{"  ", percents}, {" ", percents}, {"", make([]string, len(percents))}} {
		counts = texts(now, form.gap, form.percents[:len(now)])
		originals = texts(before, form.gap, form.percents[len(now):])
		fits := true
		for i := range originals {
			text := strings.TrimLeft(originals[i], " ")
			originals[i] = strings.TrimPrefix(form.gap, " ") + strings.Repeat(" ", len(originals[i])-len(text)) + "(" + text +
				")"
			fits = draw.Width(counts[i])+1+draw.Width(originals[i]) <= width
		}
		if fits {
			break
		}
	}
	return counts, originals
}

// otherRules reports the violators of the screen's k under the other two rules, which show how much protection
// depends on missing values.
func otherRules(s views.State, width, height int) []string {
	v, ok := views.ViolatorsOf(s.Current.Assessment, s.K)
	b, _ := views.ViolatorsOf(s.Original.Assessment, s.K)
	if !ok {
		return nil
	}
	row := func(name, means string, now, before int) string {
		l := draw.NewLine(width, nil)
		l.Left(&s.Faint, "  "+name, 15)
		p := draw.Pair{Now: draw.Count(now), Original: draw.Count(before)}
		l.Pair(s.Theme, s.Fresh(views.RiskStyle(s.Theme, now, s.Records())), p,
			draw.PairSize{Now: max(7, draw.Width(p.Now)), Original: max(7, draw.Width(p.Original))})
		if draw.Width(means) <= l.Rest() {
			l.Text(&s.Faint, means)
		}
		return l.String()
	}
	lines := []string{
		s.Faint.Fit(fmt.Sprintf(" k = %d under other rules", s.K), width),
		row("conservative", "  missing values protect no complete record", v.Conservative, b.Conservative),
		row("own category", "  a missing value counts as a category", v.OwnCategory, b.OwnCategory),
	}
	if height > len(lines) {
		lines = append([]string{""}, lines...)
	}
	return lines
}

// explain explains the violators under each rule.
func (*KAnonymity) explain(s views.State) []views.Figure {
	e := s.Current.Figures.Find("kanonymity")
	if e == nil || s.Original.Figures == nil || s.Current.Assessment == nil {
		return nil
	}
	return views.ExplainedFrom(s.Original.Figures, e, func(v *measure.Value) bool { return v.K == s.K })
}
