package parquet

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strconv"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// Pieces of a row group of many pages have the cells of the whole file, whether pages are passed over, begin in one,
// or in a dictionary.
func TestPagesInPieces(t *testing.T) {
	type record struct {
		Number *int64  `parquet:"number,optional"`
		Plain  string  `parquet:"plain"`
		Few    *string `parquet:"few,optional,dict"`
	}
	for version := 1; version <= 2; version++ {
		var out bytes.Buffer
		w := pq.NewGenericWriter[record](&out, pq.PageBufferSize(256), pq.DataPageVersion(version))
		for i := range 3000 {
			number, few := int64(i*i), strconv.Itoa(i%13)
			r := record{Number: &number, Plain: "p" + strconv.Itoa(i), Few: &few}
			if i%5 == 2 {
				r.Number = nil
			}
			if i%7 == 3 {
				r.Few = nil
			}
			if _, err := w.Write([]record{r}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		whole, err := read(out.Bytes(), statfile.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i, rows := range []int{7, 1999, 100, 1} {
			if !longtests.Some(i/2, 2) {
				continue
			}
			at := 0
			_, err := read(out.Bytes(), statfile.ReadOptions{Piece: rows, Each: func(_ context.Context, piece *statfile.File) error {
				for i := range piece.Variables {
					got, want := &piece.Variables[i], &whole.Variables[i]
					if want.Column.Texts != nil {
						if !slices.Equal(texts(got), texts(want)[at:at+piece.Rows]) {
							t.Fatalf("version %d, pieces of %d: texts of %s from %d on differ", version, rows, got.Name, at)
						}
						continue
					}
					if !slices.EqualFunc(got.Column.AsNumbers(nil), want.Column.AsNumbers(nil)[at:at+piece.Rows],
						func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
						t.Fatalf("version %d, pieces of %d: numbers of %s from %d on differ", version, rows, got.Name, at)
					}
				}
				at += piece.Rows
				return nil
			}})
			if err != nil || at != 3000 {
				t.Fatalf("version %d, pieces of %d: %d rows, %v", version, rows, at, err)
			}
		}
	}
}
