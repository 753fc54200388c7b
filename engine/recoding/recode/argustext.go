package recode

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// ArgusText returns the recode file of mu-Argus (.grc) that makes of the source
// values of a column what all recodes so far have made of them. Codes of whole
// numbers that are neighbours are written as ranges; those of intervals have the
// ends of the interval, the first and the last none, so that they hold for other
// files too. Codes that stay what they are have no line. Values that became
// missing get the first missing code of the variable; where it has none, or
// where missing values joined a category, it is an error that wraps
// method.ErrInput, as it is where nothing was recoded or the values were changed
// record by record.
func ArgusText(column *microdata.Column) (string, error) {
	c, err := composedOf(column)
	if err != nil {
		return "", err
	}
	if c.now[0] != 0 {
		return "", fmt.Errorf("%w: missing values of %q joined a category, which a recode file of mu-Argus cannot "+
			"say", method.ErrInput, column.Name())
	}
	file := &muargus.Recode{}
	missing := column.Source().Described().Missing
	all := c.parts()
	for code, level := range c.levels {
		parts := labelsOf(all[code+1])
		if len(parts) == 0 || len(parts) == 1 && parts[0] == level.Label {
			continue
		}
		file.Rules = append(file.Rules, c.argusRule(uint32(code+1), level.Label, parts, missing))
	}
	if gone := labelsOf(all[0]); len(gone) > 0 {
		said := column.Described()
		if len(said.Missing) == 0 {
			return "", fmt.Errorf("%w: %s of %q become missing and the variable has no missing code to send them to",
				method.ErrInput, wording.Counted(len(gone), "code"), column.Name())
		}
		file.Rules = append(file.Rules, c.argusRule(0, said.Missing[0], gone, missing))
	}
	if len(file.Rules) == 0 {
		return "", fmt.Errorf("%w: %q was not recoded", method.ErrInput, column.Name())
	}
	bad := func(code string) bool { return code == "" || strings.ContainsAny(code, "\"\r\n") } // it cannot be read back
	if slices.ContainsFunc(file.Rules, func(rule muargus.Rule) bool {
		return bad(rule.New) || slices.ContainsFunc(rule.Sources,
			func(s muargus.Source) bool { return bad(s.Low + s.High) })
	}) {
		return "", fmt.Errorf("%w: a category of %q has a quote or a line break in its name, which a recode file of "+
			"mu-Argus cannot say; rename it",
			method.ErrInput, column.Name())
	}
	return file.Text(), nil
}

// argusRule sends the codes that have become a level, the sources, to its code:
// whole numbers that are neighbours by a range.
func (c *composed) argusRule(level uint32, code string, sources, missing []string) muargus.Rule {
	rule := muargus.Rule{New: strings.TrimSpace(code)}
	if ranges, ok := c.rangesOf(level, missing); ok {
		rule.Sources = ranges
		return rule
	}
	for _, source := range sources {
		source = strings.TrimSpace(source)
		rule.Sources = append(rule.Sources, muargus.Source{Low: source, High: source})
	}
	return rule
}

// run is a row of neighbouring codes of whole numbers that have become one.
type run struct {
	low, high     string  // its lowest and highest code
	before, after float64 // the nearest codes of other levels; without one they are infinite
}

// runs returns the codes that have become a code in rows of neighbours; ok is false where codes are not whole numbers
// from 0 that stand as texts in the order of the numbers.
func (c *composed) runs(code uint32) (runs []run, ok bool) {
	last, other, open := math.Inf(-1), math.Inf(-1), false
	for i, level := range c.from.Categories().Levels {
		value, whole := plainWhole(level)
		if !whole || value <= last {
			return nil, false
		}
		last = value
		switch now := c.now[i+1]; {
		case now != code:
			if open {
				runs[len(runs)-1].after = value
			}
			other, open = value, false
		case open:
			runs[len(runs)-1].high = level.Label
		default:
			runs, open = append(runs, run{level.Label, level.Label, other, math.Inf(1)}), true
		}
	}
	return runs, true
}

// plainWhole reads a label that is a whole number from 0, written without sign
// and leading zeros; a code of a category can be one too.
func plainWhole(level microdata.Level) (value float64, ok bool) {
	label := level.Label
	if label == "" || strings.Trim(label, "0123456789") != "" || label != "0" && label[0] == '0' {
		return 0, false
	}
	return microdata.LabelNumber(label), true
}

// rangesOf returns the sources that send the codes of a level to it: ranges,
// where they are neighbours. Those of an interval have its ends, and at the ends
// of the variable none, so that values that other files have are sent too.
func (c *composed) rangesOf(code uint32, missing []string) (sources []muargus.Source, ok bool) {
	runs, ok := c.runs(code)
	if !ok || len(runs) == 0 {
		return nil, false
	}
	wide := func(level microdata.Level) bool {
		s, ok := level.Span()
		return ok && s.Lower < s.Upper
	}
	interval := code > 0 && wide(c.levels[code-1]) || code == 0 && slices.ContainsFunc(c.levels, wide)
	for _, r := range runs {
		source := muargus.Source{Low: r.low, High: r.high}
		if interval {
			source.Low, source.High = c.ends(code, r, missing)
		}
		source.Range = source.Low != source.High
		sources = append(sources, source)
	}
	return sources, true
}

// ends returns the ends of a row of codes that have become an interval; "" for
// none. They are those of the interval where no code of another level and no
// missing code stands there; a row of all codes keeps its own.
func (c *composed) ends(code uint32, r run, missing []string) (low, high string) {
	if low, high = r.low, r.high; math.IsInf(r.before, -1) && math.IsInf(r.after, 1) {
		return low, high
	}
	if code > 0 {
		s, _ := c.levels[code-1].Span()
		from, to := math.Ceil(s.Lower), math.Floor(s.Upper)
		if s.Open {
			from = math.Floor(s.Lower) + 1
		}
		widen := func(end float64, label *string) {
			text := strconv.FormatFloat(end, 'f', -1, 64)
			if end >= 0 && end <= method.MostWhole && !slices.Contains(missing, text) {
				*label = text
			}
		}
		if from <= microdata.LabelNumber(r.low) && to >= microdata.LabelNumber(r.high) {
			if r.before < from {
				widen(from, &low)
			}
			if r.after > to {
				widen(to, &high)
			}
		}
	}
	switch {
	case math.IsInf(r.before, -1):
		low = ""
	case math.IsInf(r.after, 1):
		high = ""
	}
	return low, high
}
