package recordswap

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// data returns columns of cells separated by spaces, by name; "-" is missing.
func data(tb testing.TB, columns ...string) *microdata.Dataset {
	tb.Helper()
	var all []*microdata.Column
	for _, text := range columns {
		name, cells, _ := strings.Cut(text, ":")
		fields := strings.Fields(cells)
		for i := range fields {
			if fields[i] == "-" {
				fields[i] = ""
			}
		}
		all = append(all, golden.Column(tb, name, fields))
	}
	d, err := microdata.NewDataset(all)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func input(d *microdata.Dataset, seed uint64) method.Input {
	scenario := microdata.NewScenario()
	if _, ok := d.Column("hid"); ok {
		scenario.Household = "hid"
	}
	return method.Input{Data: d, Scenario: &scenario, Seed: seed}
}

func texts(d *microdata.Dataset, name string) []string {
	column, _ := d.Column(name)
	var out []string
	for row := range column.Len() {
		out = append(out, column.Text(row))
	}
	return out
}

// drawn returns a random file of households in regions and districts.
func drawn(t *rapid.T, tb testing.TB) *microdata.Dataset {
	var hid, region, district, age, sex []string
	for household := range rapid.IntRange(1, 20).Draw(t, "households") {
		r := rapid.SampledFrom([]string{"A", "B", "C", "-"}).Draw(t, "region")
		d := r + rapid.SampledFrom([]string{"1", "2"}).Draw(t, "district")
		for range rapid.IntRange(1, 3).Draw(t, "members") {
			hid, region, district = append(hid, strconv.Itoa(household+1)), append(region, r), append(district, d)
			age = append(age, rapid.SampledFrom([]string{"y", "o", "-"}).Draw(t, "age"))
			sex = append(sex, rapid.SampledFrom([]string{"f", "m"}).Draw(t, "sex"))
		}
	}
	return data(tb, "hid:"+strings.Join(hid, " "), "region:"+strings.Join(region, " "),
		"district:"+strings.Join(district, " "),
		"age:"+strings.Join(age, " "), "sex:"+strings.Join(sex, " "))
}

// likeness returns the profile of each household: the values of its members in any order.
func likeness(d *microdata.Dataset, names ...string) map[string]string {
	members := map[string][]string{}
	for row, id := range texts(d, "hid") {
		text := ""
		for _, name := range names {
			text += texts(d, name)[row] + "|"
		}
		members[id] = append(members[id], text)
	}
	out := map[string]string{}
	for id, all := range members {
		slices.Sort(all)
		out[id] = strings.Join(all, ",")
	}
	return out
}

// With a single profile, every area keeps its number of similar households and only locations change. Households
// at risk move to another area or have no partner, and the swap rate is reached or the shortfall is reported.
func TestSwaps(outer *testing.T) {
	rapid.Check(outer, func(t *rapid.T) {
		d := drawn(t, outer)
		m := New()
		m.Hierarchy, m.RiskKeys = []string{"region", "district"}, []string{"age", "sex"}
		m.K, m.Rate = rapid.IntRange(1, 4).Draw(t, "k"), rapid.SampledFrom([]float64{0, 0.2, 1}).Draw(t, "rate")
		alike := rapid.SampledFrom([][]string{nil, {"sex"}, {"age", "sex"}}).Draw(t, "similar")
		if alike != nil {
			m.Similar = [][]string{alike}
		}
		in := input(d, rapid.Uint64().Draw(t, "seed"))
		f, err := m.file(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Apply(t.Context(), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"hid", "age", "sex"} {
			if !slices.Equal(texts(d, name), texts(out.Data, name)) {
				t.Fatalf("%s changed", name)
			}
		}
		kinds := likeness(d, alike...)
		before, after := places(d), places(out.Data)
		was, is := map[string]int{}, map[string]int{}
		for id, kind := range kinds {
			was[before[id]+kind]++
			is[after[id]+kind]++
		}
		for what, n := range was {
			if is[what] != n {
				t.Fatalf("%d households of %s, before %d", is[what], what, n)
			}
		}
		checkRisk(t, m, f, out.Report.Swaps, before, after, kinds, rareIn(d, m.K))
	})
}

// places returns the regions and districts of the households, which all members share.
func places(d *microdata.Dataset) map[string]string {
	regions, districts, out := texts(d, "region"), texts(d, "district"), map[string]string{}
	for row, id := range texts(d, "hid") {
		place := regions[row] + " " + districts[row]
		if known, ok := out[id]; ok && known != place {
			place = "torn apart"
		}
		out[id] = place
	}
	return out
}

// rareIn returns the households that are at risk in their region.
func rareIn(d *microdata.Dataset, k int) map[string]bool {
	regions, ages, sexes, counts := texts(d, "region"), texts(d, "age"), texts(d, "sex"), map[string]int{}
	for row := range regions {
		counts[regions[row]+ages[row]+sexes[row]]++
	}
	rare := map[string]bool{}
	for row, id := range texts(d, "hid") {
		if counts[regions[row]+ages[row]+sexes[row]] < k && regions[row] != "" {
			rare[id] = true
		}
	}
	return rare
}

func checkRisk(t *rapid.T, m *RecordSwap, f *file, log *method.Swaps, before, after, kinds map[string]string,
	rare map[string]bool) {
	swapped, left := 0, 0
	for id, place := range before {
		if strings.HasPrefix(place, " ") {
			if after[id] != place {
				t.Fatalf("%s had no place and has %s", id, after[id])
			}
			continue
		}
		if after[id] == "torn apart" {
			t.Fatalf("household %s is torn apart", id)
		}
		if after[id] != place {
			swapped++
			continue
		}
		if !rare[id] {
			continue
		}
		left++
		for other, kind := range kinds { // households it could have been swapped with
			if kind == kinds[id] && before[other][0] != place[0] && !strings.HasPrefix(before[other], " ") &&
				after[other] == before[other] {
				t.Fatalf("%s is at risk and stays, though %s is like it, elsewhere and stays", id, other)
			}
		}
	}
	if log.Swapped != swapped || log.Levels[0].AtRisk != len(rare) || len(log.Records) < left ||
		log.Units != f.Len()-f.placeless {
		t.Fatalf("%d swapped, %d at risk in regions, %d of them left; log %+v", swapped, len(rare), left, log)
	}
	if want := int(math.Round(m.Rate * float64(log.Units))); log.Swapped+log.Short < want-1 {
		t.Fatalf("%d households swapped of %d, and the log says that %d lack", log.Swapped, want, log.Short)
	}
}

// All matching households are drawn equally often. The first profile is tried before the second, the same region
// before another.
func TestPartners(t *testing.T) {
	d := data(t, "region: A A A A A A B B", "district: a1 a2 a2 a2 a2 a3 b1 b1", "age: 1 2 2 2 3 2 1 2",
		"income: 5 5 6 5 6 5 7 7")
	m := New()
	m.Hierarchy, m.RiskKeys, m.K, m.Rate = []string{"region", "district"}, []string{"income"}, 2, 0
	m.RiskKeys = []string{"age"}
	for want, similar := range map[string][][]string{
		"6":         {{"age"}},             // only one record elsewhere has the age
		"1 2 3 4 5": nil,                   // all of the region, but of another district
		"1 3 5":     {{"income"}, {"age"}}, // of the same income, although one of the same age is in another region
	} {
		m.Similar = similar
		counts := make([]int, 8)
		const draws = 2000
		for seed := range uint64(draws) {
			in := input(d, seed)
			f, err := m.file(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			s, err := m.newSwapping(t.Context(), in, f)
			if err != nil {
				t.Fatal(err)
			}
			if !s.swap(0, 1, anywhere) {
				t.Fatal("no partner")
			}
			counts[s.partners[0]]++
		}
		wanted := strings.Fields(want)
		for partner, count := range counts {
			mean, share := 0.0, 1/float64(len(wanted))
			if slices.Contains(wanted, strconv.Itoa(partner)) {
				mean = draws * share
			}
			if math.Abs(float64(count)-mean) > 5*math.Sqrt(mean*(1-share)) {
				t.Errorf("similar %v: record %d was drawn %d times of %d, want about %v", similar, partner, count, draws, mean)
			}
		}
	}
}

func TestSeeds(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	in := input(generated.Survey(t, 2000, 3, "hid", "region", "age", "sex"), 5)
	m := New()
	m.Hierarchy, m.RiskKeys, m.Rate = []string{"region"}, []string{"age", "sex"}, 0.3
	runtime.GOMAXPROCS(1)
	one, err := m.Apply(t.Context(), in, nil)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GOMAXPROCS(4)
	two, _ := m.Apply(t.Context(), in, nil)
	in.Seed = 6
	other, _ := m.Apply(t.Context(), in, nil)
	if one.Data.Hash() != two.Data.Hash() || one.Data.Hash() == other.Data.Hash() {
		t.Error("the seed does not decide alone")
	}
	if one.Data.Origins()["region"] != microdata.Perturbed || one.Report.Swaps.Swapped == 0 {
		t.Errorf("origins %v, report %+v", one.Data.Origins(), one.Report)
	}
}

// Carried variables move with the location; incomplete locations stay.
func TestCarryAndMissing(t *testing.T) {
	d := data(t, "hid: 1 1 2 2 3", "region: A A B B -", "urban: yes yes - - no", "sex: f m m f f")
	m := New()
	m.Hierarchy, m.Carry, m.RiskKeys, m.Similar = []string{"region"}, []string{"urban"}, []string{"sex"}, [][]string{{"sex"}}
	out, err := m.Apply(t.Context(), input(d, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(texts(out.Data, "region"), " ") + "; " +
		strings.Join(texts(out.Data, "urban"), " "); got != "B B A A ;   yes yes no" {
		t.Errorf("%q", got)
	}
	if w := strings.Join(out.Report.Warnings, "; "); !strings.Contains(w, "1 household has no place") ||
		!strings.Contains(w, "more than half of the households are swapped") || out.Report.Changed != 8 {
		t.Errorf("%s; %+v", w, out.Report)
	}
}

func TestNobodyElsewhere(t *testing.T) {
	m := New()
	m.Hierarchy, m.RiskKeys, m.Rate = []string{"region"}, []string{"sex"}, 1
	out, err := m.Apply(t.Context(), input(data(t, "region: A A A", "sex: f m m"), 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	log := out.Report.Swaps
	if w := strings.Join(out.Report.Warnings, "; "); strings.Contains(w, "more than half") {
		t.Errorf("nobody swaps: %s", w)
	}
	if !out.Report.ChangesNothing() || log.Levels[0] != (method.SwapLevel{Level: "region", AtRisk: 3, Unmatched: 3}) ||
		log.Short != 3 || !slices.Equal(log.Records, []int{1, 2, 3}) {
		t.Errorf("%+v, warnings %q", log, out.Report.Warnings)
	}
	if out, err := m.Apply(t.Context(), input(data(t, "region: A", "sex: f"), 1), nil); err != nil ||
		!out.Report.ChangesNothing() {
		t.Errorf("one record: %v", err)
	}
}

// If no household is at risk, all swaps are random: with a rate of one half and no other candidates, both
// households of each region swap.
func TestAtRandomAlone(t *testing.T) {
	m := New()
	m.Hierarchy, m.RiskKeys, m.K, m.Rate = []string{"region"}, []string{"sex"}, 1, 0.5
	out, err := m.Apply(t.Context(), input(data(t, "region: A A B B", "sex: f f f f"), 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	if log := out.Report.Swaps; log.Random != 2 || log.Swapped != 2 || log.Short != 0 || log.Levels[0].AtRisk != 0 {
		t.Errorf("%+v", log)
	}
}

func TestRefusals(t *testing.T) {
	d := data(t, "hid: 1 1 2", "region: A B B", "sex: f m m")
	for what, test := range map[string]struct {
		set  func(m *RecordSwap)
		want string
		kind error
	}{
		"members in several regions": {func(*RecordSwap) {}, "members of 1 household", method.ErrInput},
		"household as place": {func(m *RecordSwap) { m.Hierarchy = []string{"hid"} }, "household ID",
			method.ErrParam},
		"unknown": {func(m *RecordSwap) { m.Hierarchy = []string{"x"} }, `no variable "x"`,
			method.ErrParam},
	} {
		m := New()
		m.Hierarchy, m.RiskKeys = []string{"region"}, []string{"sex"}
		test.set(m)
		if _, err := m.Apply(context.Background(), input(d, 1), nil); !errors.Is(err, test.kind) ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	m := New()
	m.Hierarchy = []string{"region"}
	if _, err := m.Apply(t.Context(), input(data(t, "region: A B"), 1), nil); !errors.Is(err, method.ErrParam) ||
		!strings.Contains(err.Error(), "empty") {
		t.Errorf("no keys: %v", err)
	}
}

func BenchmarkRecordSwap(b *testing.B) {
	in := input(generated.Survey(b, 1_000_000, 3, "hid", "region", "age", "sex"), 5)
	m := New()
	m.Hierarchy, m.RiskKeys, m.Similar = []string{"region"}, []string{"age", "sex"}, [][]string{{"age", "sex"}, {"sex"}}
	for b.Loop() {
		if _, err := m.Apply(b.Context(), in, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// The rate includes all swapped households, also the partners, and is allocated to all areas, whatever the
// position of their code and their size.
func TestRate(t *testing.T) {
	const households, areas = 1500, 12
	stream := rand.New(rand.NewPCG(7, 8))
	from := make([]string, households)
	of := map[string]float64{}
	for i := range from {
		from[i] = string(rune('A' + min(stream.IntN(areas), stream.IntN(areas+4))))
		of[from[i]]++
	}
	d := data(t, "region: "+strings.Join(from, " "), "sex: "+strings.Repeat("f ", households-1)+"f")
	for _, rate := range []float64{0.05, 0.1, 0.3, 0.333, 1} {
		m := New()
		m.Hierarchy, m.RiskKeys, m.K, m.Rate = []string{"region"}, []string{"sex"}, 1, rate
		out, err := m.Apply(t.Context(), input(d, 5), nil)
		if err != nil {
			t.Fatal(err)
		}
		log, moved := out.Report.Swaps, map[string]float64{}
		if want := math.Round(rate * households); math.Abs(float64(log.Swapped)-want) > 1 || log.Random != log.Swapped ||
			log.Short > 1 {
			t.Errorf("rate %v: %+v, want %v households", rate, log, want)
		}
		for i, place := range texts(out.Data, "region") {
			if from[i] != place {
				moved[from[i]]++
			}
		}
		for place, n := range of {
			if math.Abs(moved[place]-rate*n) > 1.01 {
				t.Errorf("rate %v: %v of the %v households of %s swapped", rate, moved[place], n, place)
			}
		}
	}
}
