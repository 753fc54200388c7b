package database

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// FrequencyRelease is a protected frequency table with the information needed to protect the table of records.
type FrequencyRelease struct {
	Data    *microdata.Dataset // protected rows, without variables that are not released
	Base    *microdata.Dataset // rows as read
	Weights string             // variable with sums of weights, or ""
	Table   *Table             // table that was read; nil if the frequency table was a file
	Name    string             // name of the table of records, if the frequency table was a file
}

// CreateCounted has the database that counted a frequency table create the protected table of records, and verify
// it with counts; see Create. It is one transaction, and no statement contains values of cells. Errors are those
// of Create.
func CreateCounted(ctx context.Context, target *Address, c *FrequencyRelease, scenario *microdata.Scenario) error {
	if c.Table == nil || reflect.TypeOf(c.Table.address.server) != reflect.TypeOf(target.server) || c.Table.address.server == (clickHouse{}) {
		return fmt.Errorf("%w: a frequency table can be protected only in the PostgreSQL or SQLite database that counted it; write an "+
			".sql file instead, and run it where the records are", ErrAddress)
	}
	if target.connect != c.Table.address.connect {
		return fmt.Errorf("%w: the protected table must be in the database that counted the frequency table, with the same options in "+
			"the address", ErrAddress)
	}
	return create(ctx, target, c.Data.Without(c.sums()), scenario, func(tx transaction, table []string) ([]string, error) {
		r, err := c.releasing(table)
		if err != nil {
			return nil, err
		}
		for _, h := range r.helpers {
			if _, err = tx.create(ctx, h.table, target.columnsFor(h.data, nil)); err == nil {
				err = tx.fill(ctx, h.table, newRecords(h.data), nil)
			}
			if err != nil {
				return nil, err
			}
		}
		err = tx.execute(ctx, r.statement)
		for i := 0; i < len(r.helpers) && err == nil; i++ {
			err = tx.execute(ctx, "DROP TABLE "+relation(r.helpers[i].table))
		}
		return table, err
	})
}

// releasing is the plan for creating a protected table from the table of records and helper tables. Each counted
// variable has a dictionary from its original values to the new codes and values; the table parts lists, for
// records with the same codes, how many lose which cells.
type releasing struct {
	helpers   []helper
	target    []string
	statement string
}

// helper is a helper table.
type helper struct {
	table []string
	data  *microdata.Dataset
}

// variable is a counted variable to release.
type variable struct {
	column     *microdata.Column
	made       []uint32 // new code by code in the source
	kept       bool     // no value changed
	suppressed bool     // some cells are suppressed
}

// releasing returns the plan for a protected table with the given name. It returns an error if a variable cannot
// be protected in this way.
func (c *FrequencyRelease) releasing(target []string) (*releasing, error) {
	variables, err := c.variables()
	if err != nil {
		return nil, err
	}
	r := &releasing{target: target}
	for i := range variables {
		if err := r.help(strconv.Itoa(i+1), variables[i].dictionary()); err != nil {
			return nil, err
		}
	}
	if slices.ContainsFunc(variables, func(v variable) bool { return v.suppressed }) {
		if err := r.help("parts", parts(c.Data, variables)); err != nil {
			return nil, err
		}
	}
	r.statement = c.statement(r, variables)
	return r, nil
}

// variables returns the counted variables to release.
func (c *FrequencyRelease) variables() (variables []variable, err error) {
	for _, column := range c.Data.Without(c.sums()).Columns() {
		if _, read := c.Base.Column(column.Name()); !read {
			return nil, fmt.Errorf("%w: a step created %q, and the database cannot repeat that; remove the variable from the release", ErrColumn,
				column.Name())
		}
		was := column.Source().Categories()
		now := column.Categories()
		v := variable{column: column, kept: true, suppressed: column.SuppressedCount() > 0}
		var known bool
		if v.made, known = now.MadeOf(was); !known {
			return nil, fmt.Errorf("%w: a step replaced values of %q in single records, and the database cannot repeat that", ErrColumn,
				column.Name())
		}
		for code := range was.Levels {
			to := v.made[code+1]
			v.kept = v.kept && to > 0 && now.Levels[to-1].Label == was.Levels[code].Label
		}
		variables = append(variables, v)
	}
	if len(variables) == 0 {
		return nil, fmt.Errorf("%w: no variable is left to release", ErrColumn)
	}
	return variables, nil
}

// sums returns the variables with sums of weights.
func (c *FrequencyRelease) sums() (names []string) {
	for _, column := range c.Data.Columns() {
		if name := column.Name(); name == c.Weights || c.Table != nil && name == c.Table.address.weight {
			names = append(names, name)
		}
	}
	return names
}

// help adds a helper table.
func (r *releasing) help(name string, columns []*microdata.Column) error {
	data, err := microdata.NewDataset(columns)
	if err != nil {
		return err
	}
	last := len(r.target) - 1
	table := append(slices.Clone(r.target[:last]), r.target[last]+"_"+name)
	r.helpers = append(r.helpers, helper{table, data})
	return nil
}

// dictionary returns the columns original, code and value of a dictionary, with a row for each value that does not
// become missing.
func (v *variable) dictionary() []*microdata.Column {
	was, now := v.column.Source(), v.column.Categories()
	var original, value []string
	var codes []float64
	for i, level := range was.Categories().Levels {
		if to := v.made[i+1]; to > 0 {
			original, value, codes = append(original, level.Label), append(value, now.Levels[to-1].Label), append(codes, float64(to))
		}
	}
	return []*microdata.Column{listed("original", was.Kind(), original), integers("code", codes), listed("value", v.column.Kind(), value)}
}

// listed returns a column of the given labels.
func listed(name string, kind microdata.Kind, texts []string) *microdata.Column {
	at := map[string]uint32{}
	var levels []microdata.Level
	codes := make([]uint32, len(texts))
	for i, text := range texts {
		if _, there := at[text]; !there {
			value, err := strconv.ParseFloat(text, 64)
			if err != nil || kind == microdata.Category {
				value = math.NaN()
			}
			levels = append(levels, microdata.Level{Label: text, Value: value})
			at[text] = uint32(len(levels))
		}
		codes[i] = at[text]
	}
	return microdata.NewCategorical(name, kind, &microdata.Categories{Levels: levels, Codes: microdata.CodesOf(codes)})
}

// integers returns a column of integers.
func integers(name string, values []float64) *microdata.Column {
	column := microdata.NewNumeric(name, microdata.Whole, &microdata.Numbers{Values: values})
	return column
}

// parts returns the columns of the table parts: c1, c2, ... with the codes of records; first and last, the range
// of records with these codes, numbered from 1 in any order, that lose cells; and s1, s2, ..., which are 1 if the
// variable's cell is suppressed.
func parts(data *microdata.Dataset, variables []variable) []*microdata.Column {
	type pattern struct {
		codes []uint32
		lost  map[string]float64 // number of records by mask of suppressed cells
		masks []string
	}
	at := map[string]*pattern{}
	var patterns []*pattern
	key := make([]byte, 0, 4*len(variables))
	for row := range data.Len() {
		mask, codes := make([]byte, len(variables)), make([]uint32, len(variables))
		key = key[:0]
		for i := range variables {
			v := &variables[i]
			codes[i] = v.made[v.column.Source().Categories().Codes.At(row)]
			mask[i] = '0'
			if codes[i] != 0 && v.column.Categories().Codes.At(row) == 0 {
				mask[i] = '1'
			}
			key = append(key, byte(codes[i]), byte(codes[i]>>8), byte(codes[i]>>16), byte(codes[i]>>24))
		}
		if !slices.Contains(mask, '1') {
			continue
		}
		p := at[string(key)]
		if p == nil {
			p = &pattern{codes: codes, lost: map[string]float64{}}
			at[string(key)], patterns = p, append(patterns, p)
		}
		if _, there := p.lost[string(mask)]; !there {
			p.masks = append(p.masks, string(mask))
		}
		p.lost[string(mask)] += float64(data.Multiplicity()[row])
	}
	codes, lost := make([][]float64, len(variables)), make([][]float64, len(variables))
	var first, last []float64
	for _, p := range patterns {
		from := 1.0
		for _, mask := range p.masks {
			first, last = append(first, from), append(last, from+p.lost[mask]-1)
			from += p.lost[mask]
			for i := range variables {
				codes[i], lost[i] = append(codes[i], float64(p.codes[i])), append(lost[i], float64(mask[i]-'0'))
			}
		}
	}
	columns := []*microdata.Column{integers("first", first), integers("last", last)}
	for i := range variables {
		columns = append(columns, integers("c"+strconv.Itoa(i+1), codes[i]))
		if variables[i].suppressed {
			columns = append(columns, integers("s"+strconv.Itoa(i+1), lost[i]))
		}
	}
	return columns
}

// statement returns the statement that creates the protected table. The database chooses at random which records
// with the same codes lose cells.
func (c *FrequencyRelease) statement(r *releasing, variables []variable) string {
	from, cell := c.source()
	var released, coded, joins, codes, on []string
	withParts := len(r.helpers) > len(variables)
	for i := range variables {
		v, n := &variables[i], strconv.Itoa(i+1)
		name := quoted(v.column.Name())
		value := "d" + n + ".value"
		if v.kept {
			value = "CASE WHEN d" + n + ".code IS NOT NULL THEN s." + name + " END"
		}
		coded = append(coded, "coalesce(d"+n+".code, 0) AS c"+n, value+" AS v"+n)
		joins = append(joins, "    LEFT JOIN "+relation(r.helpers[i].table)+" d"+n+" ON "+cell(v.column.Name())+" = d"+n+".original\n")
		codes, on = append(codes, "c"+n), append(on, "p.c"+n+" = r.c"+n)
		if value = "r.v" + n; v.suppressed {
			value = "CASE WHEN p.s" + n + " = 1 THEN NULL ELSE r.v" + n + " END"
		}
		released = append(released, value+" AS "+name)
	}
	for i, name := range c.others() {
		k := "k" + strconv.Itoa(i+1)
		coded, released = append(coded, "s."+quoted(name)+" AS "+k), append(released, "r."+k+" AS "+quoted(name))
	}
	records := "\n    SELECT " + strings.Join(coded, ", ") + "\n    FROM " + from + " s\n" + strings.Join(joins, "")
	joined := ""
	if withParts {
		records = "\n  SELECT q.*, row_number() OVER (PARTITION BY " + strings.Join(codes, ", ") + " ORDER BY random()) AS n FROM (" +
			records + "  ) q\n"
		joined = "\nLEFT JOIN " + relation(r.helpers[len(r.helpers)-1].table) + " p ON " + strings.Join(on, " AND ") +
			" AND r.n BETWEEN p.first AND p.last"
	}
	return "CREATE TABLE " + relation(r.target) + " AS\nSELECT " + strings.Join(released, ",\n  ") + "\nFROM (" + records + ") r" + joined
}

// source returns the table of records, and a function that returns the expression for a column's values.
func (c *FrequencyRelease) source() (from string, cell func(column string) string) {
	if c.Table == nil {
		return relation(tableOf(c.Name)), func(column string) string { return "s." + quoted(column) }
	}
	t := c.Table
	return t.from(c.others()), func(column string) string { return t.address.server.cell(t.column(column)) }
}

// others returns the columns copied to the protected table: the weights and those of keep=.
func (c *FrequencyRelease) others() []string {
	if c.Table == nil {
		return c.sums()
	}
	return slices.Concat(c.sums(), c.Table.address.keep)
}

// tableOf splits the name of a table, as written in addresses, at its point.
func tableOf(name string) []string {
	if tables, err := tableNames(name); err == nil && len(tables) == 1 {
		return tables[0]
	}
	return []string{name}
}
