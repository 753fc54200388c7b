package views

import (
	"charm.land/lipgloss/v2"

	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// violatorForm is how counts and percents of violators are spelled: as UI.md
// of every figure, "113  2.467 %  (653  14.258 %)", shorter where it is narrow.
type violatorForm struct {
	records                         int
	count, percent, before, beforeP int // cells of each part; 0: left out
	apart                           int // blanks between parts
	spell                           func(part, whole int) string
}

// newViolatorForm fits the four parts into a width.
func newViolatorForm(now, before []risk.Violators, records, width int) violatorForm {
	f := violatorForm{records: records, count: 5, before: 5}
	percent := func(spell func(part, whole int) string) (share, shareBefore int) {
		for i := range now {
			share, shareBefore = max(share, Width(spell(now[i].Count, records))), max(shareBefore, Width(spell(before[i].Count, records)))
		}
		return share, shareBefore
	}
	for i := range now {
		f.count, f.before = max(f.count, Width(Count(now[i].Count))), max(f.before, Width(Count(before[i].Count)))
	}
	for _, spell := range []func(part, whole int) string{Percent, Share} {
		f.spell = spell
		f.percent, f.beforeP = percent(spell)
		for f.apart = 2; f.apart > 0; f.apart-- {
			if f.size() <= width {
				return f
			}
		}
	}
	f.apart = 1
	if f.beforeP = 0; f.size() > width {
		f.percent = 0
	}
	if f.size() > width {
		f.before = 0
		f.count = max(f.count, min(width, len("violators")))
	}
	return f
}

func (f violatorForm) size() int {
	size := f.count
	if f.percent > 0 {
		size += f.apart + f.percent
	}
	if f.before > 0 {
		size += f.apart + 2 + f.before
	}
	if f.beforeP > 0 {
		size += f.apart + f.beforeP
	}
	return size
}

// put appends the parts of one line.
func (f violatorForm) put(l *line, theme *Theme, style *lipgloss.Style, now, before int) {
	l.number(style, Count(now), f.count)
	if f.percent > 0 {
		l.gap(f.apart)
		l.right(style, f.spell(now, f.records), f.percent)
	}
	if f.before == 0 {
		return
	}
	text := "(" + Count(before)
	l.gap(f.apart)
	if f.beforeP == 0 {
		l.right(&theme.Faint, text+")", f.before+2)
		return
	}
	l.right(&theme.Faint, text, f.before+1)
	l.gap(f.apart)
	l.right(&theme.Faint, f.spell(before, f.records)+")", f.beforeP+1)
}

// violatorsOf returns the violators of a k that the scenario counts.
func violatorsOf(a *risk.Assessment, k int) (risk.Violators, bool) {
	for _, v := range a.Violators {
		if v.K == k {
			return v, true
		}
	}
	return risk.Violators{}, false
}
