package fileio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// writtenInPieces writes pieces of so many rows, and the rest, as a format does.
func writtenInPieces(t rapid.TB, format statfile.PieceWriter, f *statfile.File, settings statfile.Settings,
	rows int) ([]byte, error) {
	t.Helper()
	whole := f.WithoutColumns(f.Rows)
	pieces := format.Begin(whole, settings)
	batches, out := statfile.NewBatches(pieces.Batch()), bytes.Buffer{}
	each := func(do func(*statfile.File) error) {
		for from := 0; from < f.Rows; from += rows {
			if err := do(ownTexts(f.Between(from, min(from+rows, f.Rows)))); err != nil {
				t.Fatal(err)
			}
		}
	}
	each(func(piece *statfile.File) error { pieces.Look(piece); return nil })
	if err := pieces.Start(&out); err != nil {
		return nil, err
	}
	each(func(piece *statfile.File) error {
		if whole := batches.Add(piece); whole != nil {
			return pieces.Write(context.Background(), &out, whole, nil)
		}
		return nil
	})
	if rest := batches.Rest(); rest != nil {
		if err := pieces.Write(context.Background(), &out, rest, nil); err != nil {
			t.Fatal(err)
		}
	}
	err := pieces.End(context.Background(), &out)
	return out.Bytes(), err
}

// ownTexts returns a piece whose texts are those that its rows have.
func ownTexts(piece *statfile.File) *statfile.File {
	for i := range piece.Variables {
		of := piece.Variables[i].Column.Texts
		if of == nil {
			continue
		}
		texts := statfile.NewDictionary(piece.Rows)
		for _, code := range of.Codes.Between(0, piece.Rows) {
			if code == 0 {
				texts.AddMissing()
			} else {
				texts.Add([]byte(of.Values[code-1]))
			}
		}
		piece.Variables[i].Column.Texts = texts.Texts()
	}
	return piece
}

// drawVariables draws variables whose later rows need other storage than the first.
func drawVariables(t *rapid.T, rows int) []statfile.Variable {
	pools := [][]float64{{1, 2, 3, statfile.Missing()}, {100, 101, 40_000}, {0.5, -0.25, 1}, {0.1, 1e9, -7},
		{statfile.Extended('a'), statfile.Extended('_'), 5}, {math.Copysign(0, -1), 1 << 40}, {16_777_217, 1e300}, {1.25, 7}, {16_777_217}}
	variables := make([]statfile.Variable, rapid.IntRange(1, 6).Draw(t, "variables"))
	for i := range variables {
		v := &variables[i]
		v.Name, v.Storage = fmt.Sprint("v", i), rapid.SampledFrom([]string{"", "byte", "float", "double", "int8", "uint16",
			"decimal(9,2)", "str3", "strL"}).Draw(t, "storage")
		if rapid.Bool().Draw(t, "text") {
			long := strings.Repeat("ä", rapid.SampledFrom([]int{1, 3, 150, 400, 3000}).Draw(t, "length"))
			some := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b ", "abc", "ab\x00c", long}), 1, 5).Draw(t, "texts")
			texts := statfile.NewDictionary(rows)
			for row := range rows {
				if at := row * len(some) / max(1, rows); row%5 == 4 {
					texts.AddMissing()
				} else {
					texts.Add([]byte(some[at]))
				}
			}
			v.Kind, v.Column.Texts = statfile.Text, texts.Texts()
			continue
		}
		v.Kind = rapid.SampledFrom([]statfile.Kind{statfile.Number, statfile.Number, statfile.Number, statfile.Date,
			statfile.DateTime, statfile.Time, statfile.Boolean}).Draw(t, "kind")
		first, second := rapid.SampledFrom(pools).Draw(t, "first"), rapid.SampledFrom(pools).Draw(t, "second")
		turn := rapid.IntRange(0, rows).Draw(t, "turn")
		for row := range rows {
			if pool := first; row < turn {
				v.Column.Numbers = append(v.Column.Numbers, pool[row%len(pool)])
			} else {
				v.Column.Numbers = append(v.Column.Numbers, second[row%len(second)])
			}
		}
	}
	return variables
}

// What is written piece by piece is what is written as a whole, byte for byte, wherever it is cut; only long texts of
// Stata that come late are refused.
func TestWrittenInPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 60).Draw(t, "rows")
		f := &statfile.File{Rows: rows, Total: rows, Label: "label", Variables: drawVariables(t, rows)}
		for _, format := range statfiles() {
			writer, ok := format.(statfile.PieceWriter)
			if !ok {
				continue
			}
			for _, ending := range writer.Info().Endings {
				settings := statfile.Settings{statfile.Ending: ending}
				var whole bytes.Buffer
				if err := writer.Write(context.Background(), &whole, f, settings, nil); err != nil {
					t.Fatal(err)
				}
				pieces, err := writtenInPieces(t, writer, f, settings, rapid.IntRange(1, 20).Draw(t, "piece"))
				if errors.Is(err, statfile.ErrUnwritable) && ending == ".dta" {
					continue
				}
				if err != nil || !bytes.Equal(pieces, whole.Bytes()) {
					t.Fatalf("%s: %d bytes in pieces, %d as a whole, %v", ending, len(pieces), whole.Len(), err)
				}
			}
		}
	})
}

// How numbers are stored follows from all pieces: what holds those of the last alone may not hold the first.
func TestStorageFollowsFromAllPieces(t *testing.T) {
	f := &statfile.File{Rows: 2, Total: 2, Variables: []statfile.Variable{{Name: "n", Storage: "float",
		Column: statfile.Column{Numbers: []float64{0.5, 16_777_217}}}}}
	for _, kind := range []string{"parquet", "dta"} {
		reader, _ := formats().of(Format{Type: kind})
		writer := pieceWriter(reader)
		var whole bytes.Buffer
		if err := writer.Write(t.Context(), &whole, f, nil, nil); err != nil {
			t.Fatal(err)
		}
		if pieces, err := writtenInPieces(t, writer, f, nil, 1); err != nil || !bytes.Equal(pieces, whole.Bytes()) {
			t.Errorf("%s: %d bytes in pieces, %d as a whole, %v", kind, len(pieces), whole.Len(), err)
		}
	}
}

// Long texts of Stata that come late are refused for what they are.
func TestLateLongTexts(t *testing.T) {
	reader, _ := formats().of(Format{Type: "dta"})
	for text, says := range map[string]string{"a\x00b": "a zero byte behind others", strings.Repeat("x", 2046): "more than 2,045 bytes behind shorter ones"} {
		texts := statfile.NewDictionary(2)
		texts.Add([]byte("a"))
		texts.Add([]byte(text))
		f := &statfile.File{Rows: 2, Total: 2, Variables: []statfile.Variable{{Name: "t", Kind: statfile.Text,
			Column: statfile.Column{Texts: texts.Texts()}}}}
		if _, err := writtenInPieces(t, pieceWriter(reader), f, nil, 1); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
}

// A Parquet file of more rows than a row group has is the same too.
func TestRowGroupsInPieces(t *testing.T) {
	const rows = 140_000
	f := &statfile.File{Rows: rows, Total: rows, Variables: []statfile.Variable{{Name: "n"}, {Name: "t", Kind: statfile.Text}}}
	texts := statfile.NewDictionary(rows)
	for row := range rows {
		f.Variables[0].Column.Numbers = append(f.Variables[0].Column.Numbers, float64(row%1000)/4)
		texts.Add(fmt.Append(nil, "t", row%700))
	}
	f.Variables[1].Column.Texts = texts.Texts()
	kind, _ := formats().of(Format{Type: "parquet"})
	writer := pieceWriter(kind)
	var whole bytes.Buffer
	if err := writer.Write(t.Context(), &whole, f, nil, nil); err != nil {
		t.Fatal(err)
	}
	pieces, err := writtenInPieces(t, writer, f, nil, 9_001)
	if err != nil || !slices.Equal(pieces, whole.Bytes()) {
		t.Errorf("%d bytes in pieces, %d as a whole, %v", len(pieces), whole.Len(), err)
	}
}
