package fileio

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/spss"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Nominal numbers with labels for all values have no order, others have one.
func TestLabelledNominalCodesHaveNoOrder(t *testing.T) {
	number := func(x float64) statfile.Value { return statfile.Value{Number: x} }
	labels := []statfile.ValueLabel{{Value: number(1), Label: "flu"}, {Value: number(2), Label: "burn"}}
	some := labels[:1]
	for _, test := range []struct {
		level   microdata.MeasurementLevel
		labels  []statfile.ValueLabel
		ordered bool
	}{{microdata.Nominal, labels, false}, {microdata.Nominal, some, true}, {microdata.Nominal, nil, true},
		{microdata.Ordinal, labels, true}, {microdata.Scale, labels, true}, {"", labels, true}} {
		file := &statfile.File{Rows: 3, Variables: []statfile.Variable{{Name: "s", Level: test.level, Labels: test.labels,
			Column: statfile.Column{Numbers: []float64{1, 2, 1}}}}}
		path := filepath.Join(t.TempDir(), "levels.sav")
		_, content := writtenBack(t, spss.System{}, file, statfile.Settings{statfile.Ending: ".sav"})
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := columnsOf(t, path)[0].InOrder(); got != test.ordered {
			t.Errorf("%q with %d labels: ordered is %v", test.level, len(test.labels), got)
		}
	}
}

// PSPP writes the measurement level set in its syntax.
func TestOrderOfCodesFromPSPP(t *testing.T) {
	pspp := program(t, "pspp")
	folder := t.TempDir()
	syntax := `data list list /a b.
begin data
1 1
2 2
3 3
end data.
value labels a b 1 "flu" 2 "burn" 3 "cancer".
variable level a (nominal) b (ordinal).
save outfile="` + filepath.Join(folder, "levels.sav") + `".
`
	script := filepath.Join(folder, "levels.sps")
	if err := os.WriteFile(script, []byte(syntax), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(pspp, "-b", script).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	path := filepath.Join(folder, "levels.sav")
	columns := columnsOf(t, path)
	if a, b := columns[0], columns[1]; a.InOrder() || !b.InOrder() || !a.Numeric() {
		t.Errorf("ordered: %v and %v", a.InOrder(), b.InOrder())
	}
}

// columnsOf reads the columns of a file with its guessed format.
func columnsOf(t *testing.T, path string) []*microdata.Column {
	t.Helper()
	guess, err := GuessFile(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := Read(t.Context(), path, guess, nil)
	if err != nil {
		t.Fatal(err)
	}
	return data.Columns()
}
