package sas

import (
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/fileio/statfile"
)

// Version 5 holds names of 8 bytes, labels of 40 and texts of 200; what is longer asks for
// version 8, and is cut and told where version 5 is asked for.
func TestVersionOfTransportFile(t *testing.T) {
	file := func(name, label, text int) *statfile.File {
		return &statfile.File{Rows: 1, Variables: []statfile.Variable{{Name: strings.Repeat("n", name), Label: strings.Repeat("l", label), Kind: statfile.Text,
			Column: statfile.Column{Texts: &statfile.Texts{Values: []string{strings.Repeat("x", text)}}}}}}
	}
	for _, test := range []struct {
		f     *statfile.File
		eight bool
		lacks []string
	}{
		{file(8, 40, 200), false, nil},
		{file(9, 40, 200), true, []string{"names that SAS does not take are changed: nnnnnnnnn as nnnnnnnn"}},
		{file(8, 41, 200), true, []string{"labels of variables are cut to 40 bytes: nnnnnnnn"}},
		{file(8, 40, 201), true, []string{"texts are cut to 200 bytes: nnnnnnnn"}},
	} {
		if got := limitsOf(test.f, nil); got.eight != test.eight {
			t.Errorf("version 8 is %v for %s", got.eight, test.f.Variables[0].Name)
		}
		if got := (Transport{}).Lacks(test.f, nil); len(got) > 0 {
			t.Errorf("the version that fits lacks %q", got)
		}
		if got := (Transport{}).Lacks(test.f, statfile.Settings{version: "5"}); !slices.Equal(got, test.lacks) {
			t.Errorf("version 5 lacks %q, want %q", got, test.lacks)
		}
	}
}
