package database

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/draws"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Release is what the steps of a session come to, for a table.
type Release struct {
	Groups *Groups            // as they were counted
	Data   *microdata.Dataset // after the steps
	Deals  []*streamed.Deal   // of the steps
	Drop   []string           // variables that are left out
	Secret string             // of the order of records that lose cells
}

// released is a column of the protected records.
type released struct {
	name    string
	column  *microdata.Column
	known   bool // the table has it
	changed bool // by the steps
	blanked bool // cells were suppressed and nothing else

	// uncounted has the values by themselves that steps changed, which column has, too; nil: groups of records have them
	uncounted *microdata.Column
	set       string          // of columns that have what becomes of it
	place     int             // in the set
	times     []*draws.Sample // of a weight: the samples that multiply it
}

// value returns the name of the column that has its values after the steps.
func (c *released) value() string { return "sdcdesk_v" + c.set + strconv.Itoa(c.place) }

// before returns the name of the column that has its texts before the steps.
func (c *released) before() string { return "sdcdesk_t" + strconv.Itoa(c.place) }

// blanks returns the name of the column that tells which of its cells became missing, and those of others.
func (c *released) blanks() string { return "sdcdesk_b" + c.set + strconv.Itoa(c.place/blanksTogether) }

// blank returns a condition that the cell became missing.
func (c *released) blank() string {
	digit := int64(1) << (c.place % blanksTogether)
	return fmt.Sprintf("%s %% %d >= %d", c.blanks(), 2*digit, digit)
}

// columns returns what is released, in the order of the variables.
func (r *Release) columns(t *Table) (out []released) {
	places := 0
	for _, masked := range r.Data.Columns() {
		column, _ := masked.Unmasked()
		c := released{name: column.Name(), column: column, known: t.column(column.Name()) != nil}
		if slices.Contains(r.Drop, c.name) {
			continue
		}
		counted := slices.Contains(r.Groups.By, c.name)
		switch {
		case column.Uncounted() && column.Source() != column:
			c.column, c.uncounted, c.changed, c.set = column.Alone(), column, true, "alone"+strconv.Itoa(len(out))+"_"
		case column.Sums():
			c.times = streamed.Weighing(r.Deals, c.name)
		case c.known && !counted, c.known && column.Source() == column:
		default:
			c.changed = true
			c.blanked = c.known && column.OnlySuppressed()
			c.place = places
			places++
		}
		out = append(out, c)
	}
	return out
}

// emptied reports whether the cells of a row became missing: they were suppressed, or a recode left them out. Those of
// no row, -1, are of records that samples left out.
func (c *released) emptied(row int) bool {
	return row < 0 || c.column.Suppressed().Has(row) || c.known && c.column.Missing(row) && !c.column.Source().Missing(row)
}

// cells returns the cells of the records of a relation that has the columns of the table, and those of
// values: as texts, or of the types that a protected table has.
func (t *Table) cells(columns []released, missing string, asText bool) []string {
	cells := make([]string, 0, len(columns))
	for _, c := range columns {
		own := quoted(c.name)
		var text string
		if c.known {
			text = t.address.dialect.text(t.column(c.name), own)
			own = t.server().cell(t.column(c.name), own)
		}
		blank := "CASE WHEN " + c.blank() + " THEN "
		switch {
		case len(c.times) > 0 && !asText:
			cells = append(cells, t.server().times(t.column(c.name), c.times))
		case !c.changed && asText:
			cells = append(cells, text)
		case !c.changed:
			cells = append(cells, own)
		case c.blanked && asText:
			cells = append(cells, blank+missing+" ELSE "+text+" END")
		case c.blanked:
			cells = append(cells, blank+"NULL ELSE "+own+" END")
		case asText || c.column.Kind() == microdata.Category:
			value := c.value()
			if c.known {
				value = "coalesce(" + value + ", " + text + ")"
			}
			cells = append(cells, blank+missing+" ELSE "+value+" END")
		case c.set == "":
			cells = append(cells, "CAST("+blank+"NULL ELSE "+c.value()+" END AS "+t.typeOf(&c)+")")
		default:
			cells = append(cells, "CAST("+c.value()+" AS "+t.typeOf(&c)+")")
		}
		cells[len(cells)-1] += " AS " + quoted(c.name)
	}
	return cells
}

// typeOf returns the type that a changed column has in a protected table.
func (t *Table) typeOf(c *released) string {
	text, whole, number := t.address.dialect.types()
	switch c.column.Kind() {
	case microdata.Whole:
		return whole
	case microdata.Number:
		return number
	default:
		return text
	}
}

// records returns a statement for the protected records: their cells; as texts with the row after the steps where they
// stand behind. masked are cells of variables whose records draw their numbers; nil: there are none.
func (t *Table) records(ctx context.Context, tx *sql.Tx, q *query, r *Release, masked *maskedCells, asText bool) (string,
	error) {
	columns := masked.of(r.columns(t))
	missing := "NULL"
	if asText && t.missing[0] != "" {
		missing = q.value(t.missing[0])
	}
	t, names, err := masked.join(ctx, tx, q, t, columns)
	if err != nil {
		return "", err
	}
	t, valued, err := t.valued(ctx, tx, q, columns, names)
	if err != nil {
		return "", err
	}
	own, cells := append(quotedAll(t.names()), valued...), t.cells(columns, missing, asText)
	selected := func(row string) string {
		if !asText { // nobody asks for it
			return "SELECT " + strings.Join(cells, ", ") + " FROM "
		}
		return "SELECT " + strings.Join(cells, ", ") + ", " + row + " AS sdcdesk_row FROM "
	}
	from := "(SELECT " + strings.Join(own, ", ") + " FROM " + t.from + ") s"
	if len(r.Groups.By) == 0 && len(r.Deals) == 0 {
		return selected("0") + from, nil
	}
	plan, err := streamed.NewPlan(len(r.Groups.records), r.Deals)
	if err != nil {
		return "", err
	}
	d, whole, all, known := t.server(), "", false, false
	if r.Groups.hashes != nil && t.dated && !asText {
		whole, all, known, err = t.byDictionary(ctx, tx, q, r, plan, newValues(columns, ""), own)
	}
	if !known && err == nil {
		whole, all, err = t.byGroup(ctx, tx, q, r, plan, newValues(columns, ""), own, asText)
	}
	statement := selected("sdcdesk_row") + whole
	if all || err != nil {
		return statement, err
	}
	dealt, row, after, err := t.dealt(ctx, tx, q, r.Groups, plan, r.Secret, own, own)
	if err != nil {
		return "", err
	}
	parts := newValues(columns, "")
	for _, row := range after {
		parts.add(int(row))
	}
	p, err := d.upload(ctx, tx, q, "sdcdesk_parts", append([]uploaded{{name: row, numbers: after}},
		parts.uploaded()...))
	return statement + " UNION ALL " + selected(row) + "(" + dealt + ") s" + d.join("INNER") + p + " USING (" + row + ")", err
}

// byGroup is byDictionary with all of these groups uploaded, with the row where it is asked for.
func (t *Table) byGroup(ctx context.Context, tx *sql.Tx, q *query, r *Release, plan *streamed.Plan, whole *values,
	own []string, withRow bool) (relation string, all bool, err error) {
	groups, rows, d := []int{}, []int64{}, t.server()
	for group, row := range plan.Rows {
		if row >= 0 {
			groups, rows = append(groups, group), append(rows, int64(row))
			whole.add(int(row))
		}
	}
	columns := append([]uploaded{r.Groups.addresses(groups)}, whole.uploaded()...)
	if withRow {
		columns = append(columns, uploaded{name: "sdcdesk_row", numbers: rows})
	}
	relation, err = d.upload(ctx, tx, q, "sdcdesk_whole", columns)
	return t.addressed(r.Groups, own, "") + d.join("INNER") + relation + " USING (sdcdesk_address)", len(groups) == len(plan.Rows), err
}

// addressed returns a relation of columns of the records of the table, with the address of their group as
// sdcdesk_address; perhaps only of those whose address a relation has.
func (t *Table) addressed(g *Groups, columns []string, among string) string {
	address := t.addressOf(g)
	return "(SELECT " + strings.Join(columns, ", ") + ", " + address + " AS sdcdesk_address FROM " +
		t.from + t.server().among(address, among) + ") s"
}

// quotedAll returns names as SQL takes them.
func quotedAll(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = quoted(name)
	}
	return out
}

// dealt returns a statement for the records that are dealt out: columns, which have names, and in a column called row
// their row after the deals; and which rows there are.
func (t *Table) dealt(ctx context.Context, tx *sql.Tx, q *query, g *Groups, plan *streamed.Plan, secret string,
	columns, names []string) (statement, row string, rows []int64, err error) {
	d := t.server()
	groups, firstRows, firstKeys := []int{}, []int64{}, []int64{}
	for group, row := range plan.Rows {
		if row < 0 {
			groups, firstRows = append(groups, group), append(firstRows, int64(group))
			firstKeys = append(firstKeys, plan.Keys[group])
		}
	}
	rowAfter := func(deals int) string { return "sdcdesk_row" + strconv.Itoa(deals) }
	relation, err := d.upload(ctx, tx, q, "sdcdesk_dealt", []uploaded{g.addresses(groups),
		{name: rowAfter(0), numbers: firstRows}, {name: "sdcdesk_key", numbers: firstKeys}})
	if err != nil {
		return "", "", nil, err
	}
	columns, names = t.withHomes(plan, columns, names)
	statement = "SELECT " + strings.Join(names, ", ") + ", sdcdesk_text, sdcdesk_key, " + rowAfter(0) + " FROM " +
		t.addressed(g, append(columns, t.identifying()+" AS sdcdesk_text"), relation) +
		d.join("INNER") + relation + " USING (sdcdesk_address)"
	statement, names = t.drawing(q, plan, statement, names, rowAfter(0), secret)
	for i, cuts := range plan.Cuts {
		row, number := rowAfter(i), drawn(i)
		relation, err := d.upload(ctx, tx, q, "sdcdesk_cuts"+strconv.Itoa(i), cutColumns(row, cuts))
		if err != nil {
			return "", "", nil, err
		}
		switch {
		case plan.Draws[i] != "":
		case plan.Together[i] != nil:
			number = "sdcdesk_loses"
			if statement, err = t.inHouseholds(ctx, tx, q, i, plan.Together[i], statement, append(slices.Clone(names), row)); err != nil {
				return "", "", nil, err
			}
		default:
			number = "sdcdesk_number"
			statement = d.numbered(statement, append(slices.Clone(names), row), "sdcdesk_key", t.turns(names, row)...)
		}
		statement = "SELECT " + strings.Join(names, ", ") + ", sdcdesk_after AS " + rowAfter(i+1) +
			", sdcdesk_next AS sdcdesk_key FROM (" + statement + ") t" +
			d.join("INNER") + relation + " USING (" + row + ") WHERE " + number + " BETWEEN sdcdesk_first AND sdcdesk_last"
	}
	for _, cut := range plan.Cuts[len(plan.Cuts)-1] {
		rows = append(rows, int64(cut.After))
	}
	slices.Sort(rows)
	return statement, rowAfter(len(plan.Cuts)), slices.Compact(rows), nil
}

// identifying returns the text that tells a record from others that are not alike.
func (t *Table) identifying() string {
	if t.address.key != "" {
		return "coalesce(" + t.text(t.address.key) + ", '')"
	}
	return t.address.dialect.record(t.texts(t.names()))
}

// drawn returns what the numbers are called that records draw in a deal.
func drawn(deal int) string { return "sdcdesk_draw" + strconv.Itoa(deal) }

// drawing returns a statement that tells of records what deals go by: the order within keys, and what they draw,
// which is another number for each of records that are alike. names are those of its columns but for the key and row.
func (t *Table) drawing(q *query, plan *streamed.Plan, statement string, names []string, row, secret string) (
	string, []string) {
	d, number, draws := t.server(), "", slices.ContainsFunc(plan.Draws, func(secret string) bool { return secret != "" })
	together := slices.ContainsFunc(plan.Together, func(of *streamed.Together) bool { return of != nil && of.Shares != nil })
	if t.address.key == "" && (draws || together) {
		number = "sdcdesk_number"
		statement = d.numbered(statement, append(slices.Clone(names), "sdcdesk_key", row), "sdcdesk_text", row)
	}
	var selected, called []string
	add := func(expression, name string) {
		selected, called = append(selected, expression+" AS "+name), append(called, name)
	}
	own := func(secret string) string { return d.draw(q.value(secret), "sdcdesk_text", number) }
	names = t.homes(q, plan, names, own, add)
	selected, called = append(selected, names...), append(called, names...)
	if slices.Contains(plan.Draws, "") {
		add(d.order(q.value(secret), "sdcdesk_text"), "sdcdesk_order")
	}
	if together || number != "" {
		add(cmp.Or(number, "1"), "sdcdesk_twin")
	}
	for i, secret := range plan.Draws {
		if secret != "" && plan.Together[i] == nil {
			add(own(secret), drawn(i))
		}
	}
	statement = "SELECT " + strings.Join(selected, ", ") + ", sdcdesk_key, " + row + " FROM (" + statement + ") t"
	if draws {
		statement += d.once()
	}
	return statement, called
}

// turns returns the columns by which records of a key have their turn. Those that are alike have it by their number, or
// where they have none by the row in which they stand by then.
func (t *Table) turns(names []string, row string) []string {
	switch {
	case t.address.key != "":
		return []string{"sdcdesk_order"}
	case slices.Contains(names, "sdcdesk_twin"):
		row = "sdcdesk_twin"
	}
	return []string{"sdcdesk_order", row}
}

func cutColumns(row string, cuts []streamed.Cut) []uploaded {
	columns := []uploaded{{name: row}, {name: "sdcdesk_first"}, {name: "sdcdesk_last"}, {name: "sdcdesk_after"},
		{name: "sdcdesk_next"}}
	for i := range columns {
		columns[i].numbers = make([]int64, 0, len(cuts))
	}
	for _, cut := range cuts {
		for i, number := range []int64{int64(cut.Row), cut.First, cut.Last, int64(cut.After), cut.Key} {
			columns[i].numbers = append(columns[i].numbers, number)
		}
	}
	return columns
}

// Count counts what a step gives that is the last of some deals, and returns the data after it; before are those
// before it. The meter tells how far the database has come, where it says so.
func (t *Table) Count(ctx context.Context, r *Release, before *microdata.Dataset, deal *streamed.Deal,
	meter *progress.Meter) (after *microdata.Dataset, err error) {
	ctx, _ = t.questions(ctx, meter, 1)
	return after, t.within(ctx, false, func(tx *sql.Tx) error {
		if err := t.unchanged(ctx, tx); err != nil {
			return err
		}
		count := t.countDealt
		if t.here() {
			count = t.countDealtHere
		}
		after, err = count(ctx, tx, r, before, deal)
		return err
	})
}

// countDealt lets the server count it.
func (t *Table) countDealt(ctx context.Context, tx *sql.Tx, r *Release, before *microdata.Dataset, deal *streamed.Deal) (
	*microdata.Dataset, error) {
	values := streamed.NewValues(before, deal)
	if err := t.sample(ctx, tx, r.Deals, deal, values); err != nil {
		return nil, err
	}
	counting := streamed.NewCounting(r.Deals, deal)
	plan, err := streamed.NewPlan(len(r.Groups.records), append(slices.Clone(r.Deals), deal))
	if err == nil {
		err = t.countParts(ctx, tx, r, plan, counting)
	}
	if err != nil {
		return nil, err
	}
	counting.Others(before, r.Groups.Weight, r.Groups.Decimals)
	after, err := counting.Data(before, r.Groups.Weight)
	if err != nil {
		return nil, err
	}
	return values.Data(after), nil
}

// countParts counts the records that are dealt out, by where they come.
func (t *Table) countParts(ctx context.Context, tx *sql.Tx, r *Release, plan *streamed.Plan,
	counting *streamed.Counting) error {
	q, weight := &query{}, "0"
	if r.Groups.Weight != "" {
		weight = t.server().weight(t.column(r.Groups.Weight))
	}
	dealt, row, _, err := t.dealt(ctx, tx, q, r.Groups, plan, r.Secret, []string{weight + " AS sdcdesk_weight"},
		[]string{"sdcdesk_weight"})
	if err != nil {
		return err
	}
	rows, err := tx.QueryContext(ctx, "SELECT "+row+", count(*), sum(sdcdesk_weight) FROM ("+dealt+
		") t GROUP BY "+row, q.values...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var part, records int64
		var sum string
		if err := rows.Scan(&part, &records, &sum); err != nil {
			return err
		}
		value, err := strconv.ParseFloat(sum, 64)
		if err != nil || part >= int64(len(plan.Parts)) {
			return streamed.ErrChanged
		}
		counting.Part(plan.Parts[part], int(records), value, r.Groups.Decimals)
	}
	return rows.Err()
}
