package database

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// rowsAtOnce is the number of rows per INSERT in a script.
const rowsAtOnce = 500

// WriteScript writes an SQL script that creates the protected table where the records are: the dictionaries of the
// recodes, the records that lose cells, one CREATE TABLE, and the expected counts. It contains values of key
// variables and is as confidential as the records. Errors are those of w, or wrap ErrColumn.
func WriteScript(w io.Writer, c *FrequencyRelease) error {
	source := tableOf(c.Name)
	if c.Table != nil {
		source = c.Table.address.tables[0]
	}
	target := slices.Clone(source)
	target[len(target)-1] += "_protected"
	r, err := c.releasing(target)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "-- Creates the protected table %s from the records of %s: %s.\n", comment(relation(target)), comment(relation(source)),
		wording.Counted(c.Data.Records(), "record"))
	out.WriteString("-- This script is confidential: it contains values of the records and shows which were changed.\n-- " +
		"random() selects which of the records with the same values lose a cell; some engines name it rand().\n-- " +
		"Run the script in one transaction, compare the counts at its end, and roll back if one of them differs.\n\n")
	for _, h := range r.helpers {
		writeTable(out, h)
	}
	out.WriteString(r.statement + ";\n\n")
	for _, h := range r.helpers {
		fmt.Fprintf(out, "DROP TABLE %s;\n", relation(h.table))
	}
	c.writeCounts(out, target)
	return out.Flush()
}

// writeTable writes the statements that create a helper table.
func writeTable(out *bufio.Writer, h helper) {
	columns := h.data.Columns()
	types := make([]string, len(columns))
	for i, column := range columns {
		types[i] = column.Name() + " " + standardType(column)
	}
	fmt.Fprintf(out, "CREATE TABLE %s (%s);\n", relation(h.table), strings.Join(types, ", "))
	for row := range h.data.Len() {
		separator := ",\n"
		if row%rowsAtOnce == 0 {
			separator = "INSERT INTO " + relation(h.table) + " VALUES\n"
		}
		out.WriteString(separator + "  (")
		for i, column := range columns {
			if i > 0 {
				out.WriteString(", ")
			}
			text := column.Text(row)
			if column.Kind() == microdata.Category {
				text = "'" + strings.ReplaceAll(text, "'", "''") + "'"
			}
			out.WriteString(text)
		}
		out.WriteByte(')')
		if row%rowsAtOnce == rowsAtOnce-1 || row == h.data.Len()-1 {
			out.WriteString(";\n")
		}
	}
	out.WriteByte('\n')
}

// standardType returns the type of a column of a helper table in standard SQL.
func standardType(column *microdata.Column) string {
	length, decimals := 1, 0
	for row := range column.Len() {
		text := column.Text(row)
		_, behind, _ := strings.Cut(text, ".")
		length, decimals = max(length, utf8.RuneCountInString(text)), max(decimals, len(behind))
	}
	switch column.Kind() {
	case microdata.Category:
		return "VARCHAR(" + strconv.Itoa(length) + ")"
	case microdata.Whole:
		return "BIGINT"
	}
	return "DECIMAL(38, " + strconv.Itoa(min(decimals, 20)) + ")"
}

// writeCounts writes the statement that counts the protected table, with the expected result.
func (c *FrequencyRelease) writeCounts(out *bufio.Writer, target []string) {
	selected, should := []string{"count(*)"}, []string{strconv.Itoa(c.Data.Records())}
	for _, column := range c.Data.Without(c.sums()).Columns() {
		selected = append(selected, "count("+quoted(column.Name())+")")
		should = append(should, strconv.Itoa(c.Data.Records()-column.MissingCount()))
	}
	fmt.Fprintf(out, "\n-- must return %s\nSELECT %s FROM %s;\n", strings.Join(should, ", "), strings.Join(selected, ", "), relation(target))
}

// comment returns a text for a comment line.
func comment(text string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(text) }
