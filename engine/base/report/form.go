package report

import (
	"html"
	"io"
	"path/filepath"
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

// Form is how pages are written: the parts that are put together, each of a text that
// means nothing but itself.
type Form struct {
	head    func(title string) string
	heading func(text string) string
	line    func(text string) string
	table   func(rows [][]string, afterLines bool) string
	end     string
	escape  func(text string) string
}

// Plain returns the form of plain text, with columns that are aligned.
func Plain() Form {
	return Form{
		head:    func(title string) string { return underlined(title, "=") },
		heading: func(text string) string { return "\n" + underlined(text, "-") },
		line:    func(text string) string { return text + "\n" },
		table:   func(rows [][]string, _ bool) string { return joined(aligned(rows), "", "\n") },
		escape:  func(text string) string { return text },
	}
}

// underlined returns a text on a line, with a line below it.
func underlined(text, line string) string {
	return text + "\n" + strings.Repeat(line, utf8.RuneCountInString(text)) + "\n"
}

// joined puts something before and behind each of some texts.
func joined(texts []string, before, behind string) string {
	var all strings.Builder
	for _, text := range texts {
		all.WriteString(before + text + behind)
	}
	return all.String()
}

// Markdown returns the form with pipe tables.
func Markdown() Form {
	return Form{
		head:    func(title string) string { return "# " + title + "\n" },
		heading: func(text string) string { return "\n## " + text + "\n\n" },
		line:    func(text string) string { return "- " + text + "\n" },
		table:   pipeTable,
		escape: strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`, "[", `\[`, "]", `\]`, "<", "&lt;",
			"&", "&amp;",
			"#", `\#`).Replace,
	}
}

// pipeTable returns a table of Markdown, the first row as its head.
func pipeTable(rows [][]string, afterLines bool) string {
	var table strings.Builder
	if afterLines {
		table.WriteByte('\n')
	}
	for i, row := range rows {
		table.WriteString(joined(row, "| ", " ") + "|\n")
		if i == 0 {
			table.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return table.String()
}

// HTML returns the form of a document of its own, without scripts or anything from
// elsewhere.
func HTML() Form {
	return Form{
		head: func(title string) string {
			return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>` + title + `</title>
<style>body{font-family:sans-serif;margin:2em;max-width:70em}table{border-collapse:collapse}` +
				`td,th{border:1px solid #999;padding:.2em .6em;text-align:left;vertical-align:top}</style>
</head>
<body>
<h1>` + title + "</h1>\n"
		},
		heading: func(text string) string { return "<h2>" + text + "</h2>\n" },
		line:    func(text string) string { return "<p>" + text + "</p>\n" },
		table: func(rows [][]string, _ bool) string {
			cells := joined(rows[0], "<th>", "</th>")
			for _, row := range rows[1:] {
				cells += "</tr>\n<tr>" + joined(row, "<td>", "</td>")
			}
			return "<table>\n<tr>" + cells + "</tr>\n</table>\n"
		},
		end:    "</body>\n</html>\n",
		escape: html.EscapeString,
	}
}

// FormOf returns the form that the ending of a file's name says: .html, .md, else
// plain text.
func FormOf(path string) Form {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".html", ".htm":
		return HTML()
	case ".md", ".markdown":
		return Markdown()
	}
	return Plain()
}

// Write writes the page in the form.
func (f Form) Write(w io.Writer, p *Page) error {
	safe := func(text string) string { return f.escape(plain(text)) }
	var page strings.Builder
	page.WriteString(f.head(safe(p.Title)))
	for _, section := range p.Sections {
		page.WriteString(f.heading(safe(section.Heading)))
		for _, line := range section.Lines {
			page.WriteString(f.line(safe(line)))
		}
		if len(section.Table) == 0 {
			continue
		}
		rows := make([][]string, len(section.Table))
		for i, row := range section.Table {
			for _, cell := range row {
				rows[i] = append(rows[i], safe(cell))
			}
		}
		page.WriteString(f.table(rows, len(section.Lines) > 0))
	}
	_, err := io.WriteString(w, page.String()+f.end)
	return err
}

// aligned returns the rows of a table as lines with columns of equal width, numbers
// on the right.
func aligned(table [][]string) []string {
	lines, right := make([]string, len(table)), Numbers(table)
	for column := 0; len(table) > 0 && column < len(table[0]); column++ {
		width := 0
		for _, row := range table {
			if column < len(row) {
				width = max(width, utf8.RuneCountInString(plain(row[column])))
			}
		}
		for i := range lines {
			text := ""
			if column < len(table[i]) {
				text = plain(table[i][column])
			}
			blanks := strings.Repeat(" ", width-utf8.RuneCountInString(text))
			if right[column] {
				lines[i] += blanks + text + "  "
			} else {
				lines[i] += text + blanks + "  "
			}
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// Numbers says which columns of a table hold numbers under their heads: those whose
// cells are spelled like numbers, or are dashes, as far as they are not empty.
func Numbers(table [][]string) []bool {
	if len(table) == 0 {
		return nil
	}
	right := make([]bool, len(table[0]))
	for column := range right {
		numbers, words := 0, 0
		for _, row := range table[1:] {
			switch {
			case column >= len(row) || row[column] == "":
			case numeral(row[column]):
				numbers++
			default:
				words++
			}
		}
		right[column] = numbers > 0 && words == 0
	}
	return right
}

// numeral reports whether a text begins as a number does, or is a dash.
func numeral(text string) bool {
	digits := strings.TrimLeft(text, "–-.")
	return digits == "" || digits[0] >= '0' && digits[0] <= '9'
}
