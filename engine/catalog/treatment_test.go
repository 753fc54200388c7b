package catalog_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// maskers are parameters of each method that masks numbers, by its name, for variables a, b and c, in a file that
// also has d.
var maskers = map[string][]string{
	"microaggregate": {`"variables":["a","b","c"],"size":4`, `"variables":["a","b","c"],"method":"onedims","size":4`,
		`"variables":["a","b","c"],"method":"single","sort":"c","size":4`, `"variables":["a","b","c"],"method":"refined","iterations":3,"size":4`,
		`"variables":["a","b","c"],"method":"gower","semicontinuous":["b"],"distance_weights":[1,2,3],"size":4`},
	"noise":                {`"variables":["a","b","c"],"percent":20`, `"variables":["a","b","c"],"method":"correlated","percent":20`},
	"rankswap":             {`"variables":["a","b","c"],"p":0.2`},
	"shuffle":              {`"responses":["a","b","c"],"predictors":["d"]`},
	"generate":             {`"variables":["a","b","c"],"predictors":["d"]`, `"variables":["a","b","c"],"method":"hybrid","similarity":[0.2,0.2,0.2]`},
	"topcode-multivariate": {`"variables":["a","b"],"share":0.6`},
}

// methodOf returns a method with parameters.
func methodOf(t interface{ Fatal(...any) }, name, params string) method.Method {
	spec, _ := catalog.Methods().Find(name)
	values := map[string]json.RawMessage{}
	err := json.Unmarshal([]byte("{"+params+"}"), &values)
	m := spec.New()
	if err == nil {
		err = method.Decode(m, values)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// maskerOf is methodOf for a method that masks numbers.
func maskerOf(t interface{ Fatal(...any) }, name, params string) method.Applier {
	return methodOf(t, name, params).(method.Applier)
}

// gaps draws records of four numeric variables with two decimals. Some records have missing values in the first
// three.
func gaps(t *rapid.T) *microdata.Dataset {
	n, rare := rapid.IntRange(60, 90).Draw(t, "records"), rapid.IntRange(2, 6).Draw(t, "one of so many lacks values")
	stream := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	values := make([][]float64, 4)
	for i := range n {
		lacks := stream.IntN(8)
		for j := range values {
			x := float64(stream.IntN(100_000)) / 100
			if i%rare == 0 && lacks>>j&1 == 1 {
				x = math.NaN()
			}
			values[j] = append(values[j], x)
		}
	}
	columns := make([]*microdata.Column, 4)
	for j := range columns {
		columns[j] = microdata.NewNumeric(string(rune('a'+j)), microdata.Number,
			&microdata.Numbers{Values: values[j], Decimals: 2})
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// lacking returns the missing variables of each record as a text, and the number of records with the same missing
// variables.
func lacking(data *microdata.Dataset, names []string) (of []string, count map[string]int) {
	count = map[string]int{}
	for row := range data.Len() {
		text := ""
		for _, column := range golden.Columns(data, names...) {
			if math.IsNaN(column.Float(row)) {
				text += column.Name()
			}
		}
		of = append(of, text)
		count[text]++
	}
	return of, count
}

// Every method that masks numbers treats records with missing values as asked: it leaves them and says so, rejects
// them, or masks those with the same missing variables if there are enough of them. No missing value is replaced.
func TestRecordsThatLackValues(t *testing.T) {
	for name, all := range maskers {
		for _, params := range all {
			t.Run(name+params, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { checkGaps(t, name, params, gaps(t)) })
			})
		}
	}
	for _, spec := range catalog.Methods() {
		if _, ok := method.Masked(spec.New()); ok && maskers[spec.Name] == nil {
			t.Errorf("%s is not tried", spec.Name)
		}
	}
}

func checkGaps(t *rapid.T, name, params string, data *microdata.Dataset) {
	left := maskerOf(t, name, params)
	names, _ := method.Masked(left)
	of, count := lacking(data, names)
	incomplete := data.Len() - count[""]
	for _, missing := range []string{"leave", "refuse", "patterns"} {
		m := maskerOf(t, name, params+`,"missing":"`+missing+`"`)
		out, err := golden.Apply(m, data, 5)
		if missing == "refuse" && incomplete > 0 {
			if !errors.Is(err, method.ErrInput) || !strings.Contains(err.Error(), "missing value") {
				t.Fatalf("%d records lack values: %v", incomplete, err)
			}
			continue
		}
		if err != nil && strings.Contains(err.Error(), "robust") {
			continue // the file has too few records
		}
		if err != nil {
			t.Fatal(missing, err)
		}
		least, kept := 10, map[string]int{}
		if name == "microaggregate" {
			least = 4
		}
		if name == "generate" {
			least = 4 // a model may need more, so the counts in its report are not compared with these
		}
		stays, partial, keeping, changed := 0, 0, 0, 0
		for row := range data.Len() {
			lacks, moved, keeps := of[row], false, 0
			for _, variable := range names {
				was, _ := data.Column(variable)
				now, _ := out.Data.Column(variable)
				if math.IsNaN(was.Float(row)) != math.IsNaN(now.Float(row)) {
					t.Fatalf("%s: a value of record %d came or went", missing, row+1)
				}
				if !now.Missing(row) && now.Float(row) != was.Float(row) {
					moved = true
					changed++
				}
				if !was.Missing(row) {
					keeps++
				}
			}
			stay := lacks != "" && (missing == "leave" || len(lacks) == len(names) || count[lacks] < least)
			if stay && moved {
				t.Fatalf("%s: record %d lacks %s as %d do, and changed", missing, row+1, lacks, count[lacks])
			}
			if !stay && lacks != "" {
				partial++
			}
			if stay {
				stays++
				keeping += min(1, keeps)
				for _, variable := range names {
					if was, _ := data.Column(variable); !was.Missing(row) {
						kept[variable]++
					}
				}
			}
		}
		if out.Report.Changed != changed {
			t.Fatalf("%s: %d cells changed, said are %d", missing, changed, out.Report.Changed)
		}
		u := out.Report.Unmasked
		if u == nil {
			if incomplete > 0 {
				t.Fatalf("%s: %d records lack values, nothing is said of them", missing, incomplete)
			}
			continue
		}
		if u.Records+u.Partial != incomplete || name != "generate" && (u.Records != stays || u.Partial != partial ||
			u.Keeping != keeping) {
			t.Fatalf("%s: %+v, want %d left, of which %d keep values, and %d masked", missing, u, stays, keeping, partial)
		}
		for _, c := range u.Values {
			if name != "generate" && c.Count != kept[c.Name] {
				t.Fatalf("%s: %s keeps %d values, said are %d", missing, c.Name, kept[c.Name], c.Count)
			}
		}
		if !strings.Contains(strings.Join(out.Report.Warnings, "; "), u.String()) {
			t.Fatalf("warnings %q do not have %q", out.Report.Warnings, u)
		}
	}
}

// The treatment of records with missing values does not affect complete ones: without a missing value, "patterns"
// gives the same file as "leave", or the same error, however small a stratum is.
func TestPatternsMaskCompleteRecordsOfSmallStrata(t *testing.T) {
	stream, strata := rand.New(rand.NewPCG(8, 1)), make([]string, 40)
	var columns []*microdata.Column
	for j := range 4 {
		cells := make([]string, len(strata))
		for row := range cells {
			cells[row] = strconv.Itoa(stream.IntN(1000))
			strata[row] = "large"
			if row%5 == 0 { // 8 records, fewer than the 10 that a pattern needs
				strata[row] = "small"
			}
		}
		columns = append(columns, golden.Column(t, string(rune('a'+j)), cells))
	}
	data, err := microdata.NewDataset(append(columns, golden.Column(t, "s", strata)))
	if err != nil {
		t.Fatal(err)
	}
	for name, all := range maskers {
		for _, params := range append(all, all[0]+`,"size":9`) {
			if name == "topcode-multivariate" || name == "shuffle" || name != "microaggregate" && strings.Contains(params, "size") {
				continue // has no strata or no groups
			}
			var texts, errors [2]string
			for i, missing := range []string{"leave", "patterns"} {
				out, err := golden.Apply(maskerOf(t, name, params+`,"strata":["s"],"missing":"`+missing+`"`), data, 5)
				if err != nil {
					errors[i] = err.Error()
					continue
				}
				for row := range data.Len() {
					for _, column := range out.Data.Columns() {
						texts[i] += column.Text(row) + " "
					}
				}
				if changed := out.Report.Changed; missing == "patterns" && changed < 100 {
					t.Errorf("%s %s: %d cells changed", name, params, changed)
				}
			}
			if texts[0] != texts[1] || errors[0] != errors[1] {
				t.Errorf("%s %s: leave and patterns differ: %q, %q", name, params, errors[0], errors[1])
			}
		}
	}
}

// Groups of records with the same missing variables have as many records as all other groups.
func TestGroupsOfRecordsThatLackValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := gaps(t)
		out, err := golden.Apply(maskerOf(t, "microaggregate", maskers["microaggregate"][0]+`,"missing":"patterns"`), data, 5)
		if err != nil {
			t.Fatal(err)
		}
		of, count := lacking(data, []string{"a", "b", "c"})
		sizes := map[string]int{}
		rowText := func(row int) string { // of the values, because a cell with the mean of its group keeps its spelling
			text := ""
			for _, column := range golden.Columns(out.Data, "a", "b", "c") {
				text += fmt.Sprint(column.Float(row), " ")
			}
			return text
		}
		for row := range data.Len() {
			sizes[rowText(row)]++
		}
		for row := range data.Len() {
			if count[of[row]] >= 4 && of[row] != "abc" && sizes[rowText(row)] < 4 {
				t.Fatalf("record %d, which lacks %q, is one of %d: %s", row+1, of[row], sizes[rowText(row)], rowText(row))
			}
		}
	})
}

// Masked numbers have the decimals of their source if asked for, and are off by at most half of the last one;
// cells that are not masked keep their spelling.
func TestDecimalsOfTheSource(t *testing.T) {
	for name, all := range maskers {
		for _, params := range all {
			t.Run(name+params, func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					data := gaps(t)
					exact, err := golden.Apply(maskerOf(t, name, params), data, 5)
					if err != nil {
						if strings.Contains(err.Error(), "robust") {
							return
						}
						t.Fatal(err)
					}
					rounded, err := golden.Apply(maskerOf(t, name, params+`,"decimals":"source"`), data, 5)
					if err != nil {
						t.Fatal(err)
					}
					for _, variable := range []string{"a", "b", "c"} {
						was, _ := data.Column(variable)
						one, _ := exact.Data.Column(variable)
						other, _ := rounded.Data.Column(variable)
						for row := range data.Len() {
							x, y := one.Float(row), other.Float(row)
							if math.IsNaN(x) != math.IsNaN(y) || math.Abs(x-y) > 0.005001 {
								t.Fatalf("%s of record %d is %v, rounded %v", variable, row+1, x, y)
							}
							if _, decimals, _ := strings.Cut(other.Text(row), "."); !other.Missing(row) && len(decimals) != 2 {
								t.Fatalf("%s of record %d is %s, was %s", variable, row+1, other.Text(row), was.Text(row))
							}
							if read, _ := strconv.ParseFloat(other.Text(row), 64); !other.Missing(row) && read != y {
								t.Fatalf("%s of record %d is %v, spelled %s", variable, row+1, y, other.Text(row))
							}
						}
					}
				})
			})
		}
	}
}

// Spellings do not reveal which numbers kept their value or got it back: equal numbers are spelled alike.
func TestSpellingsDoNotTellWhatStayed(t *testing.T) {
	stream := rand.New(rand.NewPCG(3, 1))
	cells := make([][]string, 4)
	for range 80 {
		for j := range cells {
			cells[j] = append(cells[j], strconv.FormatFloat(float64(stream.IntN(12)), 'f', stream.IntN(3), 64))
		}
	}
	var columns []*microdata.Column
	for j := range cells {
		columns = append(columns, golden.Column(t, string(rune('a'+j)), cells[j]))
		for row := range cells[j] {
			cells[j][row] = columns[j].Text(row) // numbers with few values have one spelling each
		}
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	for name, all := range maskers {
		more := map[string][]string{"rankswap": {`"variables":["a","b","c"],"top":0,"bottom":0`},
			"noise": {`"variables":["a","b","c"],"percent":0.1,"method":"additive0"`, `"variables":["a","b","c"],"method":"outliers"`}}
		for _, params := range append(more[name], all...) {
			for _, decimals := range []string{"computed", "source"} {
				out, err := golden.Apply(maskerOf(t, name, params+`,"decimals":"`+decimals+`"`), data, 5)
				if err != nil {
					t.Fatal(err)
				}
				for j, was := range cells[:3] {
					after, of := out.Data.Columns()[j], map[float64]string{}
					for row := range was {
						x, is := after.Float(row), after.Text(row)
						if of[x] != "" && of[x] != is {
							t.Errorf("%s, %s, %s: %v is %s and %s", name, params, decimals, x, of[x], is)
						}
						of[x] = is
					}
				}
			}
		}
	}
}
