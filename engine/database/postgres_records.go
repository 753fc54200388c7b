package database

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// located orders records without a key by where they stand in the table, which partitions and views do not tell.
func (d postgresql) located(ctx context.Context, tx *sql.Tx, a *Address, c *Column) (located, error) {
	as := func(declared string) func(string) string {
		return func(text string) string { return "CAST(CAST(" + text + " AS text) AS " + declared + ")" }
	}
	if c != nil {
		name, merges := quoted(c.Name), false // texts that are told apart
		err := tx.QueryRowContext(ctx, "SELECT EXISTS(SELECT 1 FROM pg_attribute a JOIN pg_collation l ON l.oid = "+
			"a.attcollation WHERE a.attrelid = to_regclass($1) AND a.attname = $2 AND NOT l.collisdeterministic)",
			a.relation(), c.Name).Scan(&merges)
		out := located{called: c.Name, expression: name, text: d.text(c, name), given: as(c.declared),
			valid: func(text string) bool { return c.spells(text) }}
		if merges {
			out.expression, out.given = out.text, as("text")
		}
		return out, err
	}
	stored, blocks := false, 0
	err := tx.QueryRowContext(ctx, "SELECT relkind IN ('r', 'm'), pg_relation_size(oid) / current_setting('block_size')::int "+
		"FROM pg_class WHERE oid = to_regclass($1)", a.relation()).Scan(&stored, &blocks)
	if err != nil || !stored {
		return located{}, err
	}
	return located{called: "ctid", expression: "ctid", text: "ctid::text", given: as("tid"), always: true,
		valid: regexp.MustCompile(`^\([0-9]{1,9},[0-9]{1,4}\)$`).MatchString,
		spans: func(from string, back bool) []string { return spansOf(blocks, from, back) }}, nil
}

// spansOf parts the blocks of a table from that of a ctid on, or back from it, "": from the first or last: few
// blocks, in which a page mostly is, and then ever more.
func spansOf(blocks int, ctid string, back bool) (spans []string) {
	low, high := 0, blocks
	if at, _, found := strings.Cut(strings.TrimPrefix(ctid, "("), ","); found {
		low, _ = strconv.Atoi(at)
		high = low + 1
	}
	for size := 64; ; size *= 8 {
		if back {
			low = max(0, high-size)
		} else {
			high = low + size
		}
		spans = append(spans, fmt.Sprintf(" AND ctid >= '(%d,0)' AND ctid < '(%d,0)'", low, high))
		if back && low == 0 || !back && high >= blocks {
			return spans
		}
		low, high = high, low
	}
}

// spells reports whether a text is one of a value of the column: servers log those that are none. Only texts and
// numbers are known to be.
func (c *Column) spells(text string) bool {
	bits := map[string]int{"int2": 16, "int4": 32, "int8": 64}[c.form]
	_, err := strconv.ParseInt(text, 10, max(1, bits))
	return c.form == "text" || bits > 0 && err == nil || c.form == "numeric" && len(text) < 100 && plainNumber.MatchString(text)
}

var plainNumber = regexp.MustCompile(`^-?[0-9]+([.][0-9]+)?$`)

// sent leaves numbers and what else is plain to the server, which sends their texts anyway.
func (d postgresql) sent(c *Column) string {
	if exact[c.form] {
		return quoted(c.Name)
	}
	return d.group(c)
}

// each reads on the connection itself, while database/sql is to rewrite a statement that asks nothing.
func (postgresql) each(ctx context.Context, tx *sql.Tx, statement string, q *query, take func(cells [][]byte) error) error {
	r := &reading{statement: statement, values: q.values, take: take}
	_, err := tx.ExecContext(ctx, "SELECT", r)
	return cmp.Or(r.failed, err)
}

// reading reads the records of a statement, with their cells as the server sends them.
type reading struct {
	statement string
	values    []any
	take      func(cells [][]byte) error
	failed    error
}

// RewriteQuery reads them, and leaves a statement as it is.
func (r *reading) RewriteQuery(ctx context.Context, c *pgx.Conn, statement string, _ []any) (string, []any, error) {
	rows, err := c.Query(ctx, r.statement, append([]any{pgx.QueryResultFormats{pgx.TextFormatCode}}, r.values...)...)
	if err == nil {
		defer rows.Close()
		for err == nil && rows.Next() {
			err = r.take(rows.RawValues())
		}
		rows.Close()
		err = cmp.Or(err, rows.Err())
	}
	r.failed = err
	return statement, nil, err
}
