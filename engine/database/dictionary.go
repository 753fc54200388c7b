package database

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// A dictionary says what the texts of a column become; nil is what they became where the cell is left as it is.
type dictionary map[string]*string

// dictionaries returns the dictionaries of the columns, of groups all of whose records stand in one row after the
// steps; nil for columns that were only suppressed. ok is false where no dictionary tells what some column becomes but
// for cells that became missing.
func (r *Release) dictionaries(columns []released, rows []int32) (out []dictionary, ok bool) {
	out = make([]dictionary, len(columns))
	for i := range columns {
		if c := &columns[i]; !c.blanked {
			if out[i] = r.dictionary(c, rows); out[i] == nil {
				return nil, false
			}
		}
	}
	return out, len(columns) > 0
}

// dictionary returns that of one column; nil: there is none.
func (r *Release) dictionary(c *released, rows []int32) dictionary {
	place := slices.Index(r.Groups.By, c.name)
	if place < 0 {
		return nil
	}
	out, becomes := dictionary{}, map[string]*string{}
	for group, row := range rows {
		if row < 0 || c.emptied(int(row)) {
			continue
		}
		var after *string
		if !c.column.Missing(int(row)) {
			text := c.column.Text(int(row))
			if after = becomes[text]; after == nil {
				after, becomes[text] = &text, &text
			}
		}
		before, filled := cellOf(r.Groups.records[group], place)
		if known, again := out[before]; again && known != after || !filled && after != nil {
			return nil
		} else if filled {
			out[before] = after
		}
	}
	return out
}

// uploaded returns it as columns of a relation, in the order of its texts.
func (d dictionary) uploaded(before, after string) []uploaded {
	keys := make([]string, 0, len(d))
	for text := range d {
		keys = append(keys, text)
	}
	slices.Sort(keys)
	becomes := make([]*string, len(keys))
	for i, text := range keys {
		becomes[i] = d[text]
	}
	return []uploaded{{name: before, texts: texts(keys)}, {name: after, texts: becomes}}
}

// byDictionary returns a relation of own columns of the records of groups all of whose records stand in one row after
// the steps, with what becomes of them: most of it by a dictionary for each changed column, so that only groups whose
// cells became missing are uploaded, and those that are left out since they are dealt out. all: there are none of
// these; known is false where dictionaries do not tell it, or of less than half of the groups. Groups that were not
// counted are taken, too: the table has to be known to be as it was.
func (t *Table) byDictionary(ctx context.Context, tx *sql.Tx, q *query, r *Release, plan *streamed.Plan, blanks *values,
	own []string) (relation string, all, known bool, err error) {
	dictionaries, known := r.dictionaries(blanks.columns, plan.Rows)
	if !known {
		return "", false, false, nil
	}
	groups, all := []int{}, true
	for group, row := range plan.Rows {
		if row < 0 {
			all, groups = false, append(groups, group)
			blanks.leaveOut()
		} else if slices.ContainsFunc(blanks.columns, func(c released) bool { return c.emptied(int(row)) }) {
			groups = append(groups, group)
			blanks.add(int(row))
		}
	}
	if len(groups) > len(plan.Rows)/2 { // as where all records draw
		return "", false, false, nil
	}
	d, joined := t.server(), ""
	for i := range blanks.columns {
		if c := &blanks.columns[i]; dictionaries[i] != nil {
			own = append(own, t.text(c.name)+" AS "+c.before())
			relation, err := d.upload(ctx, tx, q, c.before()+"d", dictionaries[i].uploaded(c.before(), c.value()))
			if err != nil {
				return "", false, false, err
			}
			joined += d.join("LEFT") + relation + " USING (" + c.before() + ")"
		}
	}
	whole, err := d.upload(ctx, tx, q, "sdcdesk_whole", append([]uploaded{r.Groups.addresses(groups)}, blanks.ofBlanks()...))
	if relation = t.addressed(r.Groups, own, "") + d.join("LEFT") + whole + " USING (sdcdesk_address)" + joined; !all {
		relation += " WHERE coalesce(" + blanks.columns[0].blanks() + ", 0) >= 0"
	}
	return relation, all, true, err
}

// cellOf returns a cell of a record as recordText makes it of cells; filled is false for NULL.
func cellOf(record string, place int) (cell string, filled bool) {
	start, end, inQuotes := 1, len(record)-1, false
	for i := start; i < end; i++ {
		if record[i] == '"' {
			inQuotes = !inQuotes
		} else if record[i] == ',' && !inQuotes {
			if place--; place < 0 {
				end = i
			} else {
				start = i + 1
			}
		}
	}
	if cell = record[start:end]; strings.HasPrefix(cell, `"`) {
		return unquoted.Replace(cell[1 : len(cell)-1]), true
	}
	return cell, cell != ""
}

var unquoted = strings.NewReplacer(`""`, `"`, `\\`, `\`)
