package fileio

import (
	"bytes"
	"cmp"
	"context"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// batchFields is the approximate number of fields that are found before the columns collect them: few enough to
// stay in the processor's cache.
const batchFields = 1 << 12

// parser parses blocks in one goroutine.
type parser struct {
	*readState
	fields  []field
	columns []cells
}

// lines returns the records of a block from an offset on.
func (r *readState) lines(b *block, at int) *lines {
	l := &lines{dialect: r.dialect, data: b.data, end: b.end, pos: at, invalid: b.end}
	if r.checked {
		l.invalid = invalidUTF8(b.data[:b.end])
	}
	return l
}

// record appends the fields of the next record.
func (r *readState) record(l *lines, b *block, fields []field) ([]field, error) {
	before := len(fields)
	fields, problem := l.next(fields)
	if l.invalid < b.end && (problem == nil && l.invalid < l.pos || problem != nil && l.invalid < problem.at) {
		return nil, failureAt(ErrEncoding, r.name, r.lineOf(b, l.invalid),
			"byte 0x%02X is not UTF-8; choose another encoding, such as windows-1252", b.data[l.invalid])
	}
	if problem == nil {
		return fields, nil
	}
	opened := r.lineOf(b, problem.opened)
	if problem.at < 0 {
		return nil, failureAt(ErrQuote, r.name, opened,
			"the opening quote of field %s is not closed before the end of the file; close it, or choose quote none",
			wording.Number(len(fields)-before+1))
	}
	return nil, failureAt(ErrQuote, r.name, r.lineOf(b, problem.at),
		"text follows the closing quote of a field that starts in line %s; double the quotes inside the field, or "+
			"choose quote none", wording.Number(opened))
}

// take parses a block and records its error.
func (p *parser) take(ctx context.Context, b *block, at int) {
	if err := p.block(ctx, b, at); err != nil {
		p.fail(b.index, err)
	}
}

// block parses the records of a block from an offset on.
func (p *parser) block(ctx context.Context, b *block, at int) error {
	for i := range p.columns {
		if !p.variables[i].skipped {
			p.columns[i].start(p.variables[i].Many.Load())
		}
	}
	l := p.lines(b, at)
	rows := 0
	for l.pos < l.end {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.batch(l, b); err != nil {
			return err
		}
		rows += len(p.fields) / len(p.columns)
		for i := range p.columns {
			if p.variables[i].skipped {
				continue
			}
			p.columns[i].add(b.data, p.fields, i, len(p.columns), p.variables[i].dialect)
		}
	}
	for i := range p.columns {
		if !p.variables[i].skipped {
			p.variables[i].take(b, &p.columns[i])
		}
	}
	if err := cmp.Or(p.budget.Err(), p.format.Scratch.Err()); err != nil {
		return err
	}
	t := l.tally
	for _, m := range []*occurrences{&t.empty, &t.fixed.short, &t.fixed.other} {
		m.first = p.lineOf(b, m.first)
	}
	if first := bytes.IndexByte(b.data[:b.end], 0); first >= 0 {
		t.nulls = occurrences{bytes.Count(b.data[:b.end], []byte{0}), p.lineOf(b, first)}
	}
	p.done(rows, t)
	return nil
}

// batch finds the fields of the next batch of records.
func (p *parser) batch(l *lines, b *block) (err error) {
	p.fields = p.fields[:0]
	for l.pos < l.end && (len(p.fields) < batchFields) {
		start, before := l.pos, len(p.fields)
		if p.fields, err = p.record(l, b, p.fields); err != nil {
			return err
		}
		if l.pos-start > statfile.MostCell {
			if err := p.checkCells(b, start, p.fields[before:]); err != nil {
				return err
			}
		}
		count := len(p.fields) - before
		if count == len(p.columns) {
			continue
		}
		if blankLine(p.fields[before:]) {
			l.empty.add(occurrences{1, start})
			p.fields = p.fields[:before]
			continue
		}
		return failureAt(ErrRagged, p.name, p.lineOf(b, start),
			"%s, expected %s; check the delimiter, and the quotes of that line", fieldsOf(count),
			wording.Number(len(p.columns)))
	}
	return nil
}

// fieldsOf describes the number of fields of a record; fields beyond a limit are not counted.
func fieldsOf(count int) string {
	if count > mostVariables {
		return "more than " + wording.Counted(mostVariables, "field")
	}
	return wording.Counted(count, "field")
}

// checkCells returns an error if a field of a record exceeds the size limit.
func (p *parser) checkCells(b *block, start int, fields []field) error {
	for i, f := range fields {
		if f.end-f.start&startMask > statfile.MostCell {
			return failureAt(ErrLimit, p.name, p.lineOf(b, start),
				"field %s exceeds %s, the limit; check for an unclosed quote", wording.Number(i+1),
				statfile.Megabytes(statfile.MostCell))
		}
	}
	return nil
}

// parse reads all blocks after the first, which is cut already. Each worker cuts and parses blocks in turn. The
// error is that of the first failed block in file order.
func (r *readState) parse(ctx context.Context) error {
	var cutting sync.Mutex
	c, first, start := r.cut, r.first, r.start
	r.first = nil
	next := func(memory []byte) (b *block, at int) {
		cutting.Lock()
		defer cutting.Unlock()
		if b, at = first, start; b != nil {
			first = nil
			return b, at
		}
		if ctx.Err() != nil || r.stopped(c.index) {
			return nil, 0
		}
		b, err := c.next(memory)
		if err != nil {
			r.fail(c.index, err)
		}
		return b, 0
	}
	// Each worker ends by itself, and the context is never cancelled.
	_ = parallel.Tasks(context.Background(), r.workers, r.workers, func(_, _ int) {
		parser := &parser{readState: r, columns: make([]cells, len(r.variables))}
		for b, at := next(nil); b != nil; b, at = next(b.data) {
			parser.take(ctx, b, at)
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return r.failed
}

func (r *readState) fail(index int, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.failed == nil || index < r.failedAt {
		r.failed, r.failedAt = err, index
	}
}

// stopped reports whether an earlier block failed.
func (r *readState) stopped(index int) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.failed != nil && r.failedAt < index
}

// done adds the records and the tally of a block.
func (r *readState) done(records int, t tally) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.records += records
	r.tally.add(t)
}
