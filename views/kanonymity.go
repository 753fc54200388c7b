package views

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
)

// KAnonymity is the pane of violators: how many records share their key with
// fewer than k-1 others, now and in the original data.
type KAnonymity struct {
	tablePane
	now, before memo[assessmentAt, []float64]
	listed      memo[listedK, [2][]risk.Violators]
}

// listedK is what decides which k are listed, and their counts.
type listedK struct {
	now, before *risk.Assessment
	k           int
}

// NewKAnonymity returns the pane of violators.
func NewKAnonymity() *KAnonymity {
	p := &KAnonymity{tablePane: tablePane{id: "k-anonymity", title: "k-anonymity", risk: true}}
	p.content = p.table
	p.move = bind("+/-", "k of the lists", append(keyRows().Keys(), "+", "-", "=")...)
	p.acts = func() []act { return []act{{bind("", "", "+", "-", "="), p.raise}} }
	return p
}

// raise changes the k whose violators are listed, by one: it may be any.
func (p *KAnonymity) raise(msg tea.KeyPressMsg, s State) Action {
	if key.Matches(msg, bind("", "", "-")) {
		return SetK{max(2, s.K-1)}
	}
	return SetK{min(s.K+1, highestK)}
}

// highestK is the largest k of the screen.
const highestK = 999

// counts returns the violators of every k that is listed, now and in the original:
// those of the scenario, and that of the screen, of which the other rules are not
// known where the scenario does not count it.
func (p *KAnonymity) counts(s State) (now, before []risk.Violators) {
	a, b := s.Current.Assessment, s.Original.Assessment
	both := p.listed.look(listedK{a, b, s.K}, func() [2][]risk.Violators {
		return [2][]risk.Violators{withK(a, s.K), withK(b, s.K)}
	})
	return both[0], both[1]
}

// withK returns the violators of an assessment with those of one more k in its
// place.
func withK(a *risk.Assessment, k int) []risk.Violators {
	if _, counted := violatorsOf(a, k); counted {
		return a.Violators
	}
	all := append(slices.Clone(a.Violators), risk.Violators{K: k, Count: a.Table().Violators(a.KeyFrequencies(), k)})
	slices.SortStableFunc(all, func(x, y risk.Violators) int { return x.K - y.K })
	return all
}

// table has one row per k of the scenario; under them stand the violators under
// the conservative and the own-category rule, and the history.
func (p *KAnonymity) table(s State, width int) Table {
	now, before := s.Current.Assessment, s.Original.Assessment
	switch {
	case len(s.keys()) == 0:
		return Table{Instead: "Violators are counted as soon as key variables are chosen."}
	case now == nil || before == nil || len(before.Violators) != len(now.Violators):
		return Table{Instead: s.waiting()}
	}
	violators, originally := p.counts(s)
	counts, originals := violatorTexts(violators, originally, now.Records, width-6)
	return Table{
		Columns: []Column{
			{Head: "k", Kind: Values, Size: 3, Most: 3},
			{Head: "violators", Kind: Counts},
			{Head: "original", Kind: Counts, Rank: 1},
		},
		Rows: len(counts), Close: true, Colours: true,
		Row: func(row int) []Cell {
			v := violators[row]
			return []Cell{{Text: strconv.Itoa(v.K), Style: &s.Theme.Strong}, {Text: counts[row], Style: riskStyle(s.Theme, v.Count, now.Records)},
				{Text: originals[row], Style: &s.Theme.Faint}}
		},
		Foot: func(width, height int) []string {
			lines := otherRules(s, width, height)
			lines = append(lines, historyLines(s, width, height-len(lines))...)
			return append(lines, p.curveLines(s, width, height-len(lines))...)
		},
		Follows: true, Selected: slices.IndexFunc(violators, func(v risk.Violators) bool { return v.K == s.K }),
		Choose: func(row int) Action { return SetK{violators[row].K} },
	}
}

// violatorTexts spells counts and percents of violators, "113  2.467 %" and
// "(653  14.258 %)", shorter where width is less than both take.
func violatorTexts(now, before []risk.Violators, records, width int) (counts, originals []string) {
	texts := func(violators []risk.Violators, gap string, spell func(part, whole int) string) (texts []string) {
		number, percent := 5, 0
		for _, v := range violators {
			number, percent = max(number, Width(Count(v.Count))), max(percent, Width(spell(v.Count, records)))
		}
		for _, v := range violators {
			texts = append(texts, FitRight(Count(v.Count), number)+gap+FitRight(spell(v.Count, records), percent))
		}
		return texts
	}
	for _, form := range []struct {
		gap   string
		spell func(part, whole int) string
	}{{"  ", wording.Percent}, {" ", wording.Percent}, {" ", Share}, {"", func(int, int) string { return "" }}} {
		counts, originals = texts(now, form.gap, form.spell), texts(before, form.gap, form.spell)
		fits := true
		for i := range originals {
			text := strings.TrimLeft(originals[i], " ")
			originals[i] = strings.TrimPrefix(form.gap, " ") + strings.Repeat(" ", len(originals[i])-len(text)) + "(" + text + ")"
			fits = Width(counts[i])+1+Width(originals[i]) <= width
		}
		if fits {
			break
		}
	}
	return counts, originals
}

// otherRules counts the violators of the screen's k under the two rules that
// say how much of the protection rests on blanks.
func otherRules(s State, width, height int) []string {
	v, ok := violatorsOf(s.Current.Assessment, s.K)
	b, _ := violatorsOf(s.Original.Assessment, s.K)
	if !ok {
		return nil
	}
	row := func(name string, now, before int) string {
		l := newLine(width, nil)
		l.left(&s.Theme.Faint, "  "+name, 15)
		p := pair{Count(now), Count(before)}
		l.pair(s.Theme, s.Fresh(riskStyle(s.Theme, now, s.records())), p, pairSize{max(7, Width(p.now)), max(7, Width(p.original))})
		return l.String()
	}
	lines := []string{
		s.Theme.Faint.Render(Fit(fmt.Sprintf(" k = %d under other rules", s.K), width)),
		row("conservative", v.Conservative, b.Conservative),
		row("own category", v.OwnCategory, b.OwnCategory),
	}
	if height > len(lines) {
		lines = append([]string{""}, lines...)
	}
	return lines
}

// Figures explains the violators under each rule.
func (*KAnonymity) Figures(s State) []Figure {
	e := s.Current.Figures.Find("kanonymity")
	if e == nil || s.Original.Figures == nil || s.Current.Assessment == nil {
		return inapplicableFigures(s)
	}
	return explainedFrom(s.Original.Figures, e, func(v *measure.Value) bool { return v.K == s.K })
}
