package catalog_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// guide returns a measure of the ten records of the SDC Practice Guide.
func guide(t *testing.T, name string) measure.Entry {
	t.Helper()
	text, err := os.ReadFile("../../testdata/guide10.csv")
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := fileio.ReadBytes(context.Background(), "guide10.csv", text, fileio.NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Weight = []string{"Residence", "Gender", "Educ", "Lstat"}, "Weight"
	v := measure.NewVersion(data, &scenario, nil)
	spec, ok := catalog.Measures().Find(name)
	if !ok {
		t.Fatalf("no measure %s", name)
	}
	entry, err := spec.Compute(context.Background(), measure.Input{Original: v, Current: v}, spec.New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return entry
}

func (c counted) check(t *testing.T, entry measure.Entry) {
	t.Helper()
	v := entry.Value(c.name, 0)
	if v == nil || v.Text() != c.text {
		t.Errorf("%s: %+v, want %s", c.name, v, c.text)
		return
	}
	e := entry.Explain(measure.FigureKey{Value: *v})
	if !slices.ContainsFunc(e.Values, func(line string) bool { return strings.Contains(line, c.explained) }) {
		t.Errorf("%s: %q does not tell %q", c.name, e.Values, c.explained)
	}
}

// counted is a number with a part of its explanation.
type counted struct{ name, text, explained string }

// By hand: the ten records have seven keys, with 1, 1, 1, 1, 2, 2 and 2 records.
func TestSizesOfTheGuidesKeys(t *testing.T) {
	entry := guide(t, "keysizes")
	for _, c := range []counted{{"keys", "7", "4 + 3 = 7"}, {"mean_size", "1.43", "10 / 7 = 1.43"},
		{"keys_of_one", "4", "4 of 7 key patterns"}, {"largest", "2", "2 of 10 records"}, {"distinctness", "0.7000", "7 / 10 = 0.7000"},
		{"separation", "0.9333", "1 - 6 / 90 = 0.9333"}} {
		c.check(t, entry)
	}
}

// By hand: three of the five categories of education have one record, and with the status of work four records are
// unique.
func TestRiskiestCombinationsOfTheGuide(t *testing.T) {
	entry := guide(t, "combinations")
	for _, c := range []counted{{"alone_1", "3", "Educ: 3 of 5 cells"}, {"alone_2", "4", "Educ × Lstat: 4 of 7 cells"},
		{"alone_3", "4", "4 of 7 cells that occur, 4 of 10 records"}} {
		c.check(t, entry)
	}
	if rows := entry.Values.Tables[0].Text(); len(rows) != 1+4+5+4 || strings.Join(rows[1], "|") != "Educ|5|3|30.000\u00a0%|3" {
		t.Errorf("%q", rows)
	}
}

func TestFrequenciesOfTheGuide(t *testing.T) {
	entry := guide(t, "frequencies")
	counted{"rarest", "1", "category Rural of Residence: 1 of 10 records"}.check(t, entry)
	if len(entry.Values.Tables) != 4 {
		t.Fatalf("%d tables", len(entry.Values.Tables))
	}
	rows := entry.Values.Tables[3].Text()
	if !slices.ContainsFunc(rows, func(row []string) bool {
		return strings.Join(row, "|") == "Non-LF|4|40.000\u00a0%|657.00|4|40.000\u00a0%" // 215 + 180 + 186 + 76
	}) {
		t.Errorf("%q", rows)
	}
}
