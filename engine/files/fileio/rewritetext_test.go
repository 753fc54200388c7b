package fileio

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// textInPieces writes text as another kind of file, piece by piece, with the variables counted that groups go by.
func textInPieces(t rapid.TB, content []byte, f, to Format, by []string, block int) ([]byte, error) {
	read := func(pass *Pass) *Passed {
		passed, err := passText(context.Background(), inMemory("test.csv", content), f, pass, tuning{block: block}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return passed
	}
	passed := read(&Pass{By: by, Describe: true})
	whole := &Whole{Records: passed.Records, Data: passed.Groups, Variables: by}
	rewriting, err := NewRewriting(context.Background(), to, whole, WriteOptions{})
	if err != nil {
		return nil, err
	}
	each := func(do func(context.Context, *microdata.Dataset, *Piece) (func() error, error)) {
		if err != nil {
			return
		}
		_, err = passText(context.Background(), inMemory("test.csv", content), f, &Pass{By: by, Known: passed.Known(),
			Beside: func(ctx context.Context, p *Piece) (func() error, error) {
				data, err := p.Data(ctx)
				if err != nil {
					return nil, err
				}
				return do(ctx, data, p)
			}}, tuning{block: block}, nil)
	}
	var out bytes.Buffer
	each(func(ctx context.Context, data *microdata.Dataset, _ *Piece) (func() error, error) {
		return rewriting.Look(ctx, data)
	})
	each(func(ctx context.Context, data *microdata.Dataset, p *Piece) (func() error, error) {
		return rewriting.Piece(ctx, &out, data, p.First)
	})
	if err == nil {
		err = rewriting.End(context.Background(), &out)
	}
	return out.Bytes(), err
}

// checkTextInPieces compares text that is written piece by piece as another kind of file with that written as a whole.
func checkTextInPieces(t rapid.TB, content []byte, f Format, by []string, ending string, block int) {
	data, report, err := readText(context.Background(), inMemory("test.csv", content), f, tuning{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	to := FormatFor("out"+ending, report.Format)
	var whole bytes.Buffer
	_, wanted := WriteTo(context.Background(), &whole, data, to, WriteOptions{}, nil)
	pieces, err := textInPieces(t, content, report.Format, to, by, block)
	if errors.Is(err, statfile.ErrUnwritable) { // long texts of Stata that come late
		return
	}
	if (err == nil) != (wanted == nil) || err == nil && !bytes.Equal(pieces, whole.Bytes()) {
		t.Fatalf("%s: %q: %d bytes in pieces, %d as a whole, %v, %v", to, content, len(pieces), whole.Len(), err, wanted)
	}
}

// Text whose variables are counted is written piece by piece as another kind of file as it is as a whole, byte for
// byte, however numbers are spelled and wherever it is cut.
func TestTextWrittenInPieces(t *testing.T) {
	endings := []string{".sav", ".zsav", ".dta", ".parquet", ".xpt"}
	for _, ending := range endings { // of two zeros there is one
		checkTextInPieces(t, []byte("n\n30\n30.0\n-0\n"), NewFormat(), []string{"n"}, ending, 1)
	}
	rapid.Check(t, func(t *rapid.T) {
		b := drawTable(t)
		checkTextInPieces(t, b.content(), b.format, b.names, rapid.SampledFrom(endings).Draw(t, "ending"),
			rapid.IntRange(1, 100).Draw(t, "block"))
	})
}
