package database

import "strings"

// recordText returns cells as the one text that PostgreSQL makes of a row: different cells give different
// texts, and NULL, which nil stands for, another than the empty text.
func recordText(cells []*string) string {
	var out strings.Builder
	out.WriteByte('(')
	for i, cell := range cells {
		if i > 0 {
			out.WriteByte(',')
		}
		switch {
		case cell == nil:
		case *cell != "" && !strings.ContainsAny(*cell, "\"\\(), \t\n\v\f\r"):
			out.WriteString(*cell)
		default:
			out.WriteByte('"')
			out.WriteString(doubling.Replace(*cell))
			out.WriteByte('"')
		}
	}
	out.WriteByte(')')
	return out.String()
}

var doubling = strings.NewReplacer(`"`, `""`, `\`, `\\`)

// appendCSV appends cells as a record of a text file: NULL, which nil stands for, as an empty field, the
// empty text in quotes.
func appendCSV(out []byte, cells []*string) []byte {
	for i, cell := range cells {
		if i > 0 {
			out = append(out, ',')
		}
		if cell != nil {
			out = appendCell(out, *cell)
		}
	}
	return append(out, '\n')
}

// appendCell appends a text as a cell of a text file, in quotes where it is empty or could be taken for more.
func appendCell[T string | []byte](out []byte, cell T) []byte {
	plain := len(cell) > 0
	for i := 0; i < len(cell) && plain; i++ {
		plain = cell[i] != '"' && cell[i] != ',' && cell[i] != '\r' && cell[i] != '\n'
	}
	if plain {
		return append(out, cell...)
	}
	out = append(out, '"')
	out = append(out, strings.ReplaceAll(string(cell), `"`, `""`)...)
	return append(out, '"')
}
