package database

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/notation"
)

// frequency specifies a frequency table, computed by the database: a row for each combination of values that
// occurs, with the number of its records.
type frequency struct {
	count  []string // columns of the combinations; nil to read records
	weight string   // column of weights to sum, or ""
	keep   []string // columns that are not read but copied to the protected table
}

// set parses count=, weight= and keep= of an address.
func (f *frequency) set(named url.Values) error {
	given := func(name string) ([]string, error) {
		rows, ok := notation.Rows(named.Get(name), ',', '\n')
		columns := slices.DeleteFunc(slices.Concat(rows...), func(column string) bool { return column == "" })
		if !ok || named.Has(name) && len(columns) == 0 {
			return nil, fmt.Errorf("%w: name columns after %s=, for example ?table=person&count=region,sex,age", ErrAddress, name)
		}
		return columns, nil
	}
	var err error
	if f.count, err = given("count"); err != nil {
		return err
	}
	if f.keep, err = given("keep"); err != nil {
		return err
	}
	f.weight = named.Get("weight")
	if len(f.count) == 0 && (f.weight != "" || len(f.keep) > 0) {
		return fmt.Errorf("%w: weight= and keep= need a frequency table: remove them, or name the columns to count, for example "+
			"&count=region,sex,age", ErrAddress)
	}
	all := slices.Sorted(slices.Values(slices.Concat(f.count, f.keep, f.weights())))
	if len(slices.Compact(slices.Clone(all))) < len(all) {
		return fmt.Errorf("%w: a column is named twice in count=, weight= and keep=", ErrAddress)
	}
	return nil
}

// Count returns the value of fileio.Format.Count for a frequency table, or "" for records.
func (f *frequency) Count() string {
	if len(f.count) == 0 {
		return ""
	}
	return numberOfRecords
}

// weights returns the column of weights as a list, empty if there is none.
func (f *frequency) weights() []string {
	if f.weight == "" {
		return nil
	}
	return []string{f.weight}
}

// wanted returns the columns to read: those of the frequency table, or the named ones.
func (f *frequency) wanted(named []string) ([]string, error) {
	if len(f.count) == 0 {
		return named, nil
	}
	if len(named) > 0 {
		return nil, fmt.Errorf("%w: count= already names the columns of the frequency table; remove --columns", ErrAddress)
	}
	return slices.Concat(f.count, f.weights()), nil
}

// arranged returns the columns of a frequency table in the order of grouping.
func (f *frequency) arranged(columns []Column) []Column {
	if len(f.count) > 0 {
		selected := slices.Concat(f.count, f.weights())
		slices.SortFunc(columns, func(a, b Column) int {
			return slices.Index(selected, a.Name) - slices.Index(selected, b.Name)
		})
	}
	return columns
}

// grouping returns the SELECT for the rows of a frequency table, ordered by their values.
func (t *Table) grouping() string {
	by, cells, sum := make([]string, len(t.address.count)), make([]string, len(t.address.count)), ""
	for i, name := range t.address.count {
		by[i] = "c" + strconv.Itoa(i+1)
		cells[i] = t.address.server.cell(t.column(name)) + " AS " + by[i]
	}
	if t.address.weight != "" {
		cells, sum = append(cells, "s."+quoted(t.address.weight)+" AS w"), ", sum(w)"
	}
	all := strings.Join(by, ", ")
	return "SELECT " + all + sum + ", count(*) FROM (SELECT " + strings.Join(cells, ", ") + " FROM " + t.from(t.address.weights()) +
		" s) g GROUP BY " + all + " ORDER BY " + all
}

// from returns the FROM item with the counted columns and others: the table, or the union of several.
func (t *Table) from(others []string) string {
	if len(t.address.tables) == 1 {
		return relation(t.address.tables[0])
	}
	columns := strings.Join(quotedAll(slices.Concat(t.address.count, others)), ", ")
	parts := make([]string, len(t.address.tables))
	for i, table := range t.address.tables {
		parts[i] = "SELECT " + columns + " FROM " + relation(table)
	}
	return "(" + strings.Join(parts, " UNION ALL ") + ")"
}

// numberOfRecords is the name of the count column of a frequency table.
const numberOfRecords = "number of records"

// GroupBy returns a statement for any engine that computes a frequency table of the columns, with the sums of a
// column of weights unless it is "". Save the result as a file and read it with "records" as the count variable.
func GroupBy(table string, columns []string, weight string) string {
	by := strings.Join(quotedAll(columns), ", ")
	selected := by + ", count(*) AS " + quoted("records")
	if weight != "" {
		selected += ", sum(" + quoted(weight) + ") AS " + quoted(weight)
	}
	tables, err := tableNames(table)
	if err != nil {
		tables = [][]string{{table}}
	}
	return "SELECT " + selected + "\nFROM " + relation(tables[0]) + "\nGROUP BY " + by + "\nORDER BY " + by + ";\n"
}
