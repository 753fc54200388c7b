package session

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain makes text safe for one line: labels of data can hold anything, and a
// report may be shown on a terminal.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r) || r == utf8.RuneError || unicode.Is(unicode.Bidi_Control, r):
			return '\uFFFD'
		default:
			return r
		}
	}, text)
}

// text renders the page as plain text with aligned columns.
func (p *page) text() string {
	var out strings.Builder
	underlined(&out, p.title, "=")
	for _, s := range p.sections {
		out.WriteString("\n")
		underlined(&out, s.heading, "-")
		for _, line := range s.lines {
			out.WriteString(plain(line) + "\n")
		}
		writeAligned(&out, s.table)
	}
	return out.String()
}

func underlined(out *strings.Builder, title, line string) {
	title = plain(title)
	out.WriteString(title + "\n" + strings.Repeat(line, utf8.RuneCountInString(title)) + "\n")
}

func writeAligned(out *strings.Builder, table [][]string) {
	var widths []int
	for _, row := range table {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(plain(cell)))
		}
	}
	for _, row := range table {
		line := ""
		for i, cell := range row {
			cell = plain(cell)
			line += cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// markdownMarks are the characters that mean something in Markdown.
var markdownMarks = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`, "[", `\[`, "]", `\]`, "<", "&lt;", "&", "&amp;", "#", `\#`)

// markdown renders the page as Markdown with pipe tables.
func (p *page) markdown() string {
	var out strings.Builder
	escaped := func(text string) string { return markdownMarks.Replace(plain(text)) }
	out.WriteString("# " + escaped(p.title) + "\n")
	for _, s := range p.sections {
		out.WriteString("\n## " + escaped(s.heading) + "\n\n")
		for _, line := range s.lines {
			out.WriteString("- " + escaped(line) + "\n")
		}
		if len(s.lines) > 0 && len(s.table) > 0 {
			out.WriteString("\n")
		}
		for i, row := range s.table {
			for _, cell := range row {
				out.WriteString("| " + escaped(cell) + " ")
			}
			out.WriteString("|\n")
			if i == 0 {
				out.WriteString(strings.Repeat("|---", len(row)) + "|\n")
			}
		}
	}
	return out.String()
}

// html renders the page as a document of its own, without scripts or anything
// from elsewhere.
func (p *page) html() string {
	var out strings.Builder
	escaped := func(text string) string { return html.EscapeString(plain(text)) }
	out.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + escaped(p.title) +
		"</title>\n<style>body{font-family:sans-serif;margin:2em;max-width:70em}table{border-collapse:collapse}" +
		"td,th{border:1px solid #999;padding:.2em .6em;text-align:left;vertical-align:top}</style>\n</head>\n<body>\n<h1>" +
		escaped(p.title) + "</h1>\n")
	for _, s := range p.sections {
		out.WriteString("<h2>" + escaped(s.heading) + "</h2>\n")
		for _, line := range s.lines {
			out.WriteString("<p>" + escaped(line) + "</p>\n")
		}
		writeHTMLTable(&out, s.table, escaped)
	}
	out.WriteString("</body>\n</html>\n")
	return out.String()
}

func writeHTMLTable(out *strings.Builder, table [][]string, escaped func(string) string) {
	if len(table) == 0 {
		return
	}
	out.WriteString("<table>\n")
	for i, row := range table {
		tag := "td"
		if i == 0 {
			tag = "th"
		}
		out.WriteString("<tr>")
		for _, cell := range row {
			out.WriteString("<" + tag + ">" + escaped(cell) + "</" + tag + ">")
		}
		out.WriteString("</tr>\n")
	}
	out.WriteString("</table>\n")
}
