package database

import (
	"cmp"
	"context"
	"database/sql"
	"io"
	"regexp"
	"slices"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// here reports whether the database is a file, which this program reads itself: it groups and describes records in less
// time than by questions.
func (t *Table) here() bool { return t.address.File() != "" }

var plainNumbers = regexp.MustCompile(numbers)

// countHere groups the records as they come.
func (t *Table) countHere(ctx context.Context, tx *sql.Tx, c *counting) error {
	g, names := c.groups, slices.Clone(c.groups.By)
	if len(names) == 0 || g.Weight != "" {
		names = append(names, cmp.Or(g.Weight, t.Columns[0].Name))
	}
	numbered, sums, record := map[string]int{}, []stat.Sum(nil), []byte(nil)
	err := t.address.each(ctx, tx, t.selecting(names), &query{}, func(cells [][]byte) error {
		record = appendRecord(record[:0], cells[:len(g.By)])
		group, known := numbered[string(record)]
		if !known {
			group = len(c.records)
			text := string(record)
			numbered[text], g.records = group, append(g.records, text)
			c.text = appendLine(c.text, cells[:len(g.By)])
			c.ends, c.records, sums = append(c.ends, len(c.text)), append(c.records, 0), append(sums, stat.Sum{})
		}
		c.total++
		if c.records[group]++; g.Weight == "" {
			return nil
		}
		weight := cells[len(g.By)]
		value, err := strconv.ParseFloat(string(weight), 64)
		if c.bad = c.bad || err != nil || !(value > 0) || !plainNumbers.Match(weight); !c.bad {
			sums[group].Add(value)
		}
		return nil
	})
	if g.Weight != "" {
		c.sums = make([]float64, len(sums))
		for group := range sums {
			c.sums[group] = sums[group].Rounded(mostDecimals)
		}
	}
	c.state = "0"
	c.sort()
	return err
}

// appendLine appends the cells of a group as a record of a text file, with a cell behind them.
func appendLine(out []byte, cells [][]byte) []byte {
	for _, cell := range cells {
		if cell != nil {
			out = appendCell(out, cell)
		}
		out = append(out, ',')
	}
	return append(append(out, anything...), '\n')
}

// describeHere describes all columns but some in one pass over the records, those of values with all of theirs.
func (t *Table) describeHere(ctx context.Context, tx *sql.Tx, but, values []string) ([]fileio.Described, error) {
	names := slices.DeleteFunc(t.names(), func(name string) bool { return slices.Contains(but, name) })
	said := make([]fileio.Described, len(t.Columns))
	if len(names) == 0 {
		return said, nil
	}
	row := nameBeside("row", func(name string) bool { return t.column(name) != nil })
	passed, err := t.passing(ctx, names, &fileio.Pass{Describe: true, Values: values}, func(ctx context.Context, w io.Writer) error {
		e := newExporting(w, names, row)
		e.rowOf = func([][]byte) (int64, error) { return 0, nil }
		err := t.address.each(ctx, tx, t.selecting(names), &query{}, e.take)
		return cmp.Or(err, e.out.Flush())
	})
	if err != nil {
		return nil, err
	}
	known := passed.Known()
	for i := range said {
		if found := known[t.Columns[i].Name]; found != nil {
			said[i] = *found
			said[i].Said = t.Columns[i].said()
		}
	}
	return said, nil
}
