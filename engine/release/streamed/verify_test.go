package streamed_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// A file that is not what was foretold is refused: a key less, a cell less, a record less.
func TestVerifyRefusesOtherFiles(t *testing.T) {
	const text = "sex,age\nf,30\nf,30\nm,30\nm,30\nm,\n"
	path := filepath.Join(t.TempDir(), "safe.csv")
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"sex", "age"}
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(text)
	passed, err := fileio.ReadPass(t.Context(), path, fileio.NewFormat(), &fileio.Pass{By: scenario.Keys}, nil)
	if err != nil {
		t.Fatal(err)
	}
	release := streamed.Release{Data: passed.Groups}
	if err := release.Verify(t.Context(), path, fileio.NewFormat(), &scenario, nil, nil); err != nil {
		t.Errorf("the file itself: %v", err)
	}
	for _, other := range []string{strings.Replace(text, "m,30", "f,30", 1), strings.Replace(text, "f,30", "f,", 1),
		strings.TrimSuffix(text, "m,\n")} {
		write(other)
		if err := release.Verify(t.Context(), path, fileio.NewFormat(), &scenario, nil, nil); !errors.Is(err, streamed.ErrRecount) {
			t.Errorf("%q: %v", other, err)
		}
	}
}

// So is one in which other records than were to have a value have it, of a variable that a step changed by itself;
// how the value is spelled is that of the file.
func TestVerifyCountsValuesThatStepsChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "safe.csv")
	levels := []microdata.Level{{Label: "10", Value: 10}, {Label: "14", Value: 14}, {Label: "20", Value: 20}}
	income := microdata.NewUncounted("income", microdata.Whole, nil, levels, []int{1, 2, 1, 2}, 1)
	alone := income.Alone()
	rounded := income.Valued(alone.Regroup(alone, []microdata.Level{{Label: "10", Value: 10}, {Label: "20", Value: 20}}, []uint32{0, 1, 1, 2}, true))
	data, err := microdata.NewGrouped([]*microdata.Column{rounded}, []int{6})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	for _, c := range []struct {
		cells string
		want  error
	}{{"10 10 20 10 20 NA", nil}, {"9 9 9 21 21 NA", nil}, {"10 14 20 10 20 NA", streamed.ErrRecount},
		{"10 20 20 10 20 10", streamed.ErrRecount}, {"20 20 20 20 20 NA", streamed.ErrRecount}} {
		if err := os.WriteFile(path, []byte("income\n"+strings.ReplaceAll(c.cells, " ", "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		format := fileio.NewFormat()
		format.Missing = []string{"NA"}
		release := streamed.Release{Data: data, Format: format}
		if err := release.Verify(t.Context(), path, format, &scenario, nil, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.cells, err, c.want)
		}
	}
}

// Weights that a sample multiplied are added up again, and other ones refused.
func TestVerifyAddsUpWeightsThatASampleMultiplied(t *testing.T) {
	path := filepath.Join(t.TempDir(), "safe.csv")
	weights, err := microdata.NewNumeric("w", microdata.Whole, &microdata.Numbers{Values: []float64{7}})
	if err != nil {
		t.Fatal(err)
	}
	levels := []microdata.Level{{Label: "2", Value: 2}, {Label: "3", Value: 3}}
	times, err := weights.Summing(microdata.NewUncounted("w", microdata.Whole, nil, levels, []int{0, 2, 1}, 1)).Times(10. / 3)
	if err != nil {
		t.Fatal(err)
	}
	data, err := microdata.NewGrouped([]*microdata.Column{times}, []int{3})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	for cells, want := range map[string]error{"6.666666666666667 6.666666666666667 10": nil, "10 6.666666666666667 6.666666666666667": nil,
		"2 2 3": streamed.ErrRecount, "6.666666666666667 6.666667666666667 10": streamed.ErrRecount} {
		if err := os.WriteFile(path, []byte("w\n"+strings.ReplaceAll(cells, " ", "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		release := streamed.Release{Data: data}
		if err := release.Verify(t.Context(), path, fileio.NewFormat(), &scenario, nil, nil); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", cells, err, want)
		}
	}
}
