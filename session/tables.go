package session

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
)

// checkTables reports definitions that no data fit, and two with the same name.
func checkTables(definitions []microdata.TableDefinition) error {
	var taken []string
	for i := range definitions {
		name := TableName(definitions, i)
		if err := publish.Check(&definitions[i]); err != nil {
			return fmt.Errorf("%w: %s: %w", microdata.ErrScenario, wording.Excerpt(name), err)
		}
		if seed := definitions[i].Seed; seed != 0 && seed != TableSeed(definitions) {
			return fmt.Errorf("%w: the tables have different seeds", microdata.ErrScenario)
		}
		word := wording.FileWord(name, "-")
		if slices.Contains(taken, word) {
			return fmt.Errorf("%w: two tables are called %q, or nearly so", microdata.ErrScenario, wording.Excerpt(name))
		}
		taken = append(taken, word)
	}
	return nil
}

// TableName returns the name of a table of a scenario: its own, or "table" with its number.
func TableName(definitions []microdata.TableDefinition, i int) string {
	return cmp.Or(definitions[i].Name, fmt.Sprintf("table-%d", i+1))
}

// TableData returns the data that tables are made of: the original values with the categories that recodes made of them.
// Suppression and masking protect records; tables have their own protection.
func (d *Document) TableData(definition *microdata.TableDefinition) *microdata.Dataset {
	var others []string
	var columns []*microdata.Column
	needed := definition.Variables()
	for _, column := range d.Data.Columns() {
		if !slices.Contains(needed, column.Name()) {
			others = append(others, column.Name())
			continue
		}
		spanning := slices.ContainsFunc(definition.By, func(s microdata.Spanning) bool {
			return s.Variable == column.Name() || slices.Contains(s.Nested, column.Name())
		})
		columns = append(columns, unmasked(column, spanning))
	}
	return d.Data.Without(others).With(columns...)
}

// unmasked returns the original values of a variable, as categories with those of the column.
func unmasked(column *microdata.Column, categories bool) *microdata.Column {
	source := column.Source()
	if source == column || !categories && (source.Numeric() || !column.Numeric()) || categories && column.OnlySuppressed() {
		return source
	}
	if !categories {
		return column // it became numeric
	}
	before, now := source.Categories(), column.Categories()
	codes, ok := now.MadeOf(before)
	if !ok {
		return column // its values are not categories of the original
	}
	return microdata.NewCategorical(column.Name(), column.Kind(), before.Mapped(now.Levels, codes, now.Ordered))
}

// Levels returns the levels of a variable that a recode by a hierarchy brought; nil: there are none.
func (d *Document) Levels(variable string) [][]string {
	for i := len(d.Steps) - 1; i >= 0; i-- {
		if m, is := d.Steps[i].method.(*recode.Hierarchy); is && m.Variable == variable {
			if levels, err := m.Levels.Or(m.Table); err == nil && len(levels) > 0 {
				return levels
			}
		}
	}
	return nil
}

// Tables evaluates the tables of the scenario; the definition of each has a name. Those that share cells are protected
// together. A table is a product of the session as the protected file is: the same check, reports and bundle take both.
// Errors name the table, and are those of package publish.
func (d *Document) Tables(ctx context.Context, analyst *Analyst) ([]*publish.Table, error) {
	var all tablesOf
	var by []any
	for i := range d.Scenario.Tables {
		definition := d.Scenario.Tables[i]
		definition.Name = TableName(d.Scenario.Tables, i)
		data := d.TableData(&definition)
		key := []any{"table", &definition}
		for _, s := range definition.By {
			key = append(key, d.Levels(s.Variable))
		}
		table, err := recalled(ctx, analyst, data, func() (*publish.Table, error) {
			return publish.Define(ctx, data, &definition, d.Levels)
		}, key...)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", wording.Excerpt(definition.Name), err)
		}
		all, by = append(all, table), append(by, key, hashText(data), data.Lineage())
	}
	return recalled(ctx, analyst, d.Base, func() (tablesOf, error) { return publish.Protect(ctx, all) }, by...)
}

// tablesOf are the tables of a session.
type tablesOf []*publish.Table

// Bytes returns the memory that the tables take, about.
func (t tablesOf) Bytes() (bytes int) {
	for _, one := range t {
		bytes += one.Bytes()
	}
	return bytes
}

// TablePath returns where a table is written next to a protected file: "survey-protected-turnover.csv".
func TablePath(protected, table string) string {
	stem, _ := fileio.WrittenName(filepath.Base(protected), fileio.NewFormat())
	return filepath.Join(filepath.Dir(protected), stem+"-"+wording.FileWord(table, "-")+".csv")
}

// WriteTable writes a protected table as CSV.
func WriteTable(ctx context.Context, w io.Writer, t *publish.Table, guardFormulas bool) error {
	file, err := t.File()
	if err != nil {
		return err
	}
	_, err = fileio.WriteAs(ctx, "table.csv", w, file, fileio.NewFormat(), fileio.WriteOptions{GuardFormulas: guardFormulas}, nil)
	return err
}

// writeTables stages the tables next to the protected file; if it goes into a database, next to a report.
func (o *RunOptions) writeTables(ctx context.Context, s *fileio.Staging, d *Document, analyst *Analyst) error {
	tables, err := d.Tables(ctx, analyst)
	if err != nil || len(tables) == 0 {
		return err
	}
	stem := o.Out
	if database.Is(stem) {
		if stem = cmp.Or(o.Report, o.ReportUsers, o.Summary); stem == "" {
			o.warn("the tables of the scenario are not written, because the output is in a database: with --report FILE, they are " +
				"written next to the report")
			return nil
		}
	}
	for _, t := range tables {
		path := TablePath(stem, t.Definition.Name)
		for _, other := range []string{o.Out, o.Summary, o.Records, o.Codebook, o.Report, o.ReportUsers} {
			if other != "" && canonical(other) == canonical(path) {
				return fmt.Errorf("%w: %s is also the path of table %s; choose another name", ErrPaths, other, t.Definition.Name)
			}
		}
		if err := s.Add(path, func(w io.Writer) error { return WriteTable(ctx, w, t, o.GuardFormulas) }); err != nil {
			return err
		}
	}
	return nil
}
