package views

import (
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/notation"
	"github.com/sdcdesk/sdcdesk/engine/risk"
)

// search is the records that meet a condition, as far as they were looked for.
type search struct {
	of         *microdata.Dataset
	assessment *risk.Assessment
	filter     string
	meets      func(record int) bool // nil: all records
	records    []uint32
	looked     int // records looked at
}

// count spells how many were found; "+" while there may be more.
func (f *search) count() string {
	if f.looked < f.of.Len() {
		return Count(len(f.records)) + "+"
	}
	return Count(len(f.records))
}

// refind starts anew where the data or the condition changed.
func (p *Records) refind(s State) {
	data, assessment := s.Current.Data, s.Current.Assessment
	f := &p.found
	if data == nil || f.of == data && f.filter == p.filter && (f.assessment == assessment || assessment == nil) {
		return
	}
	*f = search{of: data, assessment: assessment, filter: p.filter}
	level := p.ofLevel(data)
	if p.filter == "" {
		f.meets = level
		return
	}
	filter, err := notation.ParseCondition(p.filter)
	if err == nil {
		f.meets, err = filter.Bind(s.scope())
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

// lookAtOnce is the number of records that Work looks at: about a hundredth of
// a second.
const lookAtOnce = 1 << 18

// Pending reports whether there are records that were not looked at.
func (p *Records) Pending(s State) bool {
	p.refind(s)
	return p.found.meets != nil && p.found.looked < p.found.of.Len()
}

// Work looks at the next records.
func (p *Records) Work(s State) {
	if !p.Pending(s) {
		return
	}
	f := &p.found
	end := min(f.of.Len(), f.looked+lookAtOnce)
	for record := f.looked; record < end; record++ {
		if f.meets(record) {
			f.records = append(f.records, uint32(record))
		}
	}
	f.looked = end
}

// rows returns the number of records in the list, as far as they were found.
func (p *Records) rows(s State) int {
	p.refind(s)
	if p.found.meets == nil {
		return s.records()
	}
	if p.found.looked == 0 {
		p.Work(s)
	}
	return len(p.found.records)
}

// record returns the record at a place of the list.
func (p *Records) record(place int) int {
	if p.found.meets == nil {
		return place
	}
	return int(p.found.records[place])
}
