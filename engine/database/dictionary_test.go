package database

import (
	"math/rand/v2"
	"testing"
)

// Each cell of a record is found in its text as it was put in.
func TestCellsOfRecords(t *testing.T) {
	draw, letters := rand.New(rand.NewPCG(3, 1)), []rune(`ab"\,() é`)
	for range 2000 {
		cells := make([]*string, 1+draw.IntN(4))
		for i := range cells {
			if draw.IntN(4) == 0 {
				continue
			}
			text := ""
			for range draw.IntN(5) {
				text += string(letters[draw.IntN(len(letters))])
			}
			cells[i] = &text
		}
		record := recordText(cells)
		for i, cell := range cells {
			if text, filled := cellOf(record, i); filled != (cell != nil) || filled && text != *cell {
				t.Fatalf("cell %d of %s is %q, %v", i, record, text, filled)
			}
		}
	}
}
