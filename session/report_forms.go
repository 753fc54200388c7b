package session

import (
	"html"
	"io"
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

// form is how pages are written: a template, in which "safe" makes a text of the
// page mean nothing but itself.
type form struct {
	template string
	escape   func(text string) string
}

// plainForm has columns that are aligned.
var plainForm = form{`{{safe .Title}}
{{under .Title "="}}
{{range .Sections}}
{{safe .Heading}}
{{under .Heading "-"}}
{{range .Lines}}{{safe .}}
{{end}}{{range aligned .Table}}{{.}}
{{end}}{{end}}`, func(text string) string { return text }}

// markdownForm is Markdown with pipe tables.
var markdownForm = form{`# {{safe .Title}}
{{range .Sections}}
## {{safe .Heading}}

{{range .Lines}}- {{safe .}}
{{end}}{{if and .Lines .Table}}
{{end}}{{range $i, $row := .Table}}{{range .}}| {{safe .}} {{end}}|
{{if not $i}}{{range .}}|---{{end}}|
{{end}}{{end}}{{end}}`,
	strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`, "[", `\[`, "]", `\]`, "<", "&lt;", "&", "&amp;", "#", `\#`).Replace}

// htmlForm is a document of its own, without scripts or anything from elsewhere.
var htmlForm = form{`<!DOCTYPE html>
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

// write writes the page in the form.
func (f form) write(w io.Writer, p *page) error {
	functions := template.FuncMap{
		"safe":    func(text string) string { return f.escape(plain(text)) },
		"under":   func(text, line string) string { return strings.Repeat(line, utf8.RuneCountInString(text)) },
		"aligned": aligned,
	}
	return template.Must(template.New("").Funcs(functions).Parse(f.template)).Execute(w, p)
}

// aligned returns the rows of a table as lines with columns of equal width. No row
// is longer than the first.
func aligned(table [][]string) []string {
	lines := make([]string, len(table))
	for column := 0; len(table) > 0 && column < len(table[0]); column++ {
		width := 0
		for i := range lines {
			if column < len(table[i]) {
				lines[i] += plain(table[i][column])
			}
			width = max(width, utf8.RuneCountInString(lines[i]))
		}
		for i, line := range lines {
			lines[i] += strings.Repeat(" ", width-utf8.RuneCountInString(line)+2)
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}
