package views

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// WhatIfFigures are the figures a dialog shows before anything is applied.
type WhatIfFigures struct {
	Asked   bool             // there is a step to ask about
	Pending bool             // the figures are those of an older question
	After   *risk.Assessment // nil: not known yet
	Need    *method.Suppression
	NeedK   int  // the k that Need is for; 0: not asked
	NeedOld bool // Need belongs to an older question
	Elapsed time.Duration
	Err     error  // why there are no figures
	Hint    string // what to do where nothing is asked
}

// WhatIfBlock draws the figures now and as they would be: a table where there
// is room for it, else three lines.
func WhatIfBlock(s State, w WhatIfFigures, width, height int) string {
	var lines []string
	switch {
	case w.Err != nil:
		lines = wrapped(s.Theme.Error.Render, w.Err.Error(), width)
	case !w.Asked:
		lines = wrapped(s.Theme.Faint.Render, w.Hint, width)
	case w.After == nil || s.Current.Assessment == nil:
		lines = []string{s.Theme.Faint.Render("counting …")}
	case height < 8:
		lines = w.short(s, width)
	default:
		lines = w.long(s, width)
	}
	return Exactly(strings.Join(lines, "\n"), width, height)
}

// long is the table of the wide form.
func (w *WhatIfFigures) long(s State, width int) []string {
	theme := s.Theme
	style := theme.Strong
	if w.Pending {
		style = theme.Faint
	}
	now := s.Current.Assessment
	lines := []string{theme.Heading.Render(Fit("violators", 12) + FitRight("now", 10) + FitRight("would be", 11))}
	for i, v := range w.After.Violators {
		before := now.Violators[min(i, len(now.Violators)-1)]
		lines = append(lines, theme.Plain.Render(Fit("  k = "+strconv.Itoa(v.K), 12)+FitRight(Count(before.Count), 10))+
			style.Render(FitRight(Count(v.Count), 11))+" "+trend(theme, float64(before.Count), float64(v.Count)))
	}
	if v, ok := violatorsOf(w.After, s.K); ok {
		before, _ := violatorsOf(now, s.K)
		lines = append(lines,
			w.row(theme, fmt.Sprintf("  k=%d conservative", s.K), Count(before.Conservative), Count(v.Conservative)),
			w.row(theme, fmt.Sprintf("  k=%d own category", s.K), Count(before.OwnCategory), Count(v.OwnCategory)))
	}
	lines = append(lines, "",
		w.amount(theme, "re-identifications", now.Expected, w.After.Expected))
	if now.Households != nil && w.After.Households != nil {
		lines = append(lines, w.amount(theme, "  of households", now.Households.Expected, w.After.Households.Expected))
	}
	lines = append(lines, "")
	lines = append(lines, w.need(theme, width)...)
	if w.Elapsed > 0 && !w.Pending {
		lines = append(lines, "", theme.Faint.Render(Duration(w.Elapsed)))
	}
	return lines
}

func (w *WhatIfFigures) row(theme *Theme, name, now, after string) string {
	style := theme.Plain
	if w.Pending {
		style = theme.Faint
	}
	return theme.Faint.Render(Fit(name, 25)) + style.Render(FitRight(now, 8)+FitRight(after, 9))
}

func (w *WhatIfFigures) amount(theme *Theme, name string, now, after float64) string {
	style := theme.Strong
	if w.Pending {
		style = theme.Faint
	}
	return theme.Plain.Render(Fit(name, 19)+FitRight(Amount(now), 8)+" → ") + style.Render(Amount(after)) + " " + trend(theme, now, after)
}

// need says what k-anonymity would take after the step.
func (w *WhatIfFigures) need(theme *Theme, width int) []string {
	if w.NeedK == 0 {
		return nil
	}
	if w.Need == nil {
		return []string{theme.Faint.Render(Fit(fmt.Sprintf("%d-anonymity would need …", w.NeedK), width))}
	}
	style := theme.Suppressed
	if w.NeedOld {
		style = theme.Faint
	}
	lines := wrapped(style.Render, w.needText(), width)
	var cells []string
	for _, c := range w.Need.Cells {
		if c.Count > 0 {
			cells = append(cells, Safe(c.Variable)+" "+Count(c.Count))
		}
	}
	if len(cells) == 0 {
		return lines
	}
	return append(lines, wrapped(theme.Faint.Render, strings.Join(cells, "  "), width)...)
}

func (w *WhatIfFigures) needText() string {
	text := fmt.Sprintf("%d-anonymity would need %s cells", w.NeedK, Count(w.Need.Total))
	if w.Need.Bound != nil {
		text += " (" + Count(*w.Need.Bound) + " at least)"
	}
	return text
}

// short is the form of three lines.
func (w *WhatIfFigures) short(s State, width int) []string {
	theme := s.Theme
	style := theme.Strong
	if w.Pending {
		style = theme.Faint
	}
	now := s.Current.Assessment
	var parts []string
	for i, v := range w.After.Violators {
		before := now.Violators[min(i, len(now.Violators)-1)]
		parts = append(parts, fmt.Sprintf("k%d %s → %s", v.K, Count(before.Count), Count(v.Count)))
	}
	lines := []string{
		style.Render(Fit(strings.Join(parts, "   "), width)),
		style.Render(Fit("re-identifications "+Amount(now.Expected)+" → "+Amount(w.After.Expected), width)),
	}
	if w.NeedK > 0 {
		text := fmt.Sprintf("%d-anonymity would need …", w.NeedK)
		if w.Need != nil {
			text = w.needText()
		}
		lines = append(lines, theme.Suppressed.Render(Fit(text, width)))
	}
	return lines
}

// trend draws by how much a figure falls or rises.
func trend(theme *Theme, now, after float64) string {
	switch {
	case now == after || now == 0 || math.IsNaN(after):
		return ""
	case after < now:
		return theme.Low.Render(fmt.Sprintf("▼ %.1f %%", 100*(now-after)/now))
	default:
		return theme.High.Render(fmt.Sprintf("▲ %.1f %%", 100*(after-now)/now))
	}
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

// wrapped breaks a text at blanks into lines of width cells at most.
func wrapped(render func(...string) string, text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && Width(line)+1+Width(word) > width {
			lines = append(lines, render(Fit(line, width)))
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, render(Fit(line, width)))
	}
	return lines
}
