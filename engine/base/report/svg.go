package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Widths of a picture, in its own units: it is as wide as the page lets it be.
const (
	pictureWidth = 400
	labelWidth   = 130
	barWidth     = 200
	rowHeight    = 14
	planeHeight  = 300
	margin       = 40
)

// fills tell series apart without colours: full, and only the outline.
var fills = [...]string{`fill="#1f4e8c" stroke="#1f4e8c"`, `fill="#fff" stroke="#1a1a1a"`}

// svg returns the picture with its texts for those who do not see it.
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

// written returns a text at a place.
func written(x, y float64, anchor, text string) string {
	return fmt.Sprintf(`<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`, x, y, anchor, escaped(text))
}

// shortened returns the beginning of a label that has no room.
func shortened(label string) string {
	const most = 20
	if label = plain(label); utf8.RuneCountInString(label) <= most {
		return label
	}
	return string([]rune(label)[:most-1]) + "…"
}

// largest returns the largest value of a series; 1 where none is above 0.
func (p *Picture) largest(series int) float64 {
	top := 0.0
	for _, values := range p.Values {
		top = max(top, values[series])
	}
	if top == 0 {
		return 1
	}
	return top
}

// bars draws a bar for each value, those of a label together; the legend first.
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
			bar(series, barWidth*value/top)
			out.WriteString(written(labelWidth+4+barWidth*value/top, float64(y+rowHeight-5), "start", amount(value)))
			y += rowHeight
		}
	}
	return out.String(), y + 4
}

// plane draws points with their labels between two axes from 0.
func (p *Picture) plane() (body string, height int) {
	var out strings.Builder
	right, bottom := float64(pictureWidth-margin), float64(planeHeight-margin)
	fmt.Fprintf(&out, `<path d="M%d 20V%.0fH%.0f" fill="none" stroke="#1a1a1a"/>`, margin, bottom, right)
	out.WriteString(written((margin+right)/2, bottom+30, "middle", p.Series[0]) + written(4, 9, "start", p.Series[1]) +
		written(margin, bottom+14, "middle", "0") + written(right, bottom+14, "middle", amount(p.largest(0))) +
		written(margin-4, bottom+4, "end", "0") + written(margin-4, 34, "end", amount(p.largest(1))))
	for i, label := range p.Labels {
		x := margin + (right-margin)*p.Values[i][0]/p.largest(0)
		y := bottom - (bottom-30)*p.Values[i][1]/p.largest(1)
		fmt.Fprintf(&out, `<circle cx="%.1f" cy="%.1f" r="4" %s/>`, x, y, fills[0])
		out.WriteString(written(x+6, y-6, "start", shortened(label)))
	}
	return out.String(), planeHeight
}

// amount spells a number of a picture.
func amount(x float64) string { return fmt.Sprintf("%.4g", x) }
