package fileio

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// describing counts the values of a variable of a text file that no group goes by. Its words
// stand in the lexicon of the variable, whose lock is its own.
type describing struct {
	counts     []int   // by code of the lexicon, as long as they are few
	first      []int64 // likewise: where the word stands first, in the order of the file
	blank      int     // records without a value
	most       int     // values up to which they are kept; 0: it is not described
	many       bool    // they are not few
	fractional bool    // of many numbers, some have decimals
}

// add counts the cells of a block, of which so many are before it.
func (d *describing) add(v *variable, c *cells, before int) {
	counts := make([]int, len(c.vocabulary.texts)+1)
	for _, code := range c.codes {
		counts[code]++
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	d.blank += counts[0]
	for i, w := range c.vocabulary.texts {
		if d.many {
			d.addMany(v, w, counts[i+1])
			continue
		}
		code := v.word(w.text, w.quoted) >> 1
		for len(d.counts) < len(v.words) {
			d.counts, d.first = append(d.counts, 0), append(d.first, math.MaxInt64)
		}
		d.first[code-1] = min(d.first[code-1], int64(before)<<32+int64(i))
		if d.counts[code-1] += counts[i+1]; v.marks[code-1]&blankWord != 0 {
			d.blank += counts[i+1]
		}
		if len(v.words) > d.most {
			d.forget(v)
		}
	}
}

// forget lets the words go, of which there are many.
func (d *describing) forget(v *variable) {
	d.many = true
	for i, word := range v.words {
		if v.marks[i]&blankWord == 0 && !v.texts {
			d.lookAt(v, []byte(word))
		}
	}
	v.lexicon.free()
	v.marks, d.counts, d.first = nil, nil, nil
}

func (d *describing) addMany(v *variable, w word, count int) {
	if _, missing := v.blank(w.text, w.quoted); missing {
		d.blank += count
	} else if !v.texts {
		d.lookAt(v, w.text)
	}
}

// lookAt says what a word makes of a variable of many.
func (d *describing) lookAt(v *variable, text []byte) {
	value, decimals, ok := parseNumber(text, v.mark)
	v.texts = !ok
	d.fractional = d.fractional || ok && fractional(value, decimals, text, v.mark)
}

// inOrder returns the places of the words in the order in which they come first: a number is spelled as it is there.
func (d *describing) inOrder() []uint32 {
	order := stat.InOrder(len(d.counts))
	slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(d.first[a], d.first[b]) })
	return order
}

// describedAll returns what was found of the variables, and which nearly are numbers.
func (t *textPass) describedAll(ctx context.Context, groups *microdata.Dataset) (all []Described, lookalikes []string,
	err error) {
	for i := range t.described {
		if t.variables[i].skipped || t.most(t.names[i]) == 0 {
			continue
		}
		out := Described{Name: t.names[i]}
		if column := columnIn(groups, out.Name); column != nil && i != t.summed {
			out.Kind, out.Said, out.Blank, out.Column = column.Kind(), column.Description(), column.MissingCount(), column
		} else if err := t.describe(ctx, i, &out); err != nil {
			return nil, nil, err
		}
		if out.Column != nil && t.variables[i].texts {
			if lookalike := lookalikeWarning(out.Column, t.mark, t.format.Missing); lookalike != "" {
				lookalikes = append(lookalikes, lookalike)
			}
		}
		all = append(all, out)
	}
	return all, lookalikes, nil
}

func columnIn(data *microdata.Dataset, name string) *microdata.Column {
	if data == nil {
		return nil
	}
	column, _ := data.Column(name)
	return column
}

// describe says what was found of a variable that no group goes by.
func (t *textPass) describe(ctx context.Context, i int, out *Described) error {
	d, v := &t.described[i], &t.variables[i]
	if out.Blank = d.blank; d.many {
		out.Said = t.said(i)
		switch {
		case v.texts:
		case d.fractional:
			out.Kind = microdata.Number
		default:
			out.Kind = microdata.Whole
		}
		return nil
	}
	codes, counts := []uint32(nil), []int(nil)
	if d.blank > 0 {
		codes, counts = append(codes, 0), append(counts, d.blank)
	}
	for _, code := range d.inOrder() {
		if v.marks[code]&blankWord == 0 {
			codes, counts = append(codes, code+1), append(counts, d.counts[code])
		}
	}
	column, spelling, err := t.columnOf(ctx, i, codes)
	if err != nil {
		return err
	}
	out.Spelling = &spelling
	data, err := microdata.NewGrouped([]*microdata.Column{column}, counts)
	if err != nil {
		return err
	}
	out.Column = data.Columns()[0]
	out.Kind, out.Said = column.Kind(), column.Description()
	return nil
}
