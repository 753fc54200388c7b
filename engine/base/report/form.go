package report

import (
	"html"
	"io"
	"path/filepath"
	"strings"
	"text/template"
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

// Form is how pages are written: a template, in which "safe" makes a text of the
// page mean nothing but itself.
type Form struct {
	template string
	escape   func(text string) string
}

// Plain returns the form of plain text, with columns that are aligned.
func Plain() Form {
	return Form{`{{safe .Title}}
{{under .Title "="}}
{{range .Sections}}
{{safe .Heading}}
{{under .Heading "-"}}
{{range .Lines}}{{safe .}}
{{end}}{{range aligned .Table}}{{.}}
{{end}}{{end}}`, func(text string) string { return text }}
}

// Markdown returns the form with pipe tables.
func Markdown() Form {
	return Form{`# {{safe .Title}}
{{range .Sections}}
## {{safe .Heading}}

{{range .Lines}}- {{safe .}}
{{end}}{{if and .Lines .Table}}
{{end}}{{range $i, $row := .Table}}{{range .}}| {{safe .}} {{end}}|
{{if not $i}}{{range .}}|---{{end}}|
{{end}}{{end}}{{end}}`,
		strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`, "[", `\[`, "]", `\]`, "<", "&lt;", "&", "&amp;", "#", `\#`).Replace}
}

// HTML returns the form of a document of its own, without scripts or anything from
// elsewhere.
func HTML() Form {
	return Form{`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{safe .Title}}</title>
<style>body{font-family:sans-serif;margin:2em;max-width:70em}table{border-collapse:collapse}` +
		`td,th{border:1px solid #999;padding:.2em .6em;text-align:left;vertical-align:top}</style>
</head>
<body>
<h1>{{safe .Title}}</h1>
{{range .Sections}}<h2>{{safe .Heading}}</h2>
{{range .Lines}}<p>{{safe .}}</p>
{{end}}{{with .Table}}<table>
{{range $i, $row := .}}<tr>{{range .}}{{if $i}}<td>{{safe .}}</td>{{else}}<th>{{safe .}}</th>{{end}}{{end}}</tr>
{{end}}</table>
{{end}}{{end}}</body>
</html>
`, html.EscapeString}
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
	functions := template.FuncMap{
		"safe":    func(text string) string { return f.escape(plain(text)) },
		"under":   func(text, line string) string { return strings.Repeat(line, utf8.RuneCountInString(text)) },
		"aligned": aligned,
	}
	return template.Must(template.New("").Funcs(functions).Parse(f.template)).Execute(w, p)
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
