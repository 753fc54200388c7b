package database

import "strings"

// recordText returns cells as the one text that PostgreSQL makes of a row: different cells give different
// texts, and NULL, which nil stands for, another than the empty text.
func recordText(cells []*string) string {
	out := []byte("(")
	for i, cell := range cells {
		if i > 0 {
			out = append(out, ',')
		}
		if cell != nil {
			out = appendPart(out, *cell)
		}
	}
	return string(append(out, ')'))
}

// appendRecord appends it for cells that are bytes.
func appendRecord(out []byte, cells [][]byte) []byte {
	out = append(out, '(')
	for i, cell := range cells {
		if i > 0 {
			out = append(out, ',')
		}
		if cell != nil {
			out = appendPart(out, cell)
		}
	}
	return append(out, ')')
}

// appendPart appends a text as a cell of a row.
func appendPart[T string | []byte](out []byte, cell T) []byte {
	plain := len(cell) > 0
	for i := 0; i < len(cell) && plain; i++ {
		plain = !inQuotes[cell[i]]
	}
	if plain {
		return append(out, cell...)
	}
	out = append(out, '"')
	for i := range len(cell) {
		if cell[i] == '"' || cell[i] == '\\' {
			out = append(out, cell[i])
		}
		out = append(out, cell[i])
	}
	return append(out, '"')
}

// inQuotes are the characters that stand in quotes.
var inQuotes = [256]bool{'"': true, '\\': true, '(': true, ')': true, ',': true, ' ': true, '\t': true, '\n': true,
	'\v': true, '\f': true, '\r': true}

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
