package numeric_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/microaggregation"
	"github.com/sdcdesk/sdcdesk/engine/perturbation/noise"
)

// householdFile returns a file whose households share income, rent and area (their members need not be adjacent), and in
// heads a file with one record per household, in the order of their first records.
func householdFile(tb testing.TB, seed uint64, households int) (all, heads method.Input) {
	tb.Helper()
	random := rand.New(rand.NewPCG(seed, 3))
	values, order := make([][3]string, households), []int{}
	for h := range values {
		values[h] = [3]string{strconv.Itoa(random.IntN(5000)), strconv.FormatFloat(float64(random.IntN(9000))/100, 'f', 2, 64),
			string(rune('p' + random.IntN(3)))}
		if random.IntN(8) == 0 {
			values[h][1] = ""
		}
		for range 1 + random.IntN(4) {
			order = append(order, h)
		}
	}
	if seed%2 == 0 {
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	var first []int
	for _, h := range order {
		if !slices.Contains(first, h) {
			first = append(first, h)
		}
	}
	return of(tb, values, order), of(tb, values, first)
}

// of returns the input with records of the given households. All members but the first have the income spelled
// differently.
func of(tb testing.TB, values [][3]string, records []int) method.Input {
	cells := make([][]string, 4)
	for i, h := range records {
		cells[0] = append(cells[0], strconv.Itoa(h))
		for v, text := range values[h] {
			if v == 0 && slices.Contains(records[:i], h) {
				text += ".0"
			}
			cells[v+1] = append(cells[v+1], text)
		}
	}
	var columns []*microdata.Column
	for v, name := range []string{"hid", "income", "rent", "area"} {
		columns = append(columns, golden.Column(tb, name, cells[v]))
	}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		tb.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Household = "hid"
	return method.Input{Data: data, Scenario: &scenario, Seed: 11}
}

// byHousehold returns the text of a variable in the first record of each household, and fails if another record
// differs.
func byHousehold(tb rapid.TB, data *microdata.Dataset, name string) map[string]string {
	tb.Helper()
	hid, column, out := golden.Columns(data, "hid")[0], golden.Columns(data, name)[0], map[string]string{}
	for record := range data.Len() {
		id, text := hid.Text(record), column.Text(record)
		if was, known := out[id]; known && was != text {
			tb.Fatalf("household %s has %s %q and %q", id, name, was, text)
		}
		out[id] = text
	}
	return out
}

// Masking once per household gives all members the values that a file with one record per household gets.
func TestOncePerHousehold(t *testing.T) {
	inner := func(names ...string) []method.Applier {
		micro, gower, some := microaggregation.New(), microaggregation.New(), noise.New()
		micro.Variables, some.Variables, gower.Variables = names, names, append([]string{"area"}, names...)
		gower.Method, some.Percent = microaggregation.Gower, 10
		refined := *micro
		refined.Method, refined.Iterations = microaggregation.Refined, 50
		return []method.Applier{micro, gower, some, &refined}
	}
	for seed := range uint64(4) {
		all, heads := householdFile(t, seed, 60)
		for i, m := range inner("income", "rent") {
			want, err := m.Apply(t.Context(), heads, nil)
			if err != nil {
				t.Fatal(err)
			}
			switch m := m.(type) {
			case *noise.Noise:
				m.Households = true
			case *microaggregation.Microaggregate:
				m.Households = true
			}
			got, err := m.Apply(t.Context(), all, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"income", "rent", "area"} {
				if diff := cmp.Diff(byHousehold(t, want.Data, name), byHousehold(t, got.Data, name)); diff != "" {
					t.Errorf("method %d, seed %d: %s of one record for each household (-) and of all members (+):\n%s", i, seed, name,
						diff)
				}
			}
			changed := 0
			for _, name := range []string{"income", "rent", "area"} {
				before, after := golden.Columns(all.Data, name)[0], golden.Columns(got.Data, name)[0]
				for record := range all.Data.Len() {
					if before.Differs(after, record) {
						changed++
					}
				}
			}
			if got.Report.Changed < changed || !strings.HasPrefix(got.Report.Effect, "in 60 households: ") ||
				!strings.HasSuffix(got.Report.Title, "once for each household") {
				t.Errorf("method %d: %d cells differ; %+v", i, changed, got.Report)
			}
			marked, drawn := golden.Columns(got.Data, "income")[0], 0
			if micro, ok := m.(*microaggregation.Microaggregate); !ok || micro.Method == microaggregation.Gower {
				drawn = 1
			}
			if marked.Origin()&microdata.Perturbed == 0 || marked.Draws(all.Seed) != drawn {
				t.Errorf("method %d: income is not marked as masked, or as drawn %d times", i, drawn)
			}
		}
	}
}

// A member without a value keeps it missing, and another member with all values represents the household.
func TestHouseholdsWithMissingValues(t *testing.T) {
	columns := []*microdata.Column{golden.Column(t, "hid", strings.Fields("1 1 2 3 3 4")),
		golden.Column(t, "income", []string{"", "1e1", "20", "30", "3e1", ""})}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Household = "hid"
	m := microaggregation.New()
	m.Variables, m.Size, m.Households = []string{"income"}, 3, true
	out, err := m.Apply(t.Context(), method.Input{Data: data, Scenario: &scenario}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for record := range data.Len() {
		texts = append(texts, golden.Columns(out.Data, "income")[0].Text(record))
	}
	if diff := cmp.Diff([]string{"", "20", "20", "20", "20", ""}, texts); diff != "" || out.Report.Changed != 3 {
		t.Errorf("changed %d, income (-want +got):\n%s", out.Report.Changed, diff)
	}
}

func TestRefusedHouseholds(t *testing.T) {
	columns := []*microdata.Column{golden.Column(t, "hid", strings.Fields("1 1 2 3")),
		golden.Column(t, "income", strings.Fields("1 2 3 4")), golden.Column(t, "rent", strings.Fields("1 1 3 4")),
		golden.Column(t, "sex", strings.Fields("f m f f"))}
	data, err := microdata.NewDataset(columns)
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Household = "hid"
	in := method.Input{Data: data, Scenario: &scenario}
	m := microaggregation.New()
	m.Size, m.Households = 2, true
	for want, set := range map[string]func(){
		`members of 1 household have different values of "income"`: func() { m.Variables = []string{"income"} },
		`members of 1 household have different values of "sex"`: func() {
			m.Variables, m.Strata = []string{"rent"}, []string{"sex"}
		},
	} {
		m.Strata = nil
		set()
		if _, err := m.Apply(t.Context(), in, nil); !errors.Is(err, method.ErrInput) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	scenario.Household = ""
	m.Variables, m.Strata = []string{"rent"}, nil
	if _, err := m.Apply(t.Context(), in, nil); !errors.Is(err, method.ErrParam) ||
		!strings.Contains(err.Error(), "no household IDs") {
		t.Errorf("no households: %v", err)
	}
}
