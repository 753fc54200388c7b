package spss

import (
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/fileio/statfile"
)

// What is too long is told, wherever it is cut: letters of two bytes are cut earlier.
func TestWhatIsCutIsTold(t *testing.T) {
	labelled := func(label string) *statfile.File {
		return &statfile.File{Variables: []statfile.Variable{{Name: "x", Labels: []statfile.ValueLabel{{Label: label}}, Column: statfile.Column{Numbers: []float64{}}}}}
	}
	const values, file = "labels are cut to 255 bytes, those of values to 120: x", "the label of the file is cut to 64 bytes, and its notes to 80 a line"
	for _, test := range []struct {
		f    *statfile.File
		want []string
	}{
		{labelled(strings.Repeat("l", 120)), nil},
		{labelled(strings.Repeat("l", 121)), []string{values}},
		{labelled("l" + strings.Repeat("ü", 60)), []string{values}},
		{&statfile.File{Label: strings.Repeat("l", 64), Notes: []string{strings.Repeat("n", 80)}}, nil},
		{&statfile.File{Label: strings.Repeat("l", 65)}, []string{file}},
		{&statfile.File{Notes: []string{"", strings.Repeat("n", 81)}}, []string{file}},
	} {
		if got := (System{}).Lacks(test.f, nil); !slices.Equal(got, test.want) {
			t.Errorf("%q, expected %q", got, test.want)
		}
	}
}
