package database

import (
	"cmp"
	"context"
	"crypto/md5"
	"database/sql"
	"encoding/binary"
	"io"
	"math"
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
	err := t.address.dialect.each(ctx, tx, t.selecting(names), &query{}, func(cells [][]byte) error {
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
		if err != nil || !(value > 0) || !plainNumbers.Match(weight) {
			c.bad++
			return nil
		}
		c.fractional = c.fractional || value != math.Round(value)
		sums[group].Add(value)
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

// describeHere describes the columns in one pass over the records, but some: those of values with all of theirs. said
// is what an earlier pass found of them, which is described anew where values are asked for that it has not; nil: there
// was none.
func (t *Table) describeHere(ctx context.Context, tx *sql.Tx, but, values []string, said []fileio.Described) ([]fileio.Described,
	error) {
	described := make([]fileio.Described, len(t.Columns))
	copy(described, said)
	var names []string
	for i, name := range t.names() {
		asked := said == nil || said[i].Column == nil && slices.Contains(values, name)
		if asked && !slices.Contains(but, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return described, nil
	}
	row := nameBeside("row", func(name string) bool { return t.column(name) != nil })
	passed, err := t.passing(ctx, names, &fileio.Pass{Describe: true, Values: values}, func(ctx context.Context, w io.Writer) error {
		e := newExporting(w, names, row)
		err := t.address.dialect.each(ctx, tx, t.selecting(names), &query{}, func(cells [][]byte) error { return e.write(cells, 0) })
		return cmp.Or(err, e.out.Flush())
	})
	if err != nil {
		return nil, err
	}
	known := passed.Known()
	for i := range described {
		if found := known[t.Columns[i].Name]; found != nil {
			described[i] = *found
			if described[i].Said = t.Columns[i].said(); found.Column != nil {
				described[i].Column = found.Column.CalledByText()
			}
		}
	}
	return described, nil
}

// keySharedHere tells whether several records share a key.
func (t *Table) keySharedHere(ctx context.Context, tx *sql.Tx) (shared bool, err error) {
	met := make(map[[md5.Size]byte]bool, t.Records)
	err = t.address.dialect.each(ctx, tx, t.selecting([]string{t.address.key}), &query{}, func(cells [][]byte) error {
		met[md5.Sum(appendRecord(nil, cells))] = true
		return nil
	})
	return len(met) < t.Records, err
}

// summedHere returns the sum of the first 32 bits of md5 of all records, as text.
func (t *Table) summedHere(ctx context.Context, tx *sql.Tx) (string, error) {
	sum := int64(0)
	err := t.address.dialect.each(ctx, tx, t.selecting(t.names()), &query{}, func(cells [][]byte) error {
		digest := md5.Sum(appendRecord(nil, cells))
		sum += int64(binary.BigEndian.Uint32(digest[:]))
		return nil
	})
	return strconv.FormatInt(sum, 10), err
}
