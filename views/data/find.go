package data

import (
	"context"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// search is the records that meet a condition, as far as they were looked for.
type search struct {
	searched
	meets   func(record int) bool // nil: all records
	records []uint32
	looked  int // records looked at
}

// searched is where something is looked for, and what.
type searched struct {
	of         *microdata.Dataset
	assessment *risk.Assessment
	filter     string
	order      *views.Permutation // the order they are looked for in
}

// count spells how many were found; "+" while there may be more.
func (f *search) count() string {
	if f.looked < f.of.Len() {
		return draw.Count(len(f.records)) + "+"
	}
	return draw.Count(len(f.records))
}

// refind starts anew where the data or the condition changed.
func (p *Records) refind(s views.State) {
	data, assessment := s.Current.Data, s.Current.Assessment
	f := &p.found
	if data == nil {
		return
	}
	p.reorder(s)
	if f.of == data && f.order == p.sorted.Shown && f.filter == p.Filter && (f.assessment == assessment || assessment == nil) {
		return
	}
	*f = search{searched: searched{data, assessment, p.Filter, p.sorted.Shown}}
	level := p.ofLevel(data)
	if p.Filter == "" {
		f.meets = level
		return
	}
	filter, err := notation.ParseCondition(p.Filter)
	if err == nil {
		f.meets, err = filter.Bind(s.Scope())
	}
	if err != nil { // it fitted other data: nothing is found, and it is said why
		p.err = err
		f.meets = func(int) bool { return false }
		f.looked = data.Len()
		return
	}
	p.err = nil
	if meets := f.meets; level != nil {
		f.meets = func(record int) bool { return level(record) && meets(record) }
	}
}

// ofLevel returns the condition of the category that was drilled into; nil:
// all records.
func (p *Records) ofLevel(data *microdata.Dataset) func(record int) bool {
	column, ok := data.Column(p.variable)
	if !ok {
		return nil
	}
	codes, level := column.Categories().Codes, p.level
	return func(record int) bool { return codes.At(record) == level }
}

const (
	firstLook  = 1 << 18 // records that are looked at at once: about a hundredth of a second
	lookAtOnce = 1 << 14 // records between two looks at the clock
)

// look looks at the next records, at most so many and for about so long.
func (f search) look(ctx context.Context, most int, budget time.Duration) (records []uint32, looked int) {
	started, looked := time.Now(), f.looked
	for end := min(f.of.Len(), looked+most); looked < end && ctx.Err() == nil; {
		for part := min(end, looked+lookAtOnce); looked < part; looked++ {
			if record := f.order.At(looked); f.meets(record) {
				records = append(records, uint32(record))
			}
		}
		if time.Since(started) >= budget {
			break
		}
	}
	return records, looked
}

// take takes in the next records, unless something else is looked for by now.
func (f *search) take(from search, records []uint32, looked int) {
	if f.searched == from.searched && f.looked == from.looked {
		f.records, f.looked = append(f.records, records...), looked
	}
}

// Seek looks at the next records.
func (p *Records) Seek(s views.State) func(ctx context.Context, budget time.Duration) (take func()) {
	p.Rows(s)
	if sort := p.sorted.Seek(); sort != nil {
		return func(ctx context.Context, _ time.Duration) func() { return sort(ctx) }
	}
	from := p.found
	if from.meets == nil || from.looked >= from.of.Len() {
		return p.seekCell(s)
	}
	return func(ctx context.Context, budget time.Duration) func() {
		records, looked := from.look(ctx, from.of.Len(), budget)
		return func() { p.found.take(from, records, looked) }
	}
}

// Rows returns the number of records in the list, as far as they were found.
func (p *Records) Rows(s views.State) int {
	p.refind(s)
	if p.found.meets == nil {
		return s.Records()
	}
	if p.found.looked == 0 {
		p.found.records, p.found.looked = p.found.look(context.Background(), firstLook, time.Hour)
	}
	return len(p.found.records)
}

// record returns the record at a place of the list.
func (p *Records) record(place int) int {
	if p.found.meets == nil {
		return p.sorted.Shown.At(place)
	}
	return int(p.found.records[place])
}

// NewMatching returns the grid of the records that meet a condition.
func NewMatching(condition string) *Records {
	p := NewRecords("", 0)
	p.Filter, p.given = condition, condition
	return p
}
