package inspect

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
)

func read(t testing.TB, text string) *microdata.Dataset {
	t.Helper()
	data, _, err := fileio.ReadBytes(context.Background(), "test.csv", []byte(text), fileio.Guess([]byte(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func look(t testing.TB, data *microdata.Dataset) *Report {
	t.Helper()
	found, err := New(context.Background(), data, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func page(t testing.TB, r *Report) string {
	t.Helper()
	var text strings.Builder
	if err := report.Plain().Write(&text, r.Page("test")); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// The ten records of the SDC Practice Guide: residence, sex, education and status of work have seven keys, of
// which the guide prints the frequencies and the risks.
func TestGuidesTenRecords(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/guide10.csv")
	if err != nil {
		t.Fatal(err)
	}
	r := look(t, read(t, string(text)))
	if want := []string{"Residence", "Gender", "Educ", "Lstat"}; !slices.Equal(r.Scenario.Keys, want) ||
		r.Scenario.Weight != "Weight" {
		t.Fatalf("keys %v, weight %q", r.Scenario.Keys, r.Scenario.Weight)
	}
	if v := r.Risk.Violators[0]; v.K != 2 || v.Count != 4 {
		t.Errorf("violators %+v", r.Risk.Violators)
	}
	if got := fmt.Sprintf("%.4f %.5f", r.Risk.Risk(2),
		r.Risk.Global); got != "0.0251 0.01582" { // as the guide prints them
		t.Errorf("risk of record 3, global risk: %s", got)
	}
	// By hand: eight are employed or not in the labour force, two unemployed.
	for _, c := range r.Top(1, 9) {
		if c.Variables[0] == "Lstat" && (c.Cells != 3 || c.Alone != 0 || c.Below != 2) {
			t.Errorf("%+v", c)
		}
	}
}

// The page contains what names and contents show, but no value of a cell.
func TestSmallFile(t *testing.T) {
	var text strings.Builder
	text.WriteString("name,phone_no,contact,born,interviewed,visit,sex,age,country,w1,none\n")
	for i := range 60 {
		fmt.Fprintf(&text,
			"Person%d,+43 1 58801%03d,secret%d@example.org,19%02d-0%d-1%d,12.03.2024,%d.3.2024,%s,%d,Meridia,%d.5,\n",
			i, i, i, 20+i, 1+i%9, i%10, 10+i%15, []string{"m", "f"}[i%2], 20+i%7, 100+i%9)
	}
	r := look(t, read(t, text.String()))
	var identifiers []string
	for _, v := range r.Identifiers() {
		identifiers = append(identifiers, v.Name)
	}
	if want := []string{"name", "phone_no", "contact"}; !slices.Equal(identifiers, want) {
		t.Errorf("direct identifiers %v, want %v: dates are none", identifiers, want)
	}
	shown := page(t, r)
	for _, want := range []string{"Same value in all records: interviewed, country", "No values: none",
		"Unique value in each record: name, phone_no, contact, born",
		"born      dates", "Possible weights: w1", "Key variables: sex, age",
		"60 records, 11 variables; by type: category 6, dates 3, integer 1, number 1"} {
		if !strings.Contains(strings.Join(strings.Fields(shown), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("the page lacks %q:\n%s", want, shown)
		}
	}
	for _, secret := range []string{"Person", "58801", "secret", "1920", "Meridia"} {
		if strings.Contains(shown, secret) {
			t.Errorf("the page tells a value: %s", secret)
		}
	}
}

// Repeated records are those that a count of lines finds, with and without identifiers.
func TestDuplicatesAgainstLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(1, 60).Draw(t, "rows")
		kinds := rapid.IntRange(1, 3).Draw(t, "kinds")
		text, rest, entire := "serial,a,b,c\n", map[string]bool{}, map[string]bool{}
		repeatedRest, repeated := 0, 0
		for range rows {
			cells := fmt.Sprintf("%d,%s,%s", rapid.IntRange(1, kinds).Draw(t, "a"),
				rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "b"),
				rapid.SampledFrom([]string{"", "0.5", "1.25"}).Draw(t, "c"))
			line := fmt.Sprintf("%d,%s", rapid.IntRange(0, 3).Draw(t, "serial"), cells)
			if rest[cells] {
				repeatedRest++
			}
			if entire[line] {
				repeated++
			}
			rest[cells], entire[line] = true, true
			text += line + "\n"
		}
		data, _, err := fileio.ReadBytes(context.Background(), "t.csv", []byte(text), fileio.NewFormat(), nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := duplicates(context.Background(), data, func(variable int) bool { return variable == 0 })
		if err != nil || got != (Duplicates{Entire: repeated, Rest: repeatedRest, Apart: 1}) {
			t.Fatalf("%+v, want %d and %d; %v\n%s", got, repeated, repeatedRest, err, text)
		}
	})
}

// Each distinct row is counted once, whatever the number of rows, with memory that does not grow with the number
// of equal rows.
func TestRepeatedRowsTakeLittleMemory(t *testing.T) {
	const rows = 1 << 20
	data := read(t, "a,b\n"+strings.Repeat("1,x\n1,x\n2,y\n1,z\n", rows/4))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found, err := duplicates(t.Context(), data, func(variable int) bool { return variable == 1 })
	runtime.ReadMemStats(&after)
	if err != nil || found != (Duplicates{Entire: rows - 3, Rest: rows - 2, Apart: 1}) {
		t.Errorf("%+v, %v", found, err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 10*rows {
		t.Errorf("%d bytes a row", taken/rows)
	}
}

// Files without any findings have a page as well.
func TestPoorFiles(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n":                                 "The file has no records.",
		"a,b\n1,2\n":                            "No suggested key variable",
		"a\n\n\n":                               "No suggested key variable",
		"sex,weight\nm,1\nf,0\nm,2\n":           "Key variables: sex",
		"v1,v2\n3,2\n1,2\n2,1\n2,1\n1,2\n3,1\n": "No variable name suggests a key variable. Variables with few categories: v1, v2",
	} {
		if shown := page(t, look(t, read(t, text))); !strings.Contains(shown, want) {
			t.Errorf("%q: the page lacks %q:\n%s", text, want, shown)
		}
	}
	if shown := page(t, look(t, read(t, "a,b\n"))); strings.Contains(shown, "0 %") || !strings.Contains(shown, "–") {
		t.Errorf("there is no share of no records:\n%s", shown)
	}
	if said := look(t, read(t, "sex,age\n")).Sentence(); said != "the file has no records" {
		t.Errorf("of a file without records: %s", said)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New(ctx, read(t, "sex\nm\nf\n"), nil, nil); err == nil {
		t.Error("no error though the context has ended")
	}
}

// A weight that later records make invalid is reported, and the risk is computed without it.
func TestWeightThatIsNone(t *testing.T) {
	var text strings.Builder
	text.WriteString("sex,weight\n")
	for i := range microdata.ProfileRecords + 2 {
		fmt.Fprintf(&text, "%d,%d\n", i%2, microdata.ProfileRecords-i)
	}
	r := look(t, read(t, text.String()))
	if r.Risk == nil || r.Scenario.Weight != "" || !strings.Contains(page(t, r), "Without weights: ") {
		t.Errorf("problem %q:\n%s", r.Problem, page(t, r))
	}
}

func BenchmarkInspect(b *testing.B) {
	for _, persons := range []int{5000, 1_000_000} {
		b.Run(fmt.Sprint(persons), func(b *testing.B) {
			if persons > 5000 && testing.Short() {
				b.Skip("takes a moment")
			}
			data := generated.Survey(b, persons, 7)
			for b.Loop() {
				look(b, data)
			}
		})
	}
}

// Names that are too long for a line are truncated everywhere on the page.
func TestLongNamesAreCut(t *testing.T) {
	long := strings.Repeat("n", 200)
	text := "sex " + long + ",weight " + long + ",household id " + long + ",name " + long + ",empty " + long + "\n"
	for i := range 6 {
		text += fmt.Sprintf("%d,%d,%d,%c,\n", i%2, 10+i, i/2, 'a'+i)
	}
	r := look(t, read(t, text))
	for i := range r.Variables {
		r.Variables[i].Role, r.Variables[i].Reason = microdata.RoleRemoved, "its name"
	}
	r.Weights, r.Scenario.Weight = &Weights{Sum: 1}, r.Variables[1].Name
	r.Households, r.Scenario.Household = &Households{Number: 3}, r.Variables[2].Name
	if shown := page(t, r) + r.Sentence(); strings.Contains(shown, long) || len(r.Combinations) == 0 {
		t.Errorf("%d combinations; a name stands whole:\n%s", len(r.Combinations), shown)
	}
}
