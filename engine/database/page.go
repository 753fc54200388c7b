package database

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/paged"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// Page returns some records of the table as it is now. Variables are its columns as they were described. Without
// something to sort by, a page that follows another one is found by the key, or by what the database tells records
// apart by; else they are counted off. Errors are those of Open, what wraps notation.ErrCondition for a filter that
// does not fit, and streamed.ErrChanged for records of no group.
func (t *Table) Page(ctx context.Context, w *paged.Wanted, variables []fileio.Described, g *Groups) (*paged.Page, error) {
	page := &paged.Page{Before: -1}
	return page, t.within(ctx, false, func(tx *sql.Tx) error {
		p := &paging{Table: t, ctx: ctx, tx: tx, query: &query{}, page: page, wanted: w, variables: variables}
		if err := p.begin(); err != nil {
			return err
		}
		if err := p.find(); err != nil {
			return err
		}
		return p.finish(g)
	})
}

// paging is the making of a page.
type paging struct {
	*Table
	*query
	ctx       context.Context
	tx        *sql.Tx
	page      *paged.Page
	wanted    *paged.Wanted
	variables []fileio.Described
	located   located
	where     string
	filtered  int // values of the filter
	failed    error
	cells     [][]*string // of the records, with what tells them apart behind
}

// begin makes the filter, and asks what the records are told apart by.
func (p *paging) begin() (err error) {
	if p.where, err = paged.Sift[string](p.wanted.Filter, p.variables, p); err == nil {
		err = p.failed
	}
	if err != nil {
		return err
	}
	p.filtered = len(p.values)
	if p.address.key != "" || len(p.address.others) == 0 { // places are told of the records of one table
		p.located, err = p.address.dialect.located(p.ctx, p.tx, p.address, p.column(p.address.key))
	}
	p.page.Called = p.located.called
	return err
}

// read reads records, with what stands behind the filter. Only of those that are found texts are made.
func (p *paging) read(behind string) error {
	names := p.names()
	selected, own := append(p.texts(names), cmp.Or(p.located.text, "NULL")), quotedAll(names)
	if p.address.key == "" && p.located.called != "" {
		own = append(own, p.located.called)
	}
	from := p.from
	if len(p.values) > p.filtered {
		from = p.address.dialect.gathered(from, names)
	}
	rows, err := p.tx.QueryContext(p.ctx, "SELECT "+strings.Join(selected, ", ")+" FROM (SELECT "+strings.Join(own, ", ")+
		" FROM "+from+" WHERE "+p.where+behind+") t", p.values...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		cells, into := make([]*string, len(names)+1), make([]any, len(names)+1)
		for i := range into {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		p.cells = append(p.cells, cells)
	}
	p.values = p.values[:p.filtered]
	return rows.Err()
}

// find reads the records, one more than are wanted, and says where they stand.
func (p *paging) find() error {
	if len(p.wanted.By) > 0 || p.located.called == "" {
		return p.countOff()
	}
	if err := p.follow(); err != nil {
		return err
	}
	for _, cells := range p.cells {
		mark := ""
		if of := cells[len(cells)-1]; of != nil {
			mark = markValue + *of
		}
		p.page.Marks = append(p.page.Marks, mark)
	}
	switch {
	case p.wanted.From.At == paged.First:
		p.page.Before = 0
	case p.wanted.From.At == paged.Last && p.wanted.Filter.IsZero():
		p.page.Before = max(0, p.Records-len(p.cells))
	}
	return nil
}

// markValue begins the mark of a record with a value of what tells records apart; that of the one without is empty.
const markValue = "="

// follow finds records by what they are told apart by. The one without comes last.
func (p *paging) follow() error {
	e, most, from := p.located.expression, p.wanted.Records+1, p.wanted.From
	value, valued := strings.CutPrefix(from.Mark, markValue)
	compares, order := map[paged.Anchor]string{paged.After: " > ", paged.Before: " < ", paged.From: " >= "}[from.At], ""
	if from.At == paged.From {
		if value, valued = from.Mark, true; p.located.valid != nil && !p.located.valid(value) {
			return notation.Refusedf("that is no value that %s can have: type one as it stands there", p.located.called)
		}
	}
	back := from.At == paged.Last || from.At == paged.Before
	if back {
		order = " DESC"
	}
	without := func() error {
		if p.located.always || len(p.cells) == most {
			return nil
		}
		return p.read(" AND " + e + " IS NULL LIMIT 1")
	}
	if from.At == paged.Last {
		if err := without(); err != nil {
			return err
		}
	}
	if from.At == paged.After && !valued {
		return nil
	}
	spans := []string{""}
	if p.located.spans != nil {
		spans = p.located.spans(value, back)
	}
	for _, span := range spans {
		if len(p.cells) == most {
			break
		}
		behind := " AND " + e + " IS NOT NULL" + span
		if valued {
			behind += " AND " + e + compares + p.located.given(p.value(value))
		}
		if err := p.read(fmt.Sprintf("%s ORDER BY %s%s LIMIT %d", behind, e, order, most-len(p.cells))); err != nil {
			return err
		}
	}
	if back {
		slices.Reverse(p.cells)
		return nil
	}
	return without()
}

// countOff finds records by their number in an order, from its end where the number is negative.
func (p *paging) countOff() error {
	most, from := p.wanted.Records+1, p.wanted.From
	mark, err := strconv.Atoi(from.Mark)
	if from.At == paged.First || from.At == paged.Last {
		mark, err = 0, nil
	}
	if err != nil {
		return fmt.Errorf("%w: records in this order have numbers; type one", ErrColumn)
	}
	back := from.At == paged.Last || mark < 0
	first := mark // of those that are read, from the end where it goes back
	switch {
	case from.At == paged.Last:
		first = 0
	case from.At == paged.After && back:
		first = max(0, -mark-1-most)
		most = min(most, -mark-1-first)
	case from.At == paged.After:
		first = mark + 1
	case from.At == paged.Before && back:
		first = -mark
	case from.At == paged.Before:
		first = max(0, mark-most)
		most = mark - first
	case from.At == paged.From:
		first = max(0, mark-1)
	}
	if err := p.read(fmt.Sprintf(" ORDER BY %s LIMIT %d OFFSET %d", strings.Join(p.order(back), ", "), most, first)); err != nil {
		return err
	}
	if back {
		slices.Reverse(p.cells)
		first = -first - len(p.cells)
	} else {
		p.page.Before = first
	}
	for i := range p.cells {
		p.page.Marks = append(p.page.Marks, strconv.Itoa(first+i))
	}
	return nil
}

// order returns what records are ordered by: missing cells last, records that are alike by what tells them apart.
func (p *paging) order(back bool) (by []string) {
	add := func(expression string, down bool) {
		if down != back {
			expression += " DESC"
		}
		if back {
			by = append(by, expression+" NULLS FIRST")
		} else {
			by = append(by, expression+" NULLS LAST")
		}
	}
	for _, sorted := range p.wanted.By {
		blank, value := p.Missing(sorted.Variable), p.text(sorted.Variable)
		if p.kind(sorted.Variable) != microdata.Category {
			value = p.address.dialect.real(p.column(sorted.Variable))
		}
		add("CASE WHEN "+blank+" THEN NULL ELSE "+value+" END", sorted.Down)
	}
	if p.located.called == "" {
		add(p.address.dialect.record(p.texts(p.names())), false)
		return by
	}
	add(p.located.expression, false)
	return by
}

func (p *paging) kind(variable string) microdata.Kind {
	at := slices.IndexFunc(p.variables, func(v fileio.Described) bool { return v.Name == variable })
	return p.variables[at].Kind
}

// finish makes the page of the records.
func (p *paging) finish(g *Groups) error {
	names := p.names()
	for _, cells := range p.cells {
		name := ""
		if of := cells[len(names)]; of != nil {
			name = *of
		}
		p.page.Names = append(p.page.Names, name)
		group, err := p.groupOf(g, cells)
		if err != nil {
			return err
		}
		p.page.Groups = append(p.page.Groups, group)
	}
	known := map[string]*fileio.Described{}
	for i := range p.variables {
		known[p.variables[i].Name] = &p.variables[i]
	}
	return p.page.Cut(p.wanted, func(from, to int) (data *microdata.Dataset, err error) {
		if from == to {
			return paged.Empty(p.variables)
		}
		text := appendCSV(nil, heading(names))
		for _, cells := range p.cells[from:to] {
			text = appendCSV(text, append(slices.Clone(cells[:len(names)]), &anything))
		}
		pass := &fileio.Pass{Known: known, Piece: len(text) + 1, Beside: func(ctx context.Context, piece *fileio.Piece) (func() error, error) {
			data, err = piece.Data(ctx)
			return nil, err
		}}
		_, err = fileio.ReadPassFrom(p.ctx, p.address.Name(), bytes.NewReader(text), p.Format(), pass)
		if err != nil || data == nil {
			return nil, err
		}
		return data.Without([]string{data.Columns()[len(names)].Name()}), nil
	})
}

// groupOf returns the group of a record.
func (p *paging) groupOf(g *Groups, cells []*string) (uint32, error) {
	by := make([]*string, len(g.By))
	for i, name := range g.By {
		by[i] = cells[slices.IndexFunc(p.Columns, func(c Column) bool { return c.Name == name })]
	}
	at, found := slices.BinarySearch(g.records, recordText(by))
	if !found {
		return 0, streamed.ErrChanged
	}
	return uint32(at), nil
}
