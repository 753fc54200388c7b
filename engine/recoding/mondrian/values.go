package mondrian

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// account computes the information loss of the regions.
//
// The certainty penalty [Xu and others 2006] is the mean, over records and variables, of the share of the
// variable's range that the region covers: of its values for numbers, of its ranks if it is ordered, and of its
// categories otherwise (one less than their number, divided by one less than that of the variable). It is 1 if
// missing and other values are in one region. Values, ranks and categories are those of the source. 0 means no
// loss, 1 complete loss. Discernibility [Bayardo and Agrawal 2005] is the sum of the squared sizes of the regions.
func (p *partition) account() *method.Regions {
	a := &method.Regions{Count: len(p.regions)}
	records := 0
	lost := 0.0
	for _, r := range p.regions {
		width := 0.0
		for _, e := range r.spans {
			width += e.penalty()
		}
		lost += float64(width * float64(r.records))
		records += r.records
		a.Discernibility += r.records * r.records
		if a.Smallest == 0 || r.records < a.Smallest {
			a.Smallest = r.records
		}
		a.Largest = max(a.Largest, r.records)
	}
	a.Mean = float64(records) / float64(max(1, len(p.regions)))
	a.Penalty = lost / float64(max(1, records*len(p.axes)))
	return a
}

// penalty returns the share of the variable's range that the extent covers, or 1 if records with and without a
// value are together.
func (e *extent) penalty() float64 {
	if e.missing && e.low > 0 {
		return 1
	}
	return e.width
}

// generalise returns the data in which every record has the values of its region, and the number of cells changed.
func (p *partition) generalise(ctx context.Context, data *microdata.Dataset, t *keys.Table, columns []*microdata.Column,
	meter *progress.Meter) (*microdata.Dataset, int, error) {
	made := make([]*spans, len(columns))
	for v := range made {
		made[v] = &spans{axis: p.axes[v], of: make([]uint32, len(p.counts)), places: map[string]uint32{}}
	}
	for i, r := range p.regions {
		if i&255 == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
		for v, e := range r.spans {
			place := made[v].place(e)
			for _, key := range p.keys[r.from:r.to] {
				made[v].of[key] = place
			}
		}
	}
	changed := 0
	for v, column := range columns {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		same, before := made[v].same(), changed
		for key, place := range made[v].of {
			if place != same[p.axes[v].codes[key]] {
				changed += int(p.counts[key])
			}
		}
		if changed > before {
			data = data.With(made[v].column(column, t.RowKeys(), same))
		}
		meter.Add(int64(column.Len() / len(columns)))
	}
	return data, changed, nil
}

// spans has the distinct extents of the regions on one variable.
type spans struct {
	axis    *axis
	of      []uint32 // per key: index in extents plus 1; 0: missing
	extents []extent
	places  map[string]uint32 // index by mark
}

// place returns the index of an extent, adding it if necessary.
func (s *spans) place(e extent) uint32 {
	if e.low == 0 {
		return 0
	}
	mark := e.mark()
	place, known := s.places[mark]
	if !known {
		s.extents = append(s.extents, e)
		place = uint32(len(s.extents))
		s.places[mark] = place
	}
	return place
}

// mark returns a string that identifies an extent: its source values, and the level of a hierarchy.
func (e *extent) mark() string {
	mark := []byte{0}
	if e.missing {
		mark[0] = 1
	}
	mark = append(mark, e.name...)
	for _, code := range append([]uint32{e.from, e.to}, e.sources...) {
		mark = binary.LittleEndian.AppendUint32(mark, code)
	}
	return string(mark)
}

// same returns, per code, the index of the extent with the same source values as the category, or 0 if there is
// none.
func (s *spans) same() []uint32 {
	places := make([]uint32, len(s.axis.of))
	for code := range places[1:] {
		places[code+1] = s.places[s.axis.of[code+1].mark()]
	}
	return places
}

// column returns the variable with the extents as levels, ordered by their ends. It is a recode like others, so
// recode by intervals starts from the source values again.
func (s *spans) column(column *microdata.Column, recordKeys, same []uint32) *microdata.Column {
	was := column.Categories()
	order := stat.InOrder(len(s.extents))
	slices.SortFunc(order, func(i, j uint32) int { return s.extents[i].compare(&s.extents[j]) })
	levels := make([]microdata.Level, len(order))
	code := make([]uint32, len(order)+1)
	identity := make([]uint32, len(order)+1)
	taken := make(map[string]bool, len(was.Levels))
	for _, level := range was.Levels {
		taken[level.Label] = true
	}
	labels, meanings := column.Unrecoded().Described().Labels, map[string]string{}
	stays := make(map[uint32]microdata.Level) // by index: the unchanged category, the first of equal ones
	for code, place := range slices.Backward(same) {
		if place > 0 {
			stays[place-1] = was.Levels[code-1]
		}
	}
	for i, place := range order {
		if level, ok := stays[place]; ok {
			levels[i] = level
		} else {
			levels[i] = s.extents[place].level(s.axis.source, taken)
			meanings[levels[i].Label] = s.extents[place].meaning(s.axis.source, labels)
		}
		code[place+1], identity[i+1] = uint32(i+1), uint32(i+1)
	}
	codes := microdata.NewCodes(column.Len(), len(levels))
	for record, key := range recordKeys {
		codes.Set(record, code[s.of[key]])
	}
	made := &microdata.Categories{Levels: levels, Codes: codes, Ordered: !s.axis.nominal}
	from := microdata.NewCategorical(column.Name(), microdata.Category,
		made).WithDescription(column.Description().WithLabels(meanings))
	return column.Regroup(from, levels, identity, !s.axis.nominal)
}

// compare orders extents by their first and last value, then by all values, with missing values last.
func (e *extent) compare(other *extent) int {
	return cmp.Or(cmp.Compare(e.from, other.from), cmp.Compare(e.to, other.to),
		slices.Compare(e.sources, other.sources), cmp.Compare(e.mark()[0], other.mark()[0]), cmp.Compare(e.name, other.name))
}

// level labels an extent by its source values, "15-34", "15-25 to 60-80", "north+south", or by the level of a
// hierarchy, each followed by " or missing" if a value is missing.
func (e *extent) level(source *microdata.Categories, taken map[string]bool) microdata.Level {
	label := "missing"
	if e.from > 0 {
		label = e.label(source)
		if e.missing {
			label += " or missing"
		}
	}
	unique := label
	for n := 2; taken[unique]; n++ {
		unique = fmt.Sprintf("%s (%d)", label, n)
	}
	taken[unique] = true
	level := microdata.Level{Label: unique, Value: math.NaN()}
	if unique == label && e.from == e.to && !e.missing && e.from > 0 && e.name == "" {
		level.Value = source.Levels[e.from-1].Value
	}
	return level
}

// meaning returns the meaning of the source values from their labels, or "" if one has no label.
func (e *extent) meaning(source *microdata.Categories, labels map[string]string) string {
	codes := e.sources
	if len(codes) == 0 {
		for code := e.from; code > 0 && code <= e.to; code++ {
			codes = append(codes, code)
		}
	}
	var parts []string
	for _, code := range codes {
		if source.Counts()[code] == 0 {
			continue
		}
		label, known := labels[source.Levels[code-1].Label]
		if !known {
			return ""
		}
		parts = append(parts, label)
	}
	if e.missing && len(parts) > 0 {
		parts = append(parts, "missing")
	}
	return strings.Join(parts, ", ")
}

// label returns the label of the source values.
func (e *extent) label(source *microdata.Categories) string {
	first, last := source.Levels[e.from-1].Label, source.Levels[e.to-1].Label
	switch {
	case e.name != "":
		return e.name
	case len(e.sources) > 1:
		return wording.Joined(e.sources, "+", func(code uint32) string { return source.Levels[code-1].Label })
	case e.from == e.to:
		return first
	case strings.Contains(first+last, "-"):
		return first + " to " + last
	default:
		return first + "-" + last
	}
}
