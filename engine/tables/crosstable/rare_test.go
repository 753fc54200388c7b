package crosstable

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
)

// The records with rare combinations are those that a count of texts finds, whether cells are numbered by codes or
// by first occurrence.
func TestRareAgainstTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, k := rapid.IntRange(1, 40).Draw(t, "rows"), rapid.IntRange(2, 4).Draw(t, "k")
		levels := []int{2, 3, rapid.SampledFrom([]int{3, 90_000}).Draw(t, "levels"), 2}
		g := &keys.Groups{Levels: levels}
		for range rows {
			g.Counts = append(g.Counts, rapid.IntRange(1, 2).Draw(t, "records"))
		}
		for _, most := range levels {
			codes := make([]uint32, rows)
			for row := range codes {
				codes[row] = uint32(rapid.IntRange(0, min(most, 3)).Draw(t, "code"))
			}
			g.Codes = append(g.Codes, codes)
		}
		var sets []uint64
		for size := 1; size <= 3; size++ {
			some, _ := Choices(len(levels), size)
			sets = append(sets, some...)
		}
		found, err := Rare(t.Context(), g, sets, k)
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range found {
			records := map[string]int{}
			for row := range rows {
				text := ""
				for _, v := range Variables(got.Set) {
					text += fmt.Sprint(g.Codes[v][row], " ")
					if g.Codes[v][row] == 0 {
						text = ""
						break
					}
				}
				if text != "" {
					records[text] += int(g.Counts[row])
				}
			}
			want := Rarity{Set: got.Set, Cells: len(records)}
			for _, n := range records {
				if n == 1 {
					want.Alone++
				}
				if n < k {
					want.Below += n
				}
			}
			if got != want {
				t.Fatalf("%+v, want %+v", got, want)
			}
		}
	})
}

func TestRarestFirst(t *testing.T) {
	found := []Rarity{{Set: 7, Alone: 2, Below: 2}, {Set: 3, Alone: 2, Below: 2}, {Set: 1, Alone: 2, Below: 4},
		{Set: 2, Alone: 9, Below: 9}}
	RarestFirst(found)
	for i, want := range []uint64{2, 1, 3, 7} {
		if found[i].Set != want {
			t.Errorf("place %d has %b, want %b", i, found[i].Set, want)
		}
	}
}
