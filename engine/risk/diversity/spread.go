package diversity

import (
	"context"
	"runtime"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Spread is the distribution of a sensitive variable within each key pattern. It is immutable.
type Spread struct {
	Table   *keys.Table       // of the key variables
	Levels  []microdata.Level // of the sensitive variable; dates in chronological order
	Ordered bool              // whether its levels have an order
	Counts  []int             // records of the file by code; 0 is missing

	start []int // per key pattern: index of its first value; then the end of the last
	codes []uint32
	count []int
}

// NewSpread returns the spread of a variable over the key patterns of the version's scenario, whose key table is
// shared with other measures. It makes a few passes over the records. Errors are those of key tables.
func NewSpread(ctx context.Context, v *measure.Version, variable string) (*Spread, error) {
	variables := append([]string{v.Scenario.Weight, variable}, v.Scenario.Keys...)
	return measure.Once(ctx, v, "spread", variables, func() (*Spread, error) {
		table, err := v.Table(ctx)
		if err != nil {
			return nil, err
		}
		column, _ := v.Column(variable) // the column exists, because its contents were checked
		s := &Spread{Table: table, Levels: v.Levels(variable), Ordered: v.Ordered(variable),
			Counts: make([]int, len(v.Levels(variable))+1)}
		return s, s.gather(ctx, column.Categories().Codes)
	})
}

// gather collects the codes of the records by key pattern and counts the equal ones of each.
func (s *Spread) gather(ctx context.Context, of microdata.Codes) error {
	byKey, rows, start := s.byKey(of)
	var records []int // of each code; nil: one
	if stands := s.Table.Multiplicity(); stands != nil {
		records = make([]int, len(stands))
		place(records, start, rows, stands)
	}
	n := s.Table.Keys()
	count, distinct := make([]int, len(byKey)), make([]uint32, n)
	workers := parallel.Workers(len(byKey), runtime.GOMAXPROCS(0))
	counters := make([]*counter, workers)
	for w := range counters {
		counters[w] = &counter{of: make([]int, len(s.Counts))}
	}
	err := parallel.Blocks(ctx, n, workers, func(worker, from, to int) {
		for key := from; key < to; key++ {
			from, to := start[key], start[key+1]
			if records == nil {
				distinct[key] = uint32(counters[worker].run(byKey[from:to], count[from:to]))
			} else {
				distinct[key] = uint32(counters[worker].add(byKey[from:to], records[from:to], count[from:to]))
			}
		}
	})
	if err != nil {
		return err
	}
	s.start = make([]int, n+1)
	for key, values := range distinct {
		s.start[key+1] = s.start[key] + int(values)
	}
	s.codes, s.count = make([]uint32, s.start[n]), make([]int, s.start[n])
	for key, at := range s.start[:n] {
		from, to := start[key], start[key]+distinct[key]
		copy(s.codes[at:], byKey[from:to])
		copy(s.count[at:], count[from:to])
	}
	for i, code := range s.codes {
		s.Counts[code] += s.count[i]
	}
	return nil
}

// byKey returns the codes of the rows sorted by key pattern, the key pattern of every row, and the index of the
// first code of each key pattern followed by the end.
func (s *Spread) byKey(of microdata.Codes) (codes, rows, start []uint32) {
	rows, start = s.Table.RowKeys(), make([]uint32, s.Table.Keys()+1)
	for _, key := range rows {
		start[key+1]++
	}
	for key := range s.Table.Keys() {
		start[key+1] += start[key]
	}
	codes = make([]uint32, len(rows))
	place(codes, start, rows, of.Between(0, len(rows)))
	return codes, rows, start
}

// place copies the value of each row to the next free index of its key pattern.
func place[D uint32 | int, C uint8 | uint32 | int](dst []D, start, rows []uint32, of []C) {
	next := slices.Clone(start)
	for row, value := range of {
		key := rows[row]
		dst[next[key]] = D(value)
		next[key]++
	}
}

// counter counts equal codes. of[code] is 0 between calls.
type counter struct{ of []int }

// run moves the distinct codes, ascending, to the beginning of the list, stores their counts, and returns how many
// there are.
func (c *counter) run(codes []uint32, count []int) (distinct int) {
	if len(codes) > 12 && 4*len(codes) > len(c.of) {
		for _, code := range codes {
			c.of[code]++
		}
		for code, n := range c.of {
			if n > 0 {
				codes[distinct], count[distinct], c.of[code] = uint32(code), n, 0
				distinct++
			}
		}
		return distinct
	}
	slices.Sort(codes)
	for i, code := range codes {
		if i == 0 || code != codes[distinct-1] {
			codes[distinct] = code
			distinct++
		}
		count[distinct-1]++
	}
	return distinct
}

// add is run for codes that represent several records each.
func (c *counter) add(codes []uint32, records, count []int) (distinct int) {
	for i, code := range codes {
		c.of[code] += records[i]
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	for i, code := range codes {
		count[i], c.of[code] = c.of[code], 0
	}
	return len(codes)
}

// Of returns the codes of a key pattern's values, ascending, with their numbers of records. The slices must not be
// modified.
func (s *Spread) Of(key int) (codes []uint32, count []int) {
	from, to := s.start[key], s.start[key+1]
	return s.codes[from:to], s.count[from:to]
}
