package report

import (
	"fmt"
	"html"
	"strings"
)

// style is the style sheet for paper, narrow screens and keyboards. A table wider than the page scrolls inside its
// box.
const style = `:root{color-scheme:light}` +
	`body{font:1rem/1.45 system-ui,sans-serif;color:#1a1a1a;background:#fff;margin:0 auto;padding:1rem;max-width:64rem;` +
	`overflow-wrap:anywhere}` +
	`h1{font-size:1.6rem}h2{font-size:1.3rem;margin-top:2rem}h3{font-size:1.05rem;margin-top:1.5rem}a{color:#0b4f9e}` +
	`.box{overflow-x:auto;margin:.5rem 0}` +
	`a:focus-visible,.box:focus-visible{outline:3px solid #0b4f9e;outline-offset:2px}` +
	`table{border-collapse:collapse;overflow-wrap:normal}` +
	`td,th{border:1px solid #767676;padding:.2rem .5rem;text-align:left;vertical-align:top;font-weight:normal;` +
	`unicode-bidi:isolate}thead th{font-weight:bold;background:#eee}.number{text-align:right}td.number{white-space:nowrap}` +
	`caption{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}` +
	`figure{margin:.5rem 0}svg{width:100%;height:auto;max-width:30rem}` +
	`@page{margin:14mm}@media print{body{max-width:none;padding:0;font-size:9pt;line-height:1.3}.box{overflow:visible}` +
	`nav{display:none}h1{margin:0}h2,h3{margin:.8rem 0 .3rem}p{margin:.3rem 0}td,th{padding:.1rem .4rem}` +
	`h2,h3,thead,tr,figure{break-inside:avoid}h2,h3{break-after:avoid}.cover #s2{break-before:page}thead{display:table-header-group}` +
	`a{color:inherit;text-decoration:none}}`

// HTML returns the form of a self-contained document, without scripts and external resources, which its content
// security policy forbids.
func HTML() Form {
	return func(p *Page) string {
		title := escaped(p.Title)
		var page strings.Builder
		page.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n" +
			"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; " +
			"base-uri 'none'; form-action 'none'\"/>\n" +
			"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>" + title +
			"</title>\n<style>" + style + "</style>\n</head>\n<body>\n<h1>" + title + "</h1>\n" +
			"<nav aria-labelledby=\"contents\">\n<h2 id=\"contents\">Contents</h2>\n<ol>\n")
		for i := range p.Sections {
			fmt.Fprintf(&page, "<li><a href=\"#s%d\">%s</a></li>\n", i+1, escaped(p.Sections[i].Heading))
		}
		class := ""
		if p.Chapters && len(p.Sections) > 0 && len(p.Sections[0].Parts) > 0 {
			class = ` class="cover"`
		}
		page.WriteString("</ol>\n</nav>\n<main" + class + ">\n")
		p.Each(func(s *Section, depth int, id, heading string) {
			page.WriteString(s.asHTML(fmt.Sprintf("h%d", 2+depth), "s"+id, escaped(heading)))
		})
		page.WriteString("</main>\n</body>\n</html>\n")
		return page.String()
	}
}

// escaped escapes a text for HTML.
func escaped(text string) string { return html.EscapeString(plain(text)) }

// asHTML returns the section, without its parts, below a heading with the given id.
func (s *Section) asHTML(element, id, heading string) string {
	text := fmt.Sprintf("<section aria-labelledby=\"%s\">\n<%s id=\"%s\">%s</%s>\n", id, element, id, heading, element)
	for _, line := range s.Lines {
		text += "<p>" + escaped(line) + "</p>\n"
	}
	if s.Picture != nil {
		text += "<figure>" + s.Picture.svg(id) + "</figure>\n"
	}
	if len(s.Table) > 0 {
		text += fmt.Sprintf("<div class=\"box\" role=\"region\" tabindex=\"0\" aria-label=\"%s\">\n<table>\n<caption>%s"+
			"</caption>\n%s</table>\n</div>\n", "Table: "+heading, heading, rowsOf(Rounded(s.Table)))
	}
	return text + "</section>\n"
}

// rowsOf formats the rows of a table in HTML.
func rowsOf(table [][]string) string {
	var rows strings.Builder
	right := Numbers(table)
	for r, row := range table {
		rows.WriteString([...]string{"<thead>\n", "<tbody>\n", ""}[min(r, 2)] + "<tr>")
		for c, cell := range row {
			open, end := "td", "td"
			switch {
			case r == 0:
				open, end = `th scope="col"`, "th"
			case c == 0:
				open, end = `th scope="row"`, "th"
			}
			if right[c] {
				open += ` class="number"`
			}
			rows.WriteString("<" + open + ">" + escaped(cell) + "</" + end + ">")
		}
		rows.WriteString([...]string{"</tr>\n</thead>\n", "</tr>\n"}[min(r, 1)])
	}
	if len(table) > 1 {
		rows.WriteString("</tbody>\n")
	}
	return rows.String()
}
