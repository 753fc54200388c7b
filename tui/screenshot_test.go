package tui

import (
	"encoding/xml"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The size of a cell of a screenshot, in pixels, and the margin around the cells. Most fixed-width fonts are 0.6 as wide as high.
const (
	cellWidth, cellHeight = 9, 18
	fontSize, baseline    = 15, 14
	margin                = 12
)

// The colours of the picture where a frame has none.
const darkPaper, lightInk = "#12151b", "#d8dee9"

// ink is how a cell is drawn.
type ink struct {
	fore, back string // colours as in "#12151b"; back "": the paper
	bold       bool
}

// inkedCell is a character of a frame.
type inkedCell struct {
	char rune
	ink
}

// attributes is a sequence that sets how the following cells are drawn.
var attributes = regexp.MustCompile(`^\x1b\[([0-9;]*)m`)

// inkedCells returns the lines of a frame as cells.
func inkedCells(frame string) (lines [][]inkedCell) {
	for _, line := range strings.Split(frame, "\n") {
		var cells []inkedCell
		now := ink{fore: lightInk}
		for line != "" {
			if found := attributes.FindStringSubmatch(line); found != nil {
				now, line = now.with(strings.Split(found[1], ";")), line[len(found[0]):]
				continue
			}
			char, size := utf8.DecodeRuneInString(line)
			cells, line = append(cells, inkedCell{char, now}), line[size:]
		}
		lines = append(lines, cells)
	}
	return lines
}

// with returns the ink after a sequence with these codes.
func (i ink) with(codes []string) ink {
	for len(codes) > 0 {
		used := 1
		switch code := codes[0]; {
		case code == "" || code == "0":
			i = ink{fore: lightInk}
		case code == "1":
			i.bold = true
		case code == "38" && len(codes) > 4:
			i.fore, used = colourOf(codes[2:5]), 5
		case code == "48" && len(codes) > 4:
			i.back, used = colourOf(codes[2:5]), 5
		}
		codes = codes[used:]
	}
	return i
}

// colourOf returns a colour by the decimal shares of red, green and blue.
func colourOf(shares []string) string {
	colour := "#"
	for _, share := range shares {
		n, _ := strconv.Atoi(share)
		colour += fmt.Sprintf("%02x", n)
	}
	return colour
}

// screenshot is a picture of a frame while it is drawn. Blocks and lines are shapes, so that they join in every font.
type screenshot struct {
	fills, strokes, texts map[string]*strings.Builder // by the attributes of what they draw
}

// newScreenshot returns a frame as SVG.
func newScreenshot(frame string) string {
	lines := inkedCells(strings.TrimRight(frame, " \n"))
	s := screenshot{map[string]*strings.Builder{}, map[string]*strings.Builder{}, map[string]*strings.Builder{}}
	width := 0
	for y, cells := range lines {
		width = max(width, len(cells))
		s.line(cells, y*cellHeight)
	}
	wide, high := width*cellWidth+2*margin, len(lines)*cellHeight+2*margin
	var svg strings.Builder
	fmt.Fprintf(&svg, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="%d %[3]d %[1]d %[2]d" `, wide, high, -margin)
	fmt.Fprintf(&svg, `font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="%d">`+"\n", fontSize)
	fmt.Fprintf(&svg, `<rect x="%d" y="%[1]d" width="%d" height="%d" rx="8" fill="%s"/>`+"\n", -margin, wide, high, darkPaper)
	each(s.fills, func(attributes, path string) { fmt.Fprintf(&svg, `<path %s d="%s"/>`+"\n", attributes, path) })
	each(s.strokes, func(attributes, path string) {
		fmt.Fprintf(&svg, `<path fill="none" %s d="%s"/>`+"\n", attributes, path)
	})
	each(s.texts, func(attributes, texts string) {
		fmt.Fprintf(&svg, `<g %s>`+"\n%s</g>\n", attributes, texts)
	})
	return svg.String() + "</svg>\n"
}

// each visits the parts of a picture in the order of their attributes.
func each(parts map[string]*strings.Builder, visit func(attributes, part string)) {
	for _, attributes := range slices.Sorted(maps.Keys(parts)) {
		visit(attributes, parts[attributes].String())
	}
}

// add appends to a part of the picture.
func add(parts map[string]*strings.Builder, attributes, format string, values ...any) {
	if parts[attributes] == nil {
		parts[attributes] = &strings.Builder{}
	}
	fmt.Fprintf(parts[attributes], format, values...)
}

// line draws a line of cells at a height.
func (s *screenshot) line(cells []inkedCell, y int) {
	for from := 0; from < len(cells); {
		to := from + 1
		for to < len(cells) && cells[to].back == cells[from].back {
			to++
		}
		if back := cells[from].back; back != "" {
			s.fill(back, underneath, from*cellWidth, y, (to-from)*cellWidth, cellHeight)
		}
		from = to
	}
	for from := 0; from < len(cells); {
		from += max(s.shape(cells[from:], from*cellWidth, y), s.text(cells[from:], from*cellWidth, y))
	}
}

// fill fills a rectangle with a shade of a colour: 1 is the colour itself, and underneath is the colour itself behind all others.
func (s *screenshot) fill(colour string, shade float64, x, y, width, height int) {
	attributes := fmt.Sprintf(`fill="%s"`, colour)
	switch shade {
	case underneath:
		attributes = " " + attributes // which comes first
	case 1:
	default:
		attributes += fmt.Sprintf(` opacity="%v"`, shade)
	}
	add(s.fills, attributes, "M%d %dh%dv%dh%dz", x, y, width, height, -width)
}

// underneath is the shade of what is drawn before everything else.
const underneath = 0

// shades are characters that fill their cell in part.
var shades = map[rune]float64{'░': 0.25, '▒': 0.5, '▓': 0.75}

// shape draws a block or a line and returns how many cells it has; 0: the first cell is a text.
func (s *screenshot) shape(cells []inkedCell, x, y int) int {
	first := cells[0]
	length := 1
	for length < len(cells) && cells[length] == first {
		length++
	}
	width := length * cellWidth
	switch char := first.char; {
	case char == '█':
		s.fill(first.fore, 1, x, y, width, cellHeight)
	case char >= '▉' && char <= '▏': // seven eighths to one eighth, from the left
		s.fill(first.fore, 1, x, y, int('▐'-char)*cellWidth/8, cellHeight)
		return 1
	case char >= '▁' && char <= '▇': // one eighth to seven eighths, from below
		high := int(char-'▀') * cellHeight / 8
		s.fill(first.fore, 1, x, y+cellHeight-high, width, high)
	case shades[char] > 0:
		s.fill(first.fore, shades[char], x, y, width, cellHeight)
	case char == '─' || char == '━':
		s.stroke(first, "M%d %vh%d", x, float64(y)+cellHeight/2, width)
	case strokes[char] != "":
		s.stroke(first, "M%d %d"+strokes[char], x, y)
		return 1
	default:
		return 0
	}
	return length
}

// strokes are the lines of a cell, from its upper left corner.
var strokes = map[rune]string{
	'│': "m4.5 0v18", '╱': "m0 18l9 -18", '╭': "m4.5 18v-4q0 -5 4.5 -5", '╮': "m4.5 18v-4q0 -5 -4.5 -5", '╰': "m4.5 0v4q0 5 4.5 5",
	'╯': "m4.5 0v4q0 5 -4.5 5", '└': "m4.5 0v9h4.5", '├': "m4.5 0v18m0 -9h4.5", '┤': "m4.5 0v18m0 -9h-4.5", '┴': "m4.5 0v9m-4.5 0h9",
}

// stroke draws lines.
func (s *screenshot) stroke(c inkedCell, format string, values ...any) {
	thick := 1.3
	if c.char == '━' {
		thick = 3
	}
	add(s.strokes, fmt.Sprintf(`stroke="%s" stroke-width="%v"`, c.fore, thick), format, values...)
}

// text draws words of one ink, or a symbol, and returns how many cells they have. A symbol is drawn separately because its font
// may be another.
func (s *screenshot) text(cells []inkedCell, x, y int) int {
	isPlain := func(i int) bool {
		return i < len(cells) && cells[i].ink == cells[0].ink && cells[i].char > ' ' && cells[i].char < 0x250
	}
	length := 0
	for isPlain(length) || length > 0 && cells[length-1].char != ' ' && isPlain(length+1) && cells[length].char == ' ' &&
		cells[length].ink == cells[0].ink {
		length++
	}
	attributes := fmt.Sprintf(`fill="%s"`, cells[0].fore)
	if cells[0].bold {
		attributes += ` font-weight="bold"`
	}
	var words strings.Builder
	for _, c := range cells[:max(1, length)] {
		_ = xml.EscapeText(&words, []byte(string(c.char))) // a Builder returns no error
	}
	switch {
	case cells[0].char == ' ':
	case length == 0:
		add(s.texts, attributes, `<text x="%v" y="%d" text-anchor="middle">%s</text>`+"\n", float64(x)+cellWidth/2.0, y+baseline, words.String())
	default:
		add(s.texts, attributes, `<text x="%d" y="%d" textLength="%d">%s</text>`+"\n", x, y+baseline, length*cellWidth, words.String())
	}
	return max(1, length)
}
