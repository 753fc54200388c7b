package clickhouse

import (
	"database/sql/driver"
	"io"
	"strconv"
	"strings"
)

// Relation is a table that is there for one statement.
type Relation struct {
	Name    string
	Columns []Column
}

// Column is a column of a relation: of texts, NULL where nil, or of numbers. Columns of a relation are equally long.
type Column struct {
	Name    string
	Texts   []*string
	Numbers []int64 // taken where they are not nil
	Filled  bool    // texts have no NULL
	Real    bool    // texts are floating numbers, and not NULL
}

// structure returns the names and types of the columns.
func (r *Relation) structure() string {
	columns := make([]string, len(r.Columns))
	for i, c := range r.Columns {
		kind := "Nullable(String)"
		switch {
		case c.Numbers != nil:
			kind = "Int64"
		case c.Real:
			kind = "Float64"
		case c.Filled:
			kind = "String"
		}
		columns[i] = c.Name + " " + kind
	}
	return strings.Join(columns, ", ")
}

// write writes the rows as the format TabSeparated has them.
func (r *Relation) write(w io.Writer) error {
	rows := 0
	for _, c := range r.Columns {
		rows = max(rows, len(c.Texts), len(c.Numbers))
	}
	line := make([]byte, 0, 1<<16)
	for row := range rows {
		for i, c := range r.Columns {
			if i > 0 {
				line = append(line, '\t')
			}
			switch {
			case c.Numbers != nil:
				line = strconv.AppendInt(line, c.Numbers[row], 10)
			case c.Texts[row] == nil:
				line = append(line, `\N`...)
			default:
				line = appendEscaped(line, *c.Texts[row])
			}
		}
		if line = append(line, '\n'); len(line) > 1<<15 || row == rows-1 {
			if _, err := w.Write(line); err != nil {
				return err
			}
			line = line[:0]
		}
	}
	return nil
}

// appendEscaped appends a text as the format TabSeparated has it.
func appendEscaped(out []byte, text string) []byte {
	for i := range len(text) {
		switch text[i] {
		case '\\':
			out = append(out, `\\`...)
		case '\t':
			out = append(out, `\t`...)
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case 0:
			out = append(out, `\0`...)
		default:
			out = append(out, text[i])
		}
	}
	return out
}

// beside returns the statement with names for its values, and the relations that have them.
func beside(statement string, values []driver.NamedValue) (string, []*Relation, []Setting) {
	var relations []*Relation
	var settings []Setting
	texts := &Relation{Name: "sdcdesk_values"}
	for _, value := range values {
		switch v := value.Value.(type) {
		case *Relation:
			relations = append(relations, v)
		case Setting:
			settings = append(settings, v)
		case string:
			texts.Columns = append(texts.Columns, Column{Name: "v" + strconv.Itoa(value.Ordinal), Texts: []*string{&v},
				Filled: true})
		case float64:
			text := strconv.FormatFloat(v, 'g', -1, 64)
			texts.Columns = append(texts.Columns, Column{Name: "v" + strconv.Itoa(value.Ordinal), Texts: []*string{&text},
				Real: true})
		}
	}
	if len(texts.Columns) > 0 {
		relations = append(relations, texts)
	}
	return named(statement), relations, settings
}

// named puts for each $1, $2 and so on that stands in no quotes what the relation of the values has.
func named(statement string) string {
	var out strings.Builder
	quote := byte(0)
	for i := 0; i < len(statement); i++ {
		b := statement[i]
		switch {
		case quote != 0 && b == '\\' && i+1 < len(statement):
			out.WriteByte(b)
			i++
			b = statement[i]
		case quote != 0 && b == quote:
			quote = 0
		case quote == 0 && (b == '\'' || b == '"'):
			quote = b
		case quote == 0 && b == '$':
			end := i + 1
			for end < len(statement) && statement[end] >= '0' && statement[end] <= '9' {
				end++
			}
			out.WriteString("(SELECT v" + statement[i+1:end] + " FROM sdcdesk_values)")
			i = end - 1
			continue
		}
		out.WriteByte(b)
	}
	return out.String()
}
