package recoding

import (
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/utility/profile"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// TailPicture draws the distribution of a variable with the thresholds of top and bottom
// coding on it, nil where there is none: values beyond them in the colour of what
// changes. Thresholds are ends of parts, so that each bar lies on one side. It has at
// most height lines of width cells; nil where there is no room for a picture.
func TailPicture(s views.State, of *microdata.Column, t *profile.Tails, bottom, top *float64, width,
	height int) []string {
	const least = 3
	if len(t.Values) == 0 || height < least {
		return nil
	}
	for most := min(len(t.Values), height); most >= 1; most-- {
		p := &draw.CutPicture{Head: "up to", Unit: "records"}
		if p.Words = s.LabelsOf(of) != nil; p.Words {
			p.Head = "value" // those that are parts say so
		}
		cutTails(p, t, t.Parts(most, of.Kind() == microdata.Whole || !of.Numeric()),
			func(end float64) string { return tailLabel(s, of, t, end) }, bottom, top)
		if lines := p.Lines(s.Theme, width, height); lines != nil {
			return lines
		}
	}
	return nil
}

// tails makes the bars of parts that end somewhere, cut at the thresholds.
func cutTails(p *draw.CutPicture, t *profile.Tails, ends []float64, called func(end float64) string, bottom,
	top *float64) {
	p.Total, _ = t.All()
	low := t.Values[0].Value
	var under float64 // the greatest value below the bottom threshold
	cutBelow := false
	if bottom != nil {
		if under, cutBelow = t.Before(*bottom); cutBelow {
			ends = append(ends, under)
		}
	}
	if top != nil && *top >= low {
		ends = append(ends, *top)
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	before, lines := 0, 0 // records up to the end before; lines of thresholds that are drawn
	for i, end := range ends {
		upTo, _ := t.UpTo(end)
		bar := draw.CutBar{Label: called(end), Count: upTo - before}
		if p.Words && several(t, ends[:i], end) {
			bar.Label = "up to " + bar.Label
		}
		bar.Beyond = top != nil && end > *top || cutBelow && end <= under
		if cutBelow && i > 0 && ends[i-1] == under {
			bar.Cut, lines = "below "+called(*bottom), lines+1
		}
		if top != nil && i > 0 && ends[i-1] == *top {
			bar.Cut, lines = "above "+called(*top), lines+1
		}
		p.Bars, before = append(p.Bars, bar), upTo
	}
	switch {
	case top != nil && *top < low:
		p.Bars[0].Cut = "above " + called(*top)
		for i := range p.Bars {
			p.Bars[i].Beyond = true
		}
	case top != nil && ends[len(ends)-1] == *top:
		p.Bars[len(p.Bars)-1].Under = "above " + called(*top)
	}
}

// several reports whether a part that ends somewhere, behind other parts, has more than
// one value.
func several(t *profile.Tails, before []float64, end float64) bool {
	last, _ := t.Before(math.Nextafter(end, math.Inf(1)))
	other, ok := t.Before(last)
	return ok && (len(before) == 0 || other > before[len(before)-1])
}

// tailLabel names an end: the number, or the category that is the last up to it.
func tailLabel(s views.State, of *microdata.Column, t *profile.Tails, end float64) string {
	if of.Numeric() {
		return draw.Safe(draw.Shortened(s.WithCodeLabel(of, method.FormatNumber(end))))
	}
	label := t.Values[0].Label
	for _, v := range t.Values {
		if v.Value <= end {
			label = v.Label
		}
	}
	return draw.Safe(draw.Shortened(s.WithCodeLabel(of, label)))
}
