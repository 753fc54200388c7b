package pram

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

func TestWrittenComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(rapid.String(), 4, 4).Draw(t, "labels")
		pairs := Pairs{{labels[0], labels[1]}, {labels[2], labels[3]}}
		var again Pairs
		if err := again.Set(pairs.String()); err != nil {
			t.Fatalf("%q: %v", pairs.String(), err)
		}
		if diff := cmp.Diff(quotable(pairs), quotable(again)); diff != "" {
			t.Fatalf("%q comes back as %q", pairs.String(), again.String())
		}
		rows := Rows(rapid.SliceOfN(rapid.SliceOfN(rapid.Float64Range(0, 1), 2, 2), 1, 3).Draw(t, "rows"))
		var back Rows
		if err := back.Set(rows.String()); err != nil || !cmp.Equal(rows, back) {
			t.Fatalf("%v comes back as %v, error %v", rows, back, err)
		}
	})
}

// quotable removes what quoting cannot preserve: bytes that are not valid text.
func quotable(pairs Pairs) Pairs {
	for i := range pairs {
		for j := range pairs[i] {
			pairs[i][j] = strings.ToValidUTF8(pairs[i][j], "?")
		}
	}
	return pairs
}

func TestMatrixFiles(t *testing.T) {
	v := method.PRAMVariable{Variable: "x",
		Strata: []method.PRAMStratum{{Levels: []string{"a", `b "c", d`}, Matrix: [][]float64{{0.9, 0.1}, {0.25, 0.75}}}}}
	var out bytes.Buffer
	if err := WriteCSV(&out, &v); err != nil {
		t.Fatal(err)
	}
	levels, rows, err := ReadCSV(&out)
	if err != nil || !cmp.Equal(levels, v.Strata[0].Levels) || !cmp.Equal([][]float64(rows), v.Strata[0].Matrix) {
		t.Errorf("levels %q, rows %v, error %v", levels, rows, err)
	}
	for text, want := range map[string][]string{
		"x;a;b\nb;0.2;0.8\na;1;0\n": {"a", "b"},
		"0.5,0.5\n0,1\n":            nil,
		"\xef\xbb\xbfx\ta\na\t1\n":  {"a"},
	} {
		levels, rows, err := ReadCSV(strings.NewReader(text))
		if err != nil || !cmp.Equal(levels, want) || rows[0][0] != 1 && rows[0][0] != 0.5 {
			t.Errorf("%q: levels %q, rows %v, error %v", text, levels, rows, err)
		}
	}
	for text, want := range map[string]string{
		"":                        "is empty",
		"x,a,b\na,0.5,0.5\n":      "1 line and 2 columns",
		"x,a,b\na,1,0\na,0,1\n":   "line 3",
		"x,a,b\na,1,0\nb,0,y\n":   "line 3, column 3",
		"x,a,b\na,1,0\nb,0.1,0\n": `row "b" sums to 0.1`,
		"0.5,0.5\n1,0.1\n":        "row 2 sums to 1.1",
	} {
		_, _, err := ReadCSV(strings.NewReader(text))
		if !errors.Is(err, ErrMatrixFile) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that says %s", text, err, want)
		}
	}
	v.Condition, v.Records = "age above 15", 1234
	out.Reset()
	if err := WriteCSV(&out, &v); err != nil || !strings.HasPrefix(out.String(),
		"# the matrix is of the records with age above 15 (1,234); the others keep") {
		t.Errorf("%s, error %v", out.String(), err)
	}
	if levels, rows, err := ReadCSV(&out); err != nil || !cmp.Equal(levels, v.Strata[0].Levels) || len(rows) != 2 {
		t.Errorf("with a note: levels %q, rows %v, error %v", levels, rows, err)
	}
	v.Condition = ""
	v.Strata = append(v.Strata, v.Strata[0])
	v.Strata[0].Stratum, v.Strata[1].Stratum = microdata.Combination{{Label: "north"}}, microdata.Combination{{Label: "south"}}
	out.Reset()
	if err := WriteCSV(&out, &v); err != nil || !strings.HasPrefix(out.String(), "stratum,x,a,") ||
		!strings.Contains(out.String(), "\nsouth,a,0.9,0.1\n") {
		t.Errorf("%s, error %v", out.String(), err)
	}
}

// Any input is accepted or rejected without a panic, and accepted input survives a round trip.
func FuzzWritten(f *testing.F) {
	for _, text := range []string{"a / b; c / d", `"a;b" / c`, "age above 15 below 20", "x in a, b", "0.9 0.1; 0.2 0.8",
		"x,a,b\na,1,0\nb,0,1\n", `"\`, ";;/"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, written := range []func() method.Value{
			func() method.Value { return new(Pairs) }, func() method.Value { return new(notation.Condition) },
			func() method.Value { return new(Rows) },
		} {
			first, again := written(), written()
			if first.Set(text) != nil {
				continue
			}
			if err := again.Set(first.String()); err != nil || again.String() != first.String() {
				t.Errorf("%q was taken as %q, which comes back as %q, error %v", text, first, again, err)
			}
		}
		if levels, rows, err := ReadCSV(strings.NewReader(text)); err == nil && levels != nil && len(levels) != len(rows) {
			t.Errorf("%d levels and %d rows", len(levels), len(rows))
		}
	})
}
