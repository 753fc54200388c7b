package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// Dimensions of a picture in its own units; it is scaled to the width of the page.
const (
	pictureWidth = 400
	labelWidth   = 130
	barWidth     = 200
	rowHeight    = 14
	planeHeight  = 300
	margin       = 40
)

// fills distinguish series without colours: filled and outlined.
var fills = [...]string{`fill="#1f4e8c" stroke="#1f4e8c"`, `fill="#fff" stroke="#1a1a1a"`}

// svg returns the picture with its text alternatives.
func (p *Picture) svg(id string) string {
	body, height := p.bars()
	if p.Kind == Points {
		body, height = p.plane()
	}
	return fmt.Sprintf("<svg role=\"img\" aria-labelledby=\"%[1]s-title %[1]s-what\" "+
		"viewBox=\"0 0 %[2]d %[3]d\" font-size=\"11\" font-family=\"sans-serif\"><title id=\"%[1]s-title\">%[4]s</title>"+
		"<desc id=\"%[1]s-what\">%[5]s</desc>%[6]s</svg>", id, pictureWidth, height, escaped(p.Title),
		escaped(p.Description), body)
}

// written returns a text element at a position.
func written(x, y float64, anchor, text string) string {
	return fmt.Sprintf(`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y, anchor, escaped(text))
}

// shortened cuts a label that is too long.
func shortened(label string) string {
	const most = 20
	if label = plain(label); utf8.RuneCountInString(label) <= most {
		return label
	}
	return string([]rune(label)[:most-1]) + "…"
}

// largest returns the largest value of a series, or 1 if none is above 0.
func (p *Picture) largest(series int) float64 {
	top := 0.0
	for _, values := range p.Values {
		if values[series] > top { // false for NaN
			top = values[series]
		}
	}
	if top == 0 {
		return 1
	}
	return top
}

// bars draws a legend, and a bar for each value, grouped by label.
func (p *Picture) bars() (body string, height int) {
	var out strings.Builder
	top, y := 0.0, 4
	bar := func(series int, width float64) {
		fmt.Fprintf(&out, `<rect x="%d" y="%d" width="%.1f" height="%d" %s/>`, labelWidth, y, width, rowHeight-4,
			fills[series%len(fills)])
	}
	for i, name := range p.Series {
		bar(i, rowHeight)
		out.WriteString(written(labelWidth+rowHeight+6, float64(y+rowHeight-5), "start", name))
		top, y = max(top, p.largest(i)), y+rowHeight
	}
	for i, label := range p.Labels {
		y += rowHeight / 2
		out.WriteString(written(labelWidth-6, float64(y+rowHeight-5), "end", shortened(label)))
		for series, value := range p.Values[i] {
			width, text := barWidth*value/top, wording.Value(value)
			if math.IsNaN(value) {
				width, text = 0, "not available"
			}
			bar(series, width)
			out.WriteString(written(labelWidth+4+width, float64(y+rowHeight-5), "start", text))
			y += rowHeight
		}
	}
	return out.String(), y + 4
}

// plane draws points between two axes that begin at 0, joined by a line in order. Labels that would overlap are
// merged.
func (p *Picture) plane() (body string, height int) {
	var out strings.Builder
	right, bottom := float64(pictureWidth-margin), float64(planeHeight-margin)
	fmt.Fprintf(&out, `<path d="M%d 20V%.0fH%.0f" fill="none" stroke="#1a1a1a"/>`, margin, bottom, right)
	out.WriteString(written((margin+right)/2, bottom+30, "middle", p.Series[0]) + written(4, 9, "start", p.Series[1]) +
		written(margin, bottom+14, "middle", "0") + written(right, bottom+14, "middle", wording.Value(p.largest(0))) +
		written(margin-4, bottom+4, "end", "0") + written(margin-4, 34, "end", wording.Value(p.largest(1))))
	var labels []label
	line := ""
	for i, text := range p.Labels {
		x := margin + (right-margin)*p.Values[i][0]/p.largest(0)
		y := bottom - (bottom-30)*p.Values[i][1]/p.largest(1)
		line += fmt.Sprintf("%c%.1f %.1f", "ML"[min(i, 1)], x, y)
		fmt.Fprintf(&out, `<circle cx="%.1f" cy="%.1f" r="4" %s/>`, x, y, fills[0])
		labels = placed(labels, label{x, y - 8, shortened(text)})
	}
	fmt.Fprintf(&out, `<path d="%s" fill="none" stroke="#767676"/>`, line)
	for _, l := range labels {
		if l.x+l.width() > pictureWidth {
			out.WriteString(written(pictureWidth, l.y, "end", l.text))
		} else {
			out.WriteString(written(l.x, l.y, "start", l.text))
		}
	}
	return out.String(), planeHeight
}

// label is a text in a plane with its left end at x and its baseline at y.
type label struct {
	x, y float64
	text string
}

// width returns the approximate width of the text in picture units.
func (l label) width() float64 { return 6.5 * float64(utf8.RuneCountInString(l.text)) }

// overlaps reports whether two labels would be unreadable.
func (l label) overlaps(other label) bool {
	const lineHeight = 12
	left, otherLeft := min(l.x, pictureWidth-l.width()), min(other.x, pictureWidth-other.width())
	return math.Abs(l.y-other.y) < lineHeight && left < otherLeft+other.width() && otherLeft < left+l.width()
}

// placed adds a label, merged with those that it overlaps at the position of the first.
func placed(labels []label, added label) []label {
	for i, other := range labels {
		if other.overlaps(added) {
			other.text = merged(other.text, added.text)
			return placed(slices.Delete(labels, i, i+1), other)
		}
	}
	return append(labels, added)
}

// merged joins two labels: "1, 2", or "1–3" for consecutive steps.
func merged(one, other string) string {
	before, last := "", one
	if i := strings.LastIndex(one, ", "); i >= 0 {
		before, last = one[:i+2], one[i+2:]
	}
	first, end, ranged := strings.Cut(last, "–")
	if !ranged {
		end = first
	}
	a, err := strconv.Atoi(end)
	b, wrong := strconv.Atoi(other)
	if err != nil || wrong != nil || b != a+1 {
		return one + ", " + other
	}
	return before + first + "–" + other
}
