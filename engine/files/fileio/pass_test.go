package fileio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// sameLevels reports whether two columns have the same categories, and say the same of them.
func sameLevels(a, b *microdata.Column) bool {
	x, y := a.Categories(), b.Categories()
	return a.Kind() == b.Kind() && x.Ordered == y.Ordered && reflect.DeepEqual(a.Description(), b.Description()) &&
		slices.EqualFunc(x.Levels, y.Levels, func(p, q microdata.Level) bool {
			return p.Label == q.Label && (p.Value == q.Value || p.Value != p.Value && q.Value != q.Value)
		})
}

// checkPass compares what a pass found with the file as it is read as a whole.
func checkPass(t rapid.TB, whole *microdata.Dataset, passed *Passed, groups []uint32) {
	if passed.Records != whole.Len() || len(passed.Variables) != len(whole.Columns()) {
		t.Fatalf("%d records and %d variables, not %d and %d", passed.Records, len(passed.Variables), whole.Len(),
			len(whole.Columns()))
	}
	for i, column := range whole.Columns() {
		v := passed.Variables[i]
		if v.Name != column.Name() || v.Kind != column.Kind() || v.Blank != column.MissingCount() ||
			!sameLevels(v.Column, column) || !slices.Equal(v.Column.Categories().Counts(), column.Categories().Counts()) {
			t.Fatalf("variable %s is described as %+v", column.Name(), v)
		}
	}
	if passed.Groups == nil {
		return
	}
	seen := uint32(0)
	for record, group := range groups {
		if group > seen {
			t.Fatalf("group %d comes first before group %d", group, seen)
		}
		seen = max(seen, group+1)
		for _, column := range passed.Groups.Columns() {
			of, _ := whole.Column(column.Name())
			if column.Categories().Codes.At(int(group)) != of.Categories().Codes.At(record) {
				t.Fatalf("record %d is put into a group that differs in %s", record, column.Name())
			}
		}
	}
	if passed.Groups.Records() != whole.Len() || passed.Groups.Len() != int(seen) {
		t.Fatalf("%d groups of %d records, not %d of %d", passed.Groups.Len(), passed.Groups.Records(), seen, whole.Len())
	}
}

// A pass finds the variables and groups that the whole file has, however it is cut into blocks,
// and its pieces are written as the file is.
func TestPassFindsWhatTheFileHas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawTable(t)
		content := b.content()
		how := tuning{rapid.IntRange(1, 200).Draw(t, "block"), rapid.IntRange(1, 4).Draw(t, "workers")}
		whole, report, err := readText(context.Background(), inMemory("test.csv", content), b.format, tuning{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		by := b.names[:rapid.IntRange(0, len(b.names)).Draw(t, "by")]
		var groups []uint32
		pass := &Pass{By: by, Describe: true, InOrder: func(p *Piece) error {
			groups = append(groups, p.Groups...)
			return nil
		}}
		passed, err := passText(context.Background(), inMemory("test.csv", content), b.format, pass, how, nil)
		if err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		if !reflect.DeepEqual(passed.ReadReport, report) {
			t.Fatalf("%+v is reported, not %+v", passed.ReadReport, report)
		}
		checkPass(t, whole, passed, groups)
		var out bytes.Buffer
		rewriting, err := NewRewriting(t.Context(), report.Format, &Whole{Records: whole.Len(), Data: whole}, WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		pass = &Pass{Known: passed.Known(), Beside: func(ctx context.Context, p *Piece) (func() error, error) {
			data, err := p.Data(ctx)
			if err != nil {
				return nil, err
			}
			return rewriting.Piece(ctx, &out, data, p.First)
		}}
		if _, err := passText(context.Background(), inMemory("test.csv", content), b.format, pass, how, nil); err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		if !bytes.Equal(out.Bytes(), content) || rewriting.Report.Records != whole.Len() {
			t.Fatalf("%+v\n%q comes out as\n%q", how, content, out.Bytes())
		}
	})
}

// Of variables with more values than are kept the kind and the records without a value are known,
// whatever comes last and however the file is cut.
func TestPassOfVeryManyValues(t *testing.T) {
	var content bytes.Buffer
	content.WriteString("id,number,whole,late,w\n")
	for i := range 30_000 {
		late, number := fmt.Sprint(i), fmt.Sprintf("%d.5", i)
		if i == 29_990 {
			late = "x"
		}
		if i%3 == 0 {
			number = ""
		}
		fmt.Fprintf(&content, "r%d,%s,%d,%s,%d.%02d\n", i, number, i, late, 1+i%7, i%100)
	}
	whole, _, err := readText(t.Context(), inMemory("test.csv", content.Bytes()), NewFormat(), tuning{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []tuning{{1000, 1}, {1 << 16, 4}} {
		passed, err := passText(t.Context(), inMemory("test.csv", content.Bytes()), NewFormat(),
			&Pass{By: []string{"whole"}, Sum: "w", Describe: true}, how, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, column := range whole.Columns() {
			v := passed.Variables[i]
			if v.Kind != column.Kind() || v.Blank != column.MissingCount() {
				t.Errorf("%s is described as %v with %d missing", v.Name, v.Kind, v.Blank)
			}
			if many := v.Name != "whole" && v.Name != "w"; many != (v.Column == nil) {
				t.Errorf("%s: values are kept: %v", v.Name, v.Column != nil)
			}
		}
		sums, _ := passed.Groups.Column("w")
		weights, _ := whole.Column("w")
		for row := range whole.Len() {
			if sums.Float(row) != weights.Float(row) {
				t.Fatalf("record %d weighs %v, not %v", row, sums.Float(row), weights.Float(row))
			}
		}
	}
	_, err = passText(t.Context(), inMemory("test.csv", content.Bytes()), NewFormat(), &Pass{By: []string{"whole"}, Sum: "number"},
		tuning{1000, 2}, nil)
	if !errors.Is(err, microdata.ErrWeights) || !strings.Contains(err.Error(), "10000 of 30000 records") ||
		!strings.Contains(err.Error(), "the first is record 1") {
		t.Errorf("missing weights: %v", err)
	}
	in := inMemory("test.csv", content.Bytes())
	in.budget = statfile.NewBudget("test.csv", 100_000)
	if _, err := passText(t.Context(), in, NewFormat(), &Pass{By: []string{"id"}}, tuning{1000, 2}, nil); !errors.Is(err, ErrMemory) {
		t.Errorf("too many groups: %v", err)
	}
}

// BenchmarkPass describes a survey file and counts the groups of six variables.
func BenchmarkPass(b *testing.B) {
	path, size := surveyFile(b, 100_000)
	resetPeak()
	b.SetBytes(size)
	for b.Loop() {
		passed, err := ReadPass(b.Context(), path, NewFormat(),
			&Pass{By: []string{"region", "urbrur", "sex", "age", "marital", "educ"}, Sum: "weight", Describe: true}, nil)
		if err != nil || passed.Groups.Len() == 0 {
			b.Fatal(err)
		}
	}
}

// A pass ends with the error of the first block that has one, and with its context, however many blocks
// wait for their turn meanwhile.
func TestPassWithABlockThatFailsEnds(t *testing.T) {
	short, wide := "1,2\n", strings.Repeat("x", 900_000)
	long := wide + "," + wide + "\n" + strings.Repeat(short, 200_000) // a block that others are ahead of when it fails
	content := []byte("x,y\n" + strings.Repeat(short, 3000) + long + "1,2,3\n" + strings.Repeat(short, 500_000))
	ends := func(what string, ctx context.Context, p *Pass, content []byte) error {
		ended := make(chan error, 1)
		go func() {
			_, err := passText(ctx, inMemory("test.csv", content), NewFormat(), p, tuning{100, 4}, nil)
			ended <- err
		}()
		select {
		case err := <-ended:
			return err
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: the pass does not end", what)
			return nil
		}
	}
	for range 4 {
		seen := 0
		pass := &Pass{By: []string{"x"}, InOrder: func(p *Piece) error {
			seen += p.Records
			return nil
		}}
		err := ends("ragged", t.Context(), pass, content)
		if !errors.Is(err, ErrRagged) || !strings.Contains(err.Error(), "line 203,003") || seen > 3000 {
			t.Fatalf("%d records, then %v", seen, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		pass.InOrder = func(p *Piece) error {
			if p.First > 1000 {
				cancel()
			}
			return nil
		}
		if err := ends("cancelled", ctx, pass, content[:4+3000*4]); !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled: %v", err)
		}
		failing := errors.New("failing")
		pass = &Pass{Beside: func(_ context.Context, p *Piece) (func() error, error) {
			if p.First > 2000 {
				return nil, failing
			}
			return func() error { return nil }, nil
		}}
		if err := ends("beside", t.Context(), pass, content[:4+3000*4]); !errors.Is(err, failing) {
			t.Fatalf("beside: %v", err)
		}
	}
}
