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

// search holds the records that meet a condition, as far as they were searched.
type search struct {
	searchKey
	meets    func(record int) bool // nil: all records
	records  []uint32
	examined int // number of records examined
}

// searchKey identifies a search: the data, the filter, and the order.
type searchKey struct {
	of         *microdata.Dataset
	assessment *risk.Assessment
	filter     string
	order      *permutation // the order in which records are examined
}

// count returns the number of matches, with "+" while there may be more.
func (f *search) count() string {
	if f.examined < f.of.Len() {
		return draw.Count(len(f.records)) + "+"
	}
	return draw.Count(len(f.records))
}

// matches returns the last search.
func (p *Records) matches() *search { return p.found.Last() }

// refind starts a new search if the data or the condition changed. While the assessment is being computed, the
// earlier matches stay.
func (p *Records) refind(s views.State) {
	data := s.Current.Data
	if data == nil {
		return
	}
	p.reorder(s)
	of := searchKey{data, s.Current.Assessment, p.Filter, p.sorted.shown}
	if of.assessment == nil && p.matches().of == data {
		of.assessment = p.matches().assessment
	}
	p.found.Look(of, func() search {
		f := search{searchKey: of, meets: p.ofLevel(data)}
		if p.Filter == "" {
			return f
		}
		filter, err := notation.ParseCondition(p.Filter)
		var meets func(record int) bool
		if err == nil {
			meets, err = filter.Bind(s.Scope())
		}
		p.err = err
		level := f.meets
		switch f.meets = meets; {
		case err != nil: // the filter does not fit these data: no matches, and p.err has the reason
			f.meets, f.examined = func(int) bool { return false }, data.Len()
		case level != nil:
			f.meets = func(record int) bool { return level(record) && meets(record) }
		}
		return f
	})
}

// ofLevel returns the condition of the category that was drilled into, or nil for all records.
func (p *Records) ofLevel(data *microdata.Dataset) func(record int) bool {
	column, ok := data.Column(p.variable)
	if !ok {
		return nil
	}
	codes, level := column.Categories().Codes, p.level
	return func(record int) bool { return codes.At(record) == level }
}

const (
	firstLook  = 1 << 18 // records examined at once, in about 10 ms
	lookAtOnce = 1 << 14 // records examined between two checks of the clock
)

// look examines the next records, no more than most, until the budget of time is used.
func (f search) look(ctx context.Context, most int, budget time.Duration) (records []uint32, examined int) {
	started, examined := time.Now(), f.examined
	for end := min(f.of.Len(), examined+most); examined < end && ctx.Err() == nil; {
		for part := min(end, examined+lookAtOnce); examined < part; examined++ {
			if record := f.order.at(examined); f.meets(record) {
				records = append(records, uint32(record))
			}
		}
		if time.Since(started) >= budget {
			break
		}
	}
	return records, examined
}

// Seek sorts the records, or examines the next ones.
func (p *Records) Seek(s views.State) views.Piece {
	p.Rows(s)
	if piece := p.sorted.seek(); piece != nil {
		return piece
	}
	from := *p.matches()
	if from.meets == nil || from.examined >= from.of.Len() {
		return p.seekCell(s)
	}
	return p.found.Extend(from.searchKey, func(ctx context.Context, budget time.Duration) (func(*search), error) {
		records, examined := from.look(ctx, from.of.Len(), budget)
		return func(f *search) { f.records, f.examined = append(f.records, records...), examined }, nil
	})
}

// Rows returns the number of records in the list, as far as they were found.
func (p *Records) Rows(s views.State) int {
	p.refind(s)
	f := p.matches()
	if f.meets == nil {
		return s.Rows()
	}
	if f.examined == 0 {
		f.records, f.examined = f.look(context.Background(), firstLook, time.Hour)
	}
	return len(f.records)
}

// record returns the record at a place of the list.
func (p *Records) record(place int) int {
	f := p.matches()
	if f.meets == nil {
		return p.sorted.shown.at(place)
	}
	return int(f.records[place])
}

// NewMatching returns the grid of the records that meet a condition.
func NewMatching(condition string) *Records {
	p := NewRecords("", 0)
	p.Filter, p.given = condition, condition
	return p
}
