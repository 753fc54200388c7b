package fileio

import "github.com/sdcdesk/sdcdesk/engine/microdata"

// blankCells notes which missing code each missing cell of a column is, as long
// as all are empty fields without a byte per record.
type blankCells struct {
	of   []uint8 // number of the missing code per record; nil: 0 for all
	seen [2 * (maxMissing + 1)]bool
}

func (b *blankCells) put(record int, number uint8, records int) {
	b.seen[number] = true
	if number == 0 {
		return
	}
	if b.of == nil {
		b.of = make([]uint8, records)
	}
	b.of[record] = number
}

// spell notes how the missing cells are spelled. codes are the missing codes of
// the format.
func (b *blankCells) spell(out *microdata.Spelling, codes []string) {
	if b.of == nil {
		return
	}
	var index [len(b.seen)]uint8
	for number, seen := range b.seen {
		if seen {
			index[number] = uint8(len(out.Missing))
			out.Missing = append(out.Missing, microdata.MissingSpelling{Text: codes[number/2], Quoted: number%2 == 1})
		}
	}
	if len(out.Missing) == 1 {
		return
	}
	for i, number := range b.of {
		b.of[i] = index[number]
	}
	out.Of = b.of
}
