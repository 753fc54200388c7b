package draw

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Box draws a frame of exactly width × height cells around content of height-2 lines of width-2 cells. The title,
// and number if positive, are in the upper edge. If there is no room for a frame, the content fills the box.
func Box(theme *Theme, number int, title, content string, width, height int, focused bool) string {
	if width < 3 || height < 3 {
		return Exactly(content, width, height)
	}
	frame, heading := theme.Frame, theme.Heading
	if focused {
		frame, heading = theme.FrameFocused, theme.Title
	}
	if number > 0 {
		title = strconv.Itoa(number) + " " + title
	}
	text, _ := fit(title, max(0, width-6))
	label := ""
	used := 0
	if text != "" {
		label = " " + heading.Render(text) + frame.Render(" ")
		used = Width(text) + 2
	}
	lines := make([]string, 0, height)
	lines = append(lines, frame.Render("╭─")+label+frame.Render(strings.Repeat("─", width-3-used)+"╮"))
	side := frame.Render("│")
	for line := range strings.SplitSeq(Exactly(content, width-2, height-2), "\n") {
		lines = append(lines, side+line+side)
	}
	lines = append(lines, frame.Render("╰"+strings.Repeat("─", width-2)+"╯"))
	return strings.Join(lines, "\n")
}

// Exactly cuts and pads a drawn text to height lines of width cells.
func Exactly(content string, width, height int) string {
	if width <= 0 || height <= 0 {
		return ""
	}
	lines := strings.Split(content, "\n")
	lines = lines[:min(len(lines), height)]
	for i, line := range lines {
		lines[i] = ExactLine(line, width)
	}
	for len(lines) < height {
		lines = append(lines, strings.Repeat(" ", width))
	}
	return strings.Join(lines, "\n")
}

// ExactLine cuts and pads a drawn line to width cells.
func ExactLine(line string, width int) string {
	size := Width(line)
	if size > width {
		line = ansi.Truncate(line, width, "")
		size = Width(line)
	}
	return line + strings.Repeat(" ", width-size)
}

// Overlay puts a drawn window over a drawn page, its upper left corner at column x and line y. Parts beyond the
// page are cut.
func Overlay(page, window string, x, y int) string {
	below := strings.Split(page, "\n")
	for i, line := range strings.Split(window, "\n") {
		at := y + i
		if at < 0 || at >= len(below) {
			continue
		}
		size := Width(line)
		left := ansi.Truncate(below[at], x, "")
		left += strings.Repeat(" ", max(0, x-Width(left)))
		right := ansi.TruncateLeft(below[at], x+size, "")
		below[at] = left + ansi.ResetStyle + line + ansi.ResetStyle + right
	}
	return strings.Join(below, "\n")
}

// SideBySide puts two drawn texts next to each other, the left one in width cells.
func SideBySide(left string, width int, right string) string {
	lines, rights := strings.Split(left, "\n"), strings.Split(right, "\n")
	for len(lines) < len(rights) {
		lines = append(lines, "")
	}
	for i := range lines {
		lines[i] = ExactLine(lines[i], width)
		if i < len(rights) {
			lines[i] += rights[i]
		}
	}
	return strings.Join(lines, "\n")
}
