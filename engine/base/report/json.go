package report

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// jsonSection is the JSON form of a section.
type jsonSection struct {
	Heading  string          `json:"heading"`
	Lines    []string        `json:"lines,omitempty"`
	Table    *jsonTable      `json:"table,omitempty"`
	Picture  *jsonPicture    `json:"picture,omitempty"`
	Sections json.RawMessage `json:"sections,omitempty"`
}

// jsonTable is the JSON form of a table: numbers are numbers, dashes null, other cells strings.
type jsonTable struct {
	Columns []string `json:"columns"`
	Rows    [][]any  `json:"rows"`
}

// jsonPicture is the JSON form of a picture: a number that is not available is null.
type jsonPicture struct {
	Picture
	Values [][]*float64 `json:"values"`
}

// JSON returns the form of an object with the title and, in the member "sections", the sections by name and in
// order. The parts of a section are in its own "sections".
func JSON() Form {
	return func(p *Page) string {
		return "{\n \"title\": " + jsonText(plain(p.Title)) + ",\n \"sections\": {" +
			members(p.Sections, "\n  ") + "\n }\n}\n"
	}
}

// members encodes sections as members of an object, each after a separator.
func members(sections []Section, separator string) string {
	var all strings.Builder
	for i, name := range names(sections) {
		if i > 0 {
			all.WriteByte(',')
		}
		all.WriteString(separator + jsonText(name) + ": " + jsonText(sections[i].asJSON()))
	}
	return all.String()
}

// jsonText encodes a value as JSON. It cannot fail for texts and the finite numbers of pictures.
func jsonText(value any) string {
	text, _ := json.Marshal(value)
	return string(text)
}

// asJSON returns the JSON form of the section.
func (s *Section) asJSON() jsonSection {
	out := jsonSection{Heading: plain(s.Heading), Lines: allPlain(s.Lines)}
	if len(s.Parts) > 0 {
		out.Sections = json.RawMessage("{" + members(s.Parts, "") + "}")
	}
	if p := s.Picture; p != nil {
		out.Picture = &jsonPicture{Picture: Picture{Title: plain(p.Title), Description: plain(p.Description), Kind: p.Kind,
			Series: allPlain(p.Series), Labels: allPlain(p.Labels)}}
		for _, values := range p.Values {
			var known []*float64
			for _, value := range values {
				if known = append(known, &value); math.IsNaN(value) {
					known[len(known)-1] = nil
				}
			}
			out.Picture.Values = append(out.Picture.Values, known)
		}
	}
	for r, row := range s.Table {
		if r == 0 {
			out.Table = &jsonTable{Columns: allPlain(row), Rows: [][]any{}}
			continue
		}
		cells := make([]any, len(row))
		for c, cell := range row {
			cells[c] = jsonCell(strings.ReplaceAll(plain(cell), exactMark, " "), c == 0)
		}
		out.Table.Rows = append(out.Table.Rows, cells)
	}
	return out
}

// allPlain makes texts safe for one line each.
func allPlain(texts []string) []string {
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = plain(text)
	}
	return out
}

// jsonCell returns a cell as a number if it looks like one and is not the name of a row.
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
