package report

import (
	"encoding/json"
	"strconv"
	"strings"
)

// jsonSection is a section in JSON.
type jsonSection struct {
	Heading string     `json:"heading"`
	Lines   []string   `json:"lines,omitempty"`
	Table   *jsonTable `json:"table,omitempty"`
	Picture *Picture   `json:"picture,omitempty"`
}

// jsonTable is a table in JSON: numbers are numbers, dashes null, all else texts.
type jsonTable struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

// JSON returns the form of an object with the title, and the sections as members of
// "sections" by their names, in their order.
func JSON() Form {
	return func(p *Page) string {
		var page strings.Builder
		page.WriteString("{\n \"title\": " + jsonText(plain(p.Title)) + ",\n \"sections\": {")
		for i, name := range p.names() {
			if i > 0 {
				page.WriteByte(',')
			}
			page.WriteString("\n  " + jsonText(name) + ": " + jsonText(p.Sections[i].asJSON()))
		}
		page.WriteString("\n }\n}\n")
		return page.String()
	}
}

// jsonText returns a value as JSON. Texts, and the finite numbers of pictures, always have one.
func jsonText(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

// asJSON returns the section as it stands in JSON.
func (s *Section) asJSON() jsonSection {
	out := jsonSection{Heading: plain(s.Heading), Lines: allPlain(s.Lines)}
	if p := s.Picture; p != nil {
		out.Picture = &Picture{plain(p.Title), plain(p.Description), p.Kind, allPlain(p.Series), allPlain(p.Labels), p.Values}
	}
	for r, row := range s.Table {
		if r == 0 {
			out.Table = &jsonTable{Columns: allPlain(row), Rows: [][]any{}}
			continue
		}
		cells := make([]any, len(row))
		for c, cell := range row {
			cells[c] = jsonCell(plain(cell), c == 0)
		}
		out.Table.Rows = append(out.Table.Rows, cells)
	}
	return out
}

// allPlain makes texts safe, each for one line.
func allPlain(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = plain(text)
	}
	return out
}

// jsonCell returns a cell as a number where it is spelled as one, and names no row.
func jsonCell(cell string, name bool) any {
	if name {
		return cell
	}
	number := strings.ReplaceAll(strings.TrimSuffix(cell, " %"), ",", "")
	if _, err := strconv.ParseFloat(number, 64); err == nil && numeral(number) && json.Valid([]byte(number)) {
		return json.Number(number)
	}
	if cell == "–" {
		return nil
	}
	return cell
}
