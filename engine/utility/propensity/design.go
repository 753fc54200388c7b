package propensity

import (
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// design has the terms of the regression for the original records followed by the masked ones.
type design struct {
	records int      // number of records in each of the two files
	terms   []string // names of the columns of the regression
	blocks  []source
}

// source has the values of one variable from which terms are computed: codes, where 0 has no term, or the powers
// of standardised numbers. Its terms start at first.
type source struct {
	first  int
	codes  []uint32
	powers [][]float64 // per record
}

func newDesign(in measure.Input, names []string, powers int) *design {
	d := &design{records: in.Current.Data().Len(), terms: []string{"one"}}
	for _, name := range names {
		was, _ := in.Original.Data().Column(name)
		now, _ := in.Current.Data().Column(name)
		if was.Amounts() && now.Amounts() {
			d.addNumbers(name, was.Floats(), now.Floats(), powers)
		} else {
			d.addCategories(name, was.Categories(), now.Categories())
		}
	}
	return d
}

// addCategories adds a term for each label except the first, including missing.
func (d *design) addCategories(name string, was, now *microdata.Categories) {
	s := source{first: len(d.terms), codes: make([]uint32, 0, 2*d.records)}
	codes := map[string]uint32{}
	of := func(c *microdata.Categories) []uint32 {
		mapping := make([]uint32, len(c.Levels)+1)
		for code, count := range c.Counts() {
			if count == 0 {
				continue
			}
			label := "missing"
			if code > 0 {
				label = "= " + c.Levels[code-1].Label
			}
			own, ok := codes[label]
			if !ok {
				own = uint32(len(codes))
				if codes[label] = own; own > 0 {
					d.terms = append(d.terms, name+" "+label)
				}
			}
			mapping[code] = own
		}
		return mapping
	}
	for _, c := range []*microdata.Categories{was, now} {
		mapping := of(c)
		for row := range c.Codes.Len() {
			s.codes = append(s.codes, mapping[c.Codes.At(row)])
		}
	}
	d.blocks = append(d.blocks, s)
}

// addNumbers adds a term for each power, standardised over both files, and one for missing values if there are
// any. Infinite values are replaced by the largest finite ones.
func (d *design) addNumbers(name string, was, now []float64, powers int) {
	all := append(append(make([]float64, 0, 2*d.records), was...), now...)
	count, mean, missing := 0, 0.0, make([]uint32, len(all))
	for i, x := range all {
		if math.IsNaN(x) {
			missing[i] = 1
			continue
		}
		all[i] = math.Max(-1e150, math.Min(1e150, x))
		count++
		mean += (all[i] - mean) / float64(count)
	}
	spread := 0.0
	for i, x := range all {
		if missing[i] == 0 {
			spread = math.Max(spread, math.Abs(x-mean))
		}
	}
	squares := 0.0
	for i, x := range all {
		if all[i] = 0; missing[i] == 0 && spread > 0 {
			all[i] = (x - mean) / spread
			squares += float64(all[i] * all[i])
		}
	}
	if sd := math.Sqrt(squares / float64(max(1, count))); sd > 0 {
		for i := range all {
			all[i] /= sd
		}
	}
	s := source{first: len(d.terms), powers: [][]float64{all}}
	d.terms = append(d.terms, name)
	for power := 2; power <= powers; power++ {
		last, next := s.powers[len(s.powers)-1], make([]float64, len(all))
		for i := range all {
			next[i] = last[i] * all[i]
		}
		s.powers = append(s.powers, next)
		d.terms = append(d.terms, name+strings.Repeat(" x "+name, power-1))
	}
	d.blocks = append(d.blocks, s)
	if count < len(missing) && count > 0 {
		d.blocks = append(d.blocks, source{first: len(d.terms), codes: missing})
		d.terms = append(d.terms, name+" missing")
	}
}

// entries returns the terms of a record that can be non-zero, in order, using the slices as buffers.
func (d *design) entries(row int, places []int, values []float64) ([]int, []float64) {
	places, values = append(places[:0], 0), append(values[:0], 1)
	for k := range d.blocks {
		s := &d.blocks[k]
		if s.codes != nil {
			if code := s.codes[row]; code > 0 {
				places, values = append(places, s.first+int(code)-1), append(values, 1)
			}
			continue
		}
		for power, x := range s.powers {
			places, values = append(places, s.first+power), append(values, x[row])
		}
	}
	return places, values
}
