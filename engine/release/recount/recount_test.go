package recount_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/release/recount"
)

// recounted writes a dataset to a text file and recounts it.
func recounted(t testing.TB, data *microdata.Dataset, q recount.Question) *recount.Counts {
	t.Helper()
	path := filepath.Join(t.TempDir(), "safe.csv")
	if _, err := fileio.Write(context.Background(), path, data, fileio.NewFormat(), fileio.WriteOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, column := range data.Columns() {
		names = append(names, column.Name())
	}
	counts, err := recount.File(context.Background(), path, fileio.NewFormat(), names, q)
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

// The violators equal those of the reference files, with and without missing values.
func TestReferenceViolators(t *testing.T) {
	type reference struct {
		Keys  []string `json:"keyVars"`
		Cases []struct {
			Alpha     float64        `json:"alpha"`
			Violators map[string]int `json:"violators"`
		} `json:"cases"`
	}
	check := func(t *testing.T, name string, r *reference) {
		data, compared := golden.Data(t, name), 0
		for _, c := range r.Cases {
			counts := recounted(t, data, recount.Question{Keys: r.Keys, K: []int{2, 3, 5, 10}, Alpha: c.Alpha})
			for _, v := range counts.Violators {
				if want := c.Violators[fmt.Sprint("k", v.K)]; v.Default != want {
					t.Errorf("%d violators of %d with alpha %v, want %d", v.Default, v.K, c.Alpha, want)
				}
				compared++
			}
		}
		if compared == 0 {
			t.Error("nothing was compared")
		}
	}
	t.Run("survey", func(t *testing.T) {
		var file struct{ Risk reference }
		golden.Reference(t, "survey_risk", &file)
		check(t, "survey", &file.Risk)
	})
	for _, name := range []string{"francdat", "francdat_missing", "testdata"} {
		t.Run(name, func(t *testing.T) {
			var file struct{ Risk, Risk7 *reference }
			golden.Shared(t, name, &file)
			check(t, name, file.Risk)
			if file.Risk7 != nil {
				check(t, name, file.Risk7)
			}
		})
	}
}

// The suppressed tables of the book have the printed frequencies: Templ, Statistical Disclosure Control for
// Microdata, 2017, tables 4.1 and 4.2.
func TestTablesOfTheBook(t *testing.T) {
	for _, c := range []struct {
		status string // of five persons of one region and one age
		want   recount.Violators
	}{
		// one suppression: 3, 3, 3, 3, 5 by default, 2, 2, 2, 2, 5 conservative
		{"S M M S -", recount.Violators{K: 3, Default: 0, Conservative: 4, OwnCategory: 5}},
		{"S M M S -", recount.Violators{K: 4, Default: 4, Conservative: 4, OwnCategory: 5}},
		{"S M M S -", recount.Violators{K: 2, Default: 0, Conservative: 0, OwnCategory: 1}},
		// three suppressions: own category 3, 2, 2, 3, 3, conservative 5, 2, 2, 5, 5
		{"- M M - -", recount.Violators{K: 3, Default: 0, Conservative: 2, OwnCategory: 2}},
	} {
		rows := "region,age,status\n"
		for status := range strings.FieldsSeq(c.status) {
			rows += "A,30-49," + strings.Trim(status, "-") + "\n"
		}
		keys := []string{"region", "age", "status"}
		if strings.HasPrefix(c.status, "-") {
			keys = keys[2:] // a key that is missing everywhere matches all records
		}
		counts := recounted(t, golden.Parse(t, strings.NewReader(rows)),
			recount.Question{Keys: keys, K: []int{c.want.K}, Alpha: 1})
		if counts.Violators[0] != c.want {
			t.Errorf("%s: %+v, want %+v", c.status, counts.Violators[0], c.want)
		}
		if want := strings.Count(c.status, "-"); counts.Missing[2] != (recount.Missing{Variable: "status", Cells: want}) {
			t.Errorf("%+v, want %d", counts.Missing, want)
		}
	}
}

// A key that is missing everywhere matches all records, for any alpha.
func TestKeyThatIsMissingEverywhere(t *testing.T) {
	data := golden.Parse(t, strings.NewReader("a,b,c\n,,1\nx,,1\n,y,1\nx,,1\n"))
	counts := recounted(t, data, recount.Question{Keys: []string{"a", "b"}, K: []int{4}, Alpha: 0.5})
	// the others count 2 + 2 / 2, 1 + 3 / 2
	if want := (recount.Violators{K: 4, Default: 3, Conservative: 3, OwnCategory: 4}); counts.Violators[0] != want {
		t.Errorf("%+v, want %+v", counts.Violators[0], want)
	}
}

// The counts of random files equal those of the key table.
func TestAgreesWithTheKeyTable(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		data := randomFile(t, rapid.Uint64().Draw(rt, "seed"))
		var names []string
		for _, column := range data.Columns() {
			names = append(names, column.Name())
		}
		q := recount.Question{Keys: names, K: []int{2, 3, 4, 7}, Alpha: rapid.SampledFrom([]float64{0, 0.3, 0.5, 1}).Draw(rt,
			"alpha")}
		table, err := keys.New(t.Context(), data.Columns(), nil)
		if err != nil {
			rt.Fatal(err)
		}
		counts := recounted(t, data, q)
		for i, column := range data.Columns() {
			if counts.Missing[i].Cells != column.MissingCount() {
				rt.Fatalf("%s: %+v, want %d", column.Name(), counts.Missing[i], column.MissingCount())
			}
		}
		violators := func(rule microdata.Rule, k int) int {
			frequencies, err := table.Frequencies(t.Context(), rule, q.Alpha)
			if err != nil {
				rt.Fatal(err)
			}
			return table.Violators(frequencies, k)
		}
		var want []recount.Violators
		for _, k := range q.K {
			want = append(want, recount.Violators{K: k, Default: violators(microdata.RuleDefault, k),
				Conservative: violators(microdata.RuleConservative, k), OwnCategory: violators(microdata.RuleOwnCategory, k)})
		}
		if !slices.Equal(counts.Violators, want) {
			rt.Fatalf("%+v, want %+v", counts.Violators, want)
		}
	})
}

// randomFile returns one to five variables with few values, many of them missing: numbers, and texts that look
// like the missing values of others.
func randomFile(t testing.TB, seed uint64) *microdata.Dataset {
	r := rand.New(rand.NewPCG(seed, 1))
	values := [][]string{{"1", "2", "3"}, {"a", "b"}, {"m", "v", "-"}, {"0", "1.5", "-2"}, {" x", "x", `"x"`}}
	variables, records := 1+r.IntN(5), 1+r.IntN(60)
	columns := make([]*microdata.Column, variables)
	for i := range columns {
		cells := make([]string, records)
		for record := range cells {
			if r.IntN(4) > 0 {
				cells[record] = values[i][r.IntN(len(values[i]))]
			}
		}
		columns[i] = golden.Column(t, string(rune('a'+i)), cells)
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// If nothing can be counted, the reason is given.
func TestNothingToCount(t *testing.T) {
	data := golden.Parse(t, strings.NewReader("a,b\n1,2\n,2\n"))
	counts := recounted(t, data, recount.Question{K: []int{2}})
	want := &recount.Counts{Records: 2, Missing: []recount.Missing{{Variable: "a", Cells: 1}, {Variable: "b"}}}
	if !reflect.DeepEqual(counts, want) {
		t.Errorf("%+v", counts)
	}
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("a\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	count := func(ctx context.Context, path string, names []string, keys ...string) error {
		_, err := recount.File(ctx, path, fileio.NewFormat(), names, recount.Question{Keys: keys})
		return err
	}
	for _, err := range []error{count(t.Context(), path, []string{"a"}, "c"), count(t.Context(), path+"x", []string{"a"}),
		count(t.Context(), path, []string{"a", "b"})} {
		if err == nil {
			t.Error("it was counted")
		}
	}
	if err := count(t.Context(), path, []string{"otherwise"}, "otherwise"); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if count(ctx, path, []string{"a"}, "a") == nil {
		t.Error("it was not cancelled")
	}
}

// BenchmarkMillion counts a file of a million records and seven key variables, with one in fifty cells suppressed.
func BenchmarkMillion(b *testing.B) {
	names := generated.Keys()
	data := generated.Survey(b, 1_000_000, 1, names...)
	r := rand.New(rand.NewPCG(1, 2))
	for _, column := range data.Columns() {
		blank := microdata.NewBits(data.Len())
		for range data.Len() / 50 {
			blank.Set(r.IntN(data.Len()))
		}
		data = data.With(column.Suppress(blank))
	}
	path := filepath.Join(b.TempDir(), "safe.csv")
	if _, err := fileio.Write(b.Context(), path, data, fileio.NewFormat(), fileio.WriteOptions{}, nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		q := recount.Question{Keys: names, K: []int{2, 3, 5}, Alpha: 1}
		if _, err := recount.File(b.Context(), path, fileio.NewFormat(), names, q); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/file")
}
