package fileio

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

var _ passer = text("")

func (text) inPieces() bool { return true }

func (k text) pass(ctx context.Context, in *input, f Format, p *Pass, meter *progress.Meter) (*Passed, error) {
	if err := k.check(in); err != nil {
		return nil, err
	}
	in.readCodeLists(ctx, f)
	return passText(ctx, *in, f, p, tuning{}, meter)
}

// textPass is a pass over a text file.
type textPass struct {
	*reading
	*Pass
	groups    *grouping
	by        []int // places of the variables that groups go by, in the file
	summed    int   // place of the variable that is added up; -1: none
	described []describing
	number    *parallel.Turns // of pieces whose groups are numbered
	write     *parallel.Turns
}

func passText(ctx context.Context, in input, f Format, p *Pass, how tuning, meter *progress.Meter) (*Passed, error) {
	wanted := f
	wanted.Columns = p.columns(f.Columns)
	r, err := beginText(ctx, in, wanted, how, meter)
	if err != nil {
		return nil, err
	}
	r.format.Columns = f.Columns
	if err := r.readOn(p.From); err != nil {
		return nil, unreadable(in.name, err)
	}
	t := &textPass{reading: r, Pass: p, groups: newGrouping(p, in.budget),
		number: parallel.NewTurns(r.first.index), write: parallel.NewTurns(r.first.index)}
	t.groups.total = p.From.Record
	if t.by, t.summed, err = p.places(r.names); err != nil {
		return nil, prefixed(in.name, err)
	}
	t.described = make([]describing, len(r.names))
	for i, name := range r.names {
		if t.variables[i].skipped || slices.Contains(t.by, i) {
			continue
		}
		t.described[i].most = p.most(name)
		known := p.Known[name]
		t.variables[i].many.Store(known != nil && known.numbers() && t.described[i].most == 0)
	}
	r.visit, r.turns = t.visit, []*parallel.Turns{t.number, t.write}
	if err := r.parse(ctx); err != nil {
		return nil, unreadable(in.name, err)
	}
	return t.passed(ctx, meter)
}

// markOf returns where a block begins; zero where the bytes of the file are not those of the text.
func (r *reading) markOf(b *block, before int) Mark {
	if _, compressed := r.content.(*zipped); compressed || b.at == 0 || decoding(r.format.Encoding) != nil {
		return Mark{}
	}
	return Mark{Record: before, offset: int64(b.at + len(byteOrderMark(r.format.Encoding))), line: b.line}
}

// readOn goes on at a mark; zero: where it is.
func (r *reading) readOn(m Mark) (err error) {
	if m.offset == 0 {
		return nil
	}
	c := r.cut
	c.source, c.rest, c.waiting, c.ended = io.NewSectionReader(r.content, m.offset, r.size-m.offset), nil, false, false
	c.offset, c.line, r.start = int(m.offset)-len(byteOrderMark(r.format.Encoding)), m.line, 0
	if r.first, err = c.next(nil); err == nil && r.first == nil {
		err = failure(ErrEmpty, "%s: the file has become shorter; open it again", r.name)
	}
	return err
}

// visit does the parts of a pass that a block has.
func (t *textPass) visit(ctx context.Context, p *parser, b *block, rows int) error {
	for i := range t.described {
		if t.described[i].most > 0 {
			t.described[i].add(&t.variables[i], &p.columns[i], b.index)
		}
	}
	columns := make([][]uint32, len(t.by))
	for i, place := range t.by {
		columns[i] = t.codes(place, &p.columns[place])
	}
	l := t.groups.number(rows, columns)
	if t.summed >= 0 {
		l.sums, l.decimals = t.sums(&p.columns[t.summed])
	}
	piece := &Piece{Records: rows}
	err := t.inTurn(ctx, t.number, b, func() error {
		err := t.groups.add(l, piece)
		if piece.Mark = t.markOf(b, piece.First); err == nil && t.InOrder != nil {
			err = t.InOrder(piece)
		}
		return err
	})
	if err != nil || t.Beside == nil || t.stopped(b.index) {
		return err
	}
	piece.data = func(ctx context.Context) (*microdata.Dataset, error) { return t.data(ctx, p, rows) }
	finish, err := t.Beside(ctx, piece)
	if err != nil || finish == nil {
		return err
	}
	return t.inTurn(ctx, t.write, b, finish)
}

// inTurn does work in the turn of a block, unless a block before it has an error.
func (t *textPass) inTurn(ctx context.Context, turns *parallel.Turns, b *block, work func() error) (err error) {
	ended := turns.Take(ctx, b.index, func() {
		if t.stopped(b.index) {
			return
		}
		if err = work(); err != nil {
			t.fail(b.index, err) // before the next block has its turn
		}
	})
	return cmp.Or(ended, err)
}

// codes returns the codes of cells in the lexicon of a variable; 0 is missing.
func (t *textPass) codes(place int, c *cells) []uint32 {
	v, words := &t.variables[place], make([]uint32, len(c.vocabulary.texts)+1)
	v.mutex.Lock()
	for i, w := range c.vocabulary.texts {
		if code := v.word(w.text, w.quoted) >> 1; v.marks[code-1]&blankWord == 0 {
			words[i+1] = code
		}
	}
	v.mutex.Unlock()
	out := make([]uint32, len(c.codes))
	for i, code := range c.codes {
		out[i] = words[code]
	}
	return out
}

// sums returns cells as numbers, those that are none as NaN.
func (t *textPass) sums(c *cells) (values []float64, decimals int) {
	if c.asNumbers {
		for i, places := range c.numbers.decimals {
			if !c.numbers.missing(i) {
				decimals = max(decimals, decimalsOf(places))
			}
		}
		return c.numbers.values, decimals
	}
	d := t.variables[t.summed].dialect
	words := []float64{math.NaN()}
	for _, w := range c.vocabulary.texts {
		value, places, ok := parseNumber(w.text, d.mark)
		if _, missing := d.blank(w.text, w.quoted); missing || !ok {
			value, places = math.NaN(), 0
		}
		words, decimals = append(words, value), max(decimals, decimalsOf(places))
	}
	values = make([]float64, len(c.codes))
	for i, code := range c.codes {
		values[i] = words[code]
	}
	return values, decimals
}

// data makes the columns of a block, as those of the whole file are made.
func (t *textPass) data(ctx context.Context, p *parser, rows int) (*microdata.Dataset, error) {
	piece := &reading{dialect: t.dialect, input: t.input, format: t.format, names: t.names, book: t.known(),
		variables: make([]variable, len(t.variables)), rows: []int{rows}}
	for i := range piece.variables {
		v, of := &piece.variables[i], &t.variables[i]
		v.dialect, v.nominal, v.skipped = of.dialect, of.nominal, of.skipped
		known := t.Known[t.names[i]]
		v.texts = of.nominal || known != nil && known.Kind == microdata.Category
	}
	(&parser{reading: piece, columns: p.columns}).keep(&block{expected: rows})
	data, _, err := piece.assemble(ctx)
	return data, err
}

// known returns what is said of the variables: by the codebook, or as it is known.
func (t *textPass) known() codebook {
	if t.book != nil || t.Known == nil {
		return t.book
	}
	book := codebook{}
	for name, known := range t.Known {
		book[name] = known.Said
	}
	return book
}

// passed returns what the pass found.
func (t *textPass) passed(ctx context.Context, meter *progress.Meter) (*Passed, error) {
	out := &Passed{Records: t.groups.total}
	var columns []*microdata.Column
	spellings := map[string]*microdata.Spelling{}
	for i, name := range t.names {
		at := slices.Index(t.by, i)
		switch {
		case at >= 0:
			column, spelling, err := t.columnOf(ctx, i, t.groups.distinct.Codes()[at])
			if err != nil {
				return nil, prefixed(t.name, err)
			}
			columns, spellings[name] = append(columns, column), &spelling
		case i == t.summed:
			column, err := t.groups.sumColumn(t.book[name])
			if err != nil {
				return nil, err
			}
			columns = append(columns, column)
		}
	}
	if t.groups.distinct != nil {
		data, err := microdata.NewGrouped(columns, t.groups.records)
		if err != nil {
			return nil, err
		}
		out.Groups = data.WithSpellings(spellings)
	}
	described, lookalikes, err := t.describedAll(ctx, out.Groups)
	if err != nil {
		return nil, prefixed(t.name, err)
	}
	out.Variables = described
	out.ReadReport = t.ended(firstOf(lookalikes, "variable",
		"would be numbers but for cells that look like missing codes"), meter)
	return out, nil
}

// columnOf makes a column of codes of the lexicon of a variable, one a row.
func (t *textPass) columnOf(ctx context.Context, i int, codes []uint32) (*microdata.Column, microdata.Spelling, error) {
	v := &t.variables[i]
	words := make([]uint32, len(v.words))
	for code := range words {
		words[code] = uint32(code+1) << 1
	}
	v.chunks = []chunk{{to: len(codes), codes: microdata.CodesOf(codes), words: words, empty: slices.Contains(codes, 0)}}
	column, spelling, _, err := t.column(ctx, i, []int{0, len(codes)}) // a row is no record: its warning counts wrongly
	return column, spelling, err
}
