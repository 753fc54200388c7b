package sas

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// A file does not contain its number of records, so blank ones at the end are lost, with a warning.
func TestBlankRecordsAtTheEndAreReported(t *testing.T) {
	for _, test := range []struct {
		text     string
		reported bool
	}{{strings.Repeat("x", 20), true}, {strings.Repeat("x", 80), false}} {
		f := &statfile.File{Rows: 4, Variables: []statfile.Variable{{Name: "t", Kind: statfile.Text,
			Column: statfile.Column{Texts: &statfile.Texts{Values: []string{test.text, ""},
				Codes: microdata.CodesOf([]uint8{1, 1, 0, 2})}}}}}
		if got := (Transport{}).Lacks(f, nil); (len(got) == 1) != test.reported {
			t.Errorf("a row of %d bytes: %q", len(test.text), got)
		}
		var out bytes.Buffer
		if err := (Transport{}).Write(context.Background(), &out, f, nil, nil); err != nil {
			t.Fatal(err)
		}
		back, err := Transport{}.Read(context.Background(), statfile.NewSource("a", bytes.NewReader(out.Bytes()),
			int64(out.Len())), statfile.ReadOptions{}, nil)
		if err != nil || (back.Rows != f.Rows) != test.reported {
			t.Errorf("a row of %d bytes: %d rows, %v", len(test.text), back.Rows, err)
		}
	}
}

// More variables than version 5 has digits for require version 8.
func TestTenThousandVariables(t *testing.T) {
	f := &statfile.File{Rows: 1, Label: strings.Repeat("l", 41), Notes: []string{"note"}, Weight: "v1",
		Variables: make([]statfile.Variable, 10_000)}
	for i := range f.Variables {
		f.Variables[i] = statfile.Variable{Name: fmt.Sprint("v", i), Level: microdata.Scale,
			Column: statfile.Column{Numbers: []float64{float64(i)}}}
	}
	var out bytes.Buffer
	if err := (Transport{}).Write(context.Background(), &out, f, statfile.Settings{version: "5"}, nil); err != nil {
		t.Fatal(err)
	}
	back, err := Transport{}.Read(context.Background(), statfile.NewSource("a", bytes.NewReader(out.Bytes()),
		int64(out.Len())), statfile.ReadOptions{}, nil)
	if err != nil || len(back.Variables) != len(f.Variables) || back.Settings[version] != "8" ||
		back.Variables[9999].Column.Numbers[0] != 9999 {
		t.Fatalf("%+v, %v", back, err)
	}
	if got := (Transport{}).Lacks(f, nil); len(got) != 4 ||
		got[3] != "measurement levels are omitted: v0, v1, v2, v3, v4 and 9,995 more" {
		t.Errorf("%q", got)
	}
}

// Version 5 holds names of 8 bytes, labels of 40 and texts of 200; longer ones require version 8, and are cut with
// a warning if version 5 is requested.
func TestVersionOfTransportFile(t *testing.T) {
	file := func(name, label, text int) *statfile.File {
		return &statfile.File{Rows: 1,
			Variables: []statfile.Variable{{Name: strings.Repeat("n", name), Label: strings.Repeat("l", label),
				Kind: statfile.Text,
				Column: statfile.Column{Texts: &statfile.Texts{Values: []string{strings.Repeat("x", text)},
					Codes: microdata.CodesOf([]uint8{1})}}}}}
	}
	for _, test := range []struct {
		f     *statfile.File
		eight bool
		lacks []string
	}{
		{file(8, 40, 200), false, nil},
		{file(9, 40, 200), true, []string{"names that SAS does not accept are changed: nnnnnnnnn as nnnnnnnn"}},
		{file(8, 41, 200), true, []string{"variable labels are truncated to 40 bytes: nnnnnnnn"}},
		{file(8, 40, 201), true, []string{"text values are truncated to 200 bytes: nnnnnnnn"}},
	} {
		if got := limitsOf(test.f, longestOf(test.f), nil); got.eight != test.eight {
			t.Errorf("version 8 is %v for %s", got.eight, test.f.Variables[0].Name)
		}
		if got := (Transport{}).Lacks(test.f, nil); len(got) > 0 {
			t.Errorf("the version that fits lacks %q", got)
		}
		if got := (Transport{}).Lacks(test.f, statfile.Settings{version: "5"}); !slices.Equal(got, test.lacks) {
			t.Errorf("version 5 lacks %q, want %q", got, test.lacks)
		}
	}
	blank := file(8, 40, 1)
	blank.Variables[0].Column.Texts.Values[0] = "x "
	if got := (Transport{}).Lacks(blank, nil); len(got) != 1 || !strings.HasPrefix(got[0], "trailing spaces of text values are removed") {
		t.Errorf("blanks that are cut: %q", got)
	}
}

// %LOC2XPT of SAS describes wrong positions of variables, which are consecutive in the rows.
func TestPlacesThatDoNotHold(t *testing.T) {
	text := func(value string) statfile.Column {
		return statfile.Column{Texts: &statfile.Texts{Values: []string{value}, Codes: microdata.CodesOf([]uint8{1})}}
	}
	f := &statfile.File{Rows: 1, Variables: []statfile.Variable{
		{Name: "a", Column: statfile.Column{Numbers: []float64{1}}},
		{Name: "b", Kind: statfile.Text, Width: 4, Column: text("four")},
		{Name: "c", Column: statfile.Column{Numbers: []float64{3}}}}}
	var out bytes.Buffer
	if err := (Transport{}).Write(context.Background(), &out, f, statfile.Settings{version: "8"}, nil); err != nil {
		t.Fatal(err)
	}
	content := out.Bytes()
	first := bytes.Index(content, []byte(headerStart+"NAMSTV8")) + recordSize
	for i, place := range []byte{0, 16, 8} { // numbers before texts
		content[first+140*i+87] = place
	}
	back, err := Transport{}.Read(context.Background(), statfile.NewSource("a", bytes.NewReader(content),
		int64(len(content))), statfile.ReadOptions{}, nil)
	if err != nil || back.Rows != 1 || back.Variables[0].Column.Numbers[0] != 1 ||
		back.Variables[1].Column.Texts.Values[0] != "four" || back.Variables[2].Column.Numbers[0] != 3 {
		t.Errorf("%+v, %v", back, err)
	}
}
