package diversity_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
	"github.com/sdcdesk/sdcdesk/engine/risk/diversity"
)

func version(data *microdata.Dataset, keys, sensitive []string) *measure.Version {
	scenario := microdata.NewScenario()
	scenario.Keys, scenario.Sensitive = keys, sensitive
	return measure.NewVersion(data, &scenario, nil)
}

func compute(tb testing.TB, m measure.Measure, v *measure.Version) measure.Values {
	tb.Helper()
	values, err := m.Compute(context.Background(), measure.Input{Original: v, Current: v}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return values
}

// reference has the figures of sdcMicro for one file.
type reference struct {
	KeyVars   []string        `json:"keyVars"`
	Sensitive json.RawMessage `json:"sensitive"`
	Records   map[string][]float64
}

func (ref *reference) check(t *testing.T, name string) {
	data := golden.Data(t, name)
	if name == "survey" {
		data = generated.AgesCut(t, data)
	}
	var sensitive []string
	if json.Unmarshal(ref.Sensitive, &sensitive) != nil {
		sensitive = []string{strings.Trim(string(ref.Sensitive), `"`)}
	}
	values := compute(t, diversity.LDiversitySpec().New(), version(data, ref.KeyVars, sensitive))
	compared := 0
	for c, column := range values.Columns {
		name, _ := strings.CutSuffix(column.Name, "_ldiversity")
		at := strings.LastIndex(name, "_")
		kind := strings.ToUpper(name[at+1:at+2]) + name[at+2:]
		want := ref.Records[name[:at]+"_"+kind+"_Ldiversity"]
		if len(want) != data.Len() {
			t.Fatalf("the reference has %d records of %s", len(want), column.Name)
		}
		for record, x := range want {
			compared++
			if got := values.Records[c](record); math.Abs(got-x) > 1e-8*math.Abs(x) {
				t.Fatalf("%s of record %d is %v, want %v", column.Name, record+1, got, x)
			}
		}
	}
	if compared != 3*len(sensitive)*data.Len() {
		t.Errorf("%d figures compared", compared)
	}
}

// In table 3 of the guide the records whose key pattern reveals their health have l = 1.
func TestGuide(t *testing.T) {
	var file struct{ Ldiversity reference }
	golden.Reference(t, "guide10_suda", &file)
	file.Ldiversity.check(t, "guide10")
}

func TestSharedGolden(t *testing.T) {
	for _, name := range []string{"guide10", "testdata", "survey"} {
		var file struct{ Ldiversity reference }
		golden.Shared(t, name, &file)
		file.Ldiversity.check(t, name)
	}
}

// For labelled codes on a nominal scale the distance is half the sum of differences of shares: |1/2-1/4| twice and
// 1/4 twice, halved, 0.5. For ordered codes it is 1/3 (|1/2-1/4| + |1/2-1/2| + |1-3/4|) = 1/6, which understates
// the risk.
func TestCodesByNameHaveNoOrder(t *testing.T) {
	codes := golden.Column(t, "s", strings.Fields("1 3 2 4"))
	labels := map[string]string{"1": "flu", "2": "asthma", "3": "burn", "4": "cancer"}
	for level, want := range map[microdata.MeasurementLevel]float64{microdata.Nominal: 0.5, microdata.Ordinal: 1.0 / 6, microdata.Scale: 1.0 / 6, "": 0.5} {
		data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "a", strings.Fields("x x y y")),
			codes.WithDescription(&microdata.Description{Level: level, Labels: labels})})
		if err != nil {
			t.Fatal(err)
		}
		values := compute(t, diversity.TClosenessSpec().New(), version(data, []string{"a"}, []string{"s"}))
		if got := values.Numbers[0].Number; math.Abs(got-want) > 1e-12 {
			t.Errorf("%q: the greatest distance is %v, want %v", level, got, want)
		}
		// t-closeness follows the type set by convert, whatever the file declares; the values stay the same.
		for to, want := range map[string]float64{prepare.ToOrdered: 1.0 / 6, prepare.ToUnordered: 0.5} {
			scenario := microdata.NewScenario()
			out, err := method.Apply(t.Context(), &prepare.Convert{Variable: "s", To: to, Invalid: prepare.InvalidError,
				Decimal: prepare.DecimalPoint}, method.Input{Data: data, Scenario: &scenario}, nil)
			if err != nil {
				t.Fatal(err)
			}
			values := compute(t, diversity.TClosenessSpec().New(), version(out.Data, []string{"a"}, []string{"s"}))
			if got := values.Numbers[0].Number; math.Abs(got-want) > 1e-12 || out.Report.Changed > 0 {
				t.Errorf("%q, then %s: the greatest distance is %v, want %v; %d cells changed", level, to, got, want, out.Report.Changed)
			}
		}
	}
}

// By hand, for codes without labels, as in a text file: the same distances. Larger numbers are amounts, and users
// can declare which variables are ordered.
func TestCodesWithoutLabels(t *testing.T) {
	for _, c := range []struct {
		values  string
		ordered []string
		want    float64
	}{{"1 3 2 4", nil, 0.5}, {"1 3 2 4", []string{"s"}, 1.0 / 6}, {"100 300 200 400", nil, 1.0 / 6}, {"100 300 200 400", []string{}, 0.5}} {
		data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "a", strings.Fields("x x y y")),
			golden.Column(t, "s", strings.Fields(c.values))})
		if err != nil {
			t.Fatal(err)
		}
		m := diversity.TClosenessSpec().New().(*diversity.TCloseness)
		m.Ordered = c.ordered
		values := compute(t, m, version(data, []string{"a"}, []string{"s"}))
		if got := values.Numbers[0].Number; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: the greatest distance is %v", c, got)
		}
	}
}

// Key pattern y has no value that could be disclosed: with l = 2 the three records of x are below, which have the
// value 1.
func TestKeysWithoutAValueDoNotFail(t *testing.T) {
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "a", strings.Fields("x x x y y")),
		golden.Column(t, "s", []string{"1", "1", "1", "", ""})})
	if err != nil {
		t.Fatal(err)
	}
	values := compute(t, diversity.LDiversitySpec().New(), version(data, []string{"a"}, []string{"s"}))
	for i, want := range []float64{3, 3, 3, 1} {
		if got := values.Numbers[i].Number; got != want {
			t.Errorf("%s is %v, want %v", values.Numbers[i].Name, got, want)
		}
	}
	if text := strings.Join(values.Tables[0].Text()[1], " "); !strings.HasPrefix(text, "s distinct 1") {
		t.Errorf("the distribution has the key without a value: %s", text)
	}
	if text := strings.Join(values.Tables[1].Text()[1], " "); text != "x 3 s 1 1.00 1" {
		t.Errorf("failing keys: %s", text)
	}
}

// By hand: two key patterns of two records, each with a different single value, have distance 1/2 from the file,
// which is not above 1/2, and each has fewer than two values.
func TestLimitsByHand(t *testing.T) {
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "a", strings.Fields("x x y y")),
		golden.Column(t, "ill", strings.Fields("u u v v"))})
	if err != nil {
		t.Fatal(err)
	}
	v := version(data, []string{"a"}, []string{"ill"})
	for _, test := range []struct {
		measure measure.Measure
		want    map[string]float64
	}{
		{&diversity.TCloseness{T: 0.5}, map[string]float64{"max_distance": 0.5, "keys_above_t": 0, "records_above_t": 0}},
		{&diversity.TCloseness{T: 0.49}, map[string]float64{"max_distance": 0.5, "keys_above_t": 2, "records_above_t": 4}},
		{&diversity.LDiversity{C: 2, L: 2}, map[string]float64{"keys_below_l": 2, "distinct_below_l": 4, "entropy_below_l": 4,
			"recursive_below_l": 4}},
		{&diversity.LDiversity{C: 2, L: 1}, map[string]float64{"keys_below_l": 0, "distinct_below_l": 0, "entropy_below_l": 0,
			"recursive_below_l": 0}},
	} {
		for _, n := range compute(t, test.measure, v).Numbers {
			if n.Number != test.want[n.Name] {
				t.Errorf("%s is %v, want %v", n.Title, n.Number, test.want[n.Name])
			}
		}
	}
}

// drawn returns a random file with two keys and two sensitive variables, one categorical and one numeric, all with
// some missing values.
func drawn(rt *rapid.T, t *testing.T) *microdata.Dataset {
	n := rapid.IntRange(1, 40).Draw(rt, "records")
	column := func(name, form string, levels int) *microdata.Column {
		cells := make([]string, n)
		for i := range cells {
			if rapid.IntRange(0, 5).Draw(rt, "missing") > 0 {
				cells[i] = fmt.Sprintf(form, rapid.IntRange(1, levels).Draw(rt, name))
			}
		}
		return golden.Column(t, name, cells)
	}
	data, err := microdata.NewDataset([]*microdata.Column{column("a", "x%d", 3), column("b", "x%d", 2),
		column("ill", "i%d", rapid.IntRange(1, 5).Draw(rt, "ills")),
		column("pay", "10%d", rapid.IntRange(1, 9).Draw(rt, "pays"))})
	if err != nil {
		rt.Fatal(err)
	}
	return data
}

// texts returns the values of a variable among the records with the same key pattern as record, or of all records
// for -1.
func texts(data *microdata.Dataset, variable string, record int) (values []string) {
	columns := golden.Columns(data, "a", "b", variable)
	for other := range data.Len() {
		if record < 0 ||
			columns[0].Text(other) == columns[0].Text(record) && columns[1].Text(other) == columns[1].Text(record) {
			values = append(values, columns[2].Text(other))
		}
	}
	return values
}

func shares(values []string) map[string]float64 {
	out := map[string]float64{}
	for _, value := range values {
		out[value] += 1 / float64(len(values))
	}
	return out
}

// The figures of every record equal those computed by definition.
func TestAgainstDefinitions(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		data := drawn(rt, t)
		v := version(data, []string{"a", "b"}, []string{"ill", "pay"})
		c := rapid.SampledFrom([]float64{0.5, 1, 2, 3.5}).Draw(rt, "c")
		l, closeness := diversity.LDiversitySpec().New().(*diversity.LDiversity), diversity.TClosenessSpec().New()
		l.C = c
		values, distances := compute(t, l, v), compute(t, closeness, v)
		below := [3]float64{} // records below 2 on any variable, by kind; a record without a value has none to disclose
		for record := range data.Len() {
			var any [3]bool
			for _, name := range []string{"ill", "pay"} {
				of := texts(data, name, record)
				for k, l := range []float64{distinct(of), entropy(of), recursive(of, c)} {
					any[k] = any[k] || l < 2-1e-9 && distinct(of) > 0
				}
			}
			for k, is := range any {
				if is {
					below[k]++
				}
			}
		}
		for k, want := range below {
			if got := values.Numbers[k].Number; got != want {
				rt.Fatalf("%s is %v, by the definition %v", values.Numbers[k].Name, got, want)
			}
		}
		for record := range data.Len() {
			for i, name := range []string{"ill", "pay"} {
				of := texts(data, name, record)
				for k, want := range []float64{distinct(of), entropy(of), recursive(of, c)} {
					if got := values.Records[3*i+k](record); math.Abs(got-want) > 1e-9 {
						rt.Fatalf("%s of record %d is %v, want %v", values.Columns[3*i+k].Name, record, got, want)
					}
				}
				want := nominal(of, texts(data, name, -1))
				if column, _ := data.Column(name); column.Numeric() {
					want = ordered(of, texts(data, name, -1))
				}
				if got := distances.Records[i](record); math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
					rt.Fatalf("distance of %s of record %d is %v, want %v", name, record, got, want)
				}
			}
		}
	})
}

func distinct(values []string) float64 {
	n := len(shares(values))
	if n == 1 && values[0] == "" {
		return 0
	}
	return float64(n)
}

func entropy(values []string) float64 {
	sum := 0.0
	for _, s := range shares(values) {
		sum -= s * math.Log(s)
	}
	return math.Exp(sum)
}

func recursive(values []string, c float64) float64 {
	counts := map[string]float64{}
	for _, value := range values {
		if value != "" {
			counts[value]++
		}
	}
	var r []float64
	for _, n := range counts {
		r = append(r, n)
	}
	slices.SortFunc(r, func(a, b float64) int { return int(b - a) })
	largest := 1.0
	for l := range r {
		sum := 0.0
		for _, n := range r[l:] {
			sum += n
		}
		if r[0] < c*sum {
			largest = float64(l + 1)
		}
	}
	return largest
}

func nominal(of, all []string) float64 {
	p, q, sum := shares(of), shares(all), 0.0
	for value, share := range q {
		sum += math.Abs(p[value] - share)
	}
	return sum / 2
}

func ordered(of, all []string) float64 {
	present := func(values []string) []string {
		return slices.DeleteFunc(slices.Clone(values), func(text string) bool { return text == "" })
	}
	of, all = present(of), present(all)
	if len(of) == 0 {
		return math.NaN()
	}
	p, q := shares(of), shares(all)
	var values []string
	for value := range q {
		values = append(values, value)
	}
	slices.Sort(values) // single digits
	sum, cumulated := 0.0, 0.0
	for _, value := range values {
		cumulated += p[value] - q[value]
		sum += math.Abs(cumulated)
	}
	if len(values) == 1 {
		return 0
	}
	return sum / float64(len(values)-1)
}

// The figures of a join equal those computed without the key variable.
func TestJoinsAgainstFewerKeys(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		data := drawn(rt, t)
		for _, name := range []string{"ill", "pay"} {
			whole, err := diversity.NewSpread(context.Background(), version(data, []string{"a", "b"}, nil), name)
			if err != nil {
				rt.Fatal(err)
			}
			for v, rest := range []string{"b", "a"} {
				fewer := version(data, []string{rest}, []string{name})
				values, distances := compute(t, diversity.LDiversitySpec().New(), fewer), compute(t,
					diversity.TClosenessSpec().New(), fewer)
				for record := range data.Len() {
					got := whole.Joins(int(whole.Table.Key(record)), 2)[v]
					if float64(got.Distinct) != values.Records[0](record) || math.Abs(got.Entropy-values.Records[1](record)) > 1e-9 ||
						float64(got.Recursive) != values.Records[2](record) ||
						math.Abs(got.Distance-distances.Records[0](record)) > 1e-12 {
						rt.Fatalf("record %d without %d: %+v, want %v, %v, %v, %v", record, v, got, values.Records[0](record),
							values.Records[1](record), values.Records[2](record), distances.Records[0](record))
					}
				}
			}
		}
	})
}

// The example of Li, Li and Venkatasubramanian: salaries 3k to 11k in steps of 1k, one each in the file.
// {3k,4k,5k} has distance 0.375, {6k,8k,11k} 0.167.
func TestEarthMover(t *testing.T) {
	var a, pay []string
	for i := 3; i <= 11; i++ {
		pay = append(pay, fmt.Sprint(1000*i))
		switch i {
		case 3, 4, 5:
			a = append(a, "low")
		case 6, 8, 11:
			a = append(a, "mixed")
		default:
			a = append(a, "other")
		}
	}
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "a", a), golden.Column(t, "pay", pay)})
	if err != nil {
		t.Fatal(err)
	}
	v := version(data, []string{"a"}, []string{"pay"})
	values := compute(t, diversity.TClosenessSpec().New(), v)
	if low, mixed := values.Records[0](0), values.Records[0](3); math.Abs(low-0.375) > 1e-12 ||
		math.Abs(mixed-1.0/6) > 1e-12 {
		t.Errorf("distances %v and %v", low, mixed)
	}
	if values.Numbers[0].Number != values.Records[0](0) || values.Numbers[1].Number != 2 ||
		values.Numbers[2].Number != 6 { // {7k,9k,10k} has distance 17/72
		t.Errorf("%+v", values.Numbers)
	}
	// Nominal, by hand: the key pattern {x, x, y} in a file of 3 x, 1 y, 2 z has distance (|2/3-1/2| + |1/3-1/6| +
	// |0-1/3|) / 2 = 1/3.
	in := generated.Rows(t, "ax", "ax", "ay", "bx", "bz", "bz")
	values = compute(t, diversity.TClosenessSpec().New(), version(in.Data, []string{"a"}, []string{"b"}))
	if got := values.Records[0](0); math.Abs(got-1.0/3) > 1e-12 {
		t.Errorf("nominal distance %v", got)
	}
}

// Explanations end with the figure.
func TestExplanations(t *testing.T) {
	in := generated.Rows(t, "ax", "ax", "ay", "bx", "bz", "b ")
	v := version(in.Data, []string{"a"}, []string{"b"})
	for _, spec := range []measure.Spec{diversity.LDiversitySpec(), diversity.TClosenessSpec()} {
		m := spec.New()
		values := compute(t, m, v)
		for c, column := range values.Columns {
			for record := range in.Data.Len() {
				e := (&measure.Entry{Spec: spec, Values: values}).Explain(measure.FigureKey{Column: column.Name, Record: record})
				var shown float64
				if _, err := fmt.Sscan(e.Value, &shown); err != nil || math.Abs(shown-values.Records[c](record)) > 5e-5 {
					t.Errorf("%s of record %d is %v, explained as %q", column.Name, record, values.Records[c](record), e.Value)
				}
				if last := e.Values[len(e.Values)-1]; !strings.HasSuffix(last, "= "+e.Value) {
					t.Errorf("%s of record %d: %q", column.Name, record, e.Values)
				}
			}
		}
	}
	spec := diversity.LDiversitySpec()
	values := compute(t, spec.New(), v)
	if e := (&measure.Entry{Spec: spec, Values: values}).Explain(measure.FigureKey{Column: "b_recursive_ldiversity", Record: 0}); !slices.Equal(e.Values[1:],
		[]string{"from place 1 on: r1 = 2 is below 2 × (2 + 1) = 6", "from place 2 on: r1 = 2 is not below 2 × (1) = 2",
			"l = 1"}) {
		t.Errorf("recursive: %q", e.Values)
	}
	if text := fmt.Sprintf("%.3v", values.Tables[1].Rows); text != "[[a 003 b 002 1.89 001]]" {
		t.Errorf("failing keys %s", text)
	}
}

// A sum of many terms is written out, several in a line; of very many the rest is one number.
func TestLongSumsAreWrittenOut(t *testing.T) {
	for _, values := range []int{26, 440} {
		var text strings.Builder
		text.WriteString("a,b\n")
		for value := range values {
			fmt.Fprintf(&text, "%c,%d\n", 'x'+rune(value%2), value)
		}
		data, _, err := fileio.ReadBytes(t.Context(), "file.csv", []byte(text.String()), fileio.NewFormat(), nil)
		if err != nil {
			t.Fatal(err)
		}
		v := version(data, []string{"a"}, []string{"b"})
		for column, of := range map[string]struct {
			spec  measure.Spec
			terms int
		}{"b_entropy_ldiversity": {diversity.LDiversitySpec(), values / 2},
			"b_tcloseness": {diversity.TClosenessSpec(), values - 1}} {
			m := of.spec.New()
			found := compute(t, m, v)
			e := (&measure.Entry{Spec: of.spec, Values: found}).Explain(measure.FigureKey{Column: column, Record: 0})
			terms := 0
			for _, line := range e.Values[1 : len(e.Values)-1] {
				rest := 0
				if _, err := fmt.Sscanf(line, "the other %d terms", &rest); err == nil {
					terms += rest
				} else if sum, _, ok := strings.Cut(line, " = "); ok {
					terms += strings.Count(sum, " + ") + 1
				}
			}
			if terms != of.terms {
				t.Errorf("%s of %d values has %d terms, want %d:\n%s", column, values, terms, of.terms,
					strings.Join(e.Values, "\n"))
			}
		}
	}
}

// Without records, keys or sensitive variables there are no figures.
func TestNothingToTell(t *testing.T) {
	in := generated.Rows(t, "ax", "by")
	for _, c := range []struct {
		keys, sensitive []string
		want            string
	}{{nil, []string{"b"}, "no key variables"}, {[]string{"a"}, nil, "no sensitive variables"},
		{[]string{"a"}, []string{"b"}, ""}} {
		v := version(in.Data, c.keys, c.sensitive)
		if got := diversity.LDiversitySpec().New().Needs(measure.Input{Original: v, Current: v}); got != c.want {
			t.Errorf("%v of %v: %q, want %q", c.sensitive, c.keys, got, c.want)
		}
	}
}

// The spread equals a count record by record for key patterns of few and of thousands of records, for few and for
// hundreds of values, and after the key variable and the sensitive variable are regrouped.
func TestSpreadAgainstCounting(t *testing.T) {
	data := generated.Survey(t, 5000, 7, "region", "sex", "age", "marital")
	column := func(name string) *microdata.Column {
		column, _ := data.Column(name)
		return column
	}
	halved := func(name string) *method.Regrouping {
		r := &method.Regrouping{From: column(name), Target: column(name), Mapping: []uint32{0}}
		for code, level := range column(name).Categories().Levels {
			r.Mapping = append(r.Mapping, uint32(code/2)+1)
			if code%2 == 0 {
				r.Levels = append(r.Levels, level)
			}
		}
		return r
	}
	for _, c := range []struct {
		keys      []string
		sensitive string
	}{{[]string{"sex"}, "age"}, {[]string{"age"}, "sex"}, {[]string{"region", "age", "sex"}, "marital"},
		{[]string{"region", "marital"}, "age"}} {
		plain := version(data, c.keys, []string{c.sensitive})
		for name, v := range map[string]*measure.Version{"as it is": plain, "keys regrouped": recoded(plain, halved(c.keys[0])),
			"values regrouped": recoded(plain, halved(c.sensitive))} {
			s, err := diversity.NewSpread(t.Context(), v, c.sensitive)
			if err != nil {
				t.Fatal(err)
			}
			of, _ := v.Data().Column(c.sensitive)
			want := make([]map[uint32]int, s.Table.Keys())
			for key := range want {
				want[key] = map[uint32]int{}
			}
			for record := range data.Len() {
				want[s.Table.Key(record)][of.Categories().Codes.At(record)]++
			}
			for key := range want {
				codes, count := s.Of(key)
				got := map[uint32]int{}
				for i, code := range codes {
					got[code] = count[i]
				}
				if !maps.Equal(got, want[key]) || len(codes) != len(got) || !slices.IsSorted(codes) {
					t.Fatalf("%s by %v, %s: key %d has %v %v, want %v", c.sensitive, c.keys, name, key, codes, count, want[key])
				}
			}
		}
	}
}

// recoded returns a version after a recode.
func recoded(v *measure.Version, r *method.Regrouping) *measure.Version {
	return measure.NewVersion(v.Data().With(r.Column()), v.Scenario, nil)
}

// tablesAlone caches key tables only.
type tablesAlone struct{ entries sync.Map }

func (m *tablesAlone) Get(_ context.Context, key string, compute func() (any, error)) (any, error) {
	if table, ok := m.entries.Load(key); ok {
		return table, nil
	}
	found, err := compute()
	if _, ok := found.(*keys.Table); ok && err == nil {
		m.entries.Store(key, found)
	}
	return found, err
}

func (m *tablesAlone) Peek(key string) (any, bool) { return m.entries.Load(key) }

// BenchmarkLDiversity measures the l-diversity of one variable for seven keys: including their key table, as in a
// run of this measure only; with a cached table, as in a run with other risks or on the screen; and after a key
// variable was regrouped, as in a what-if.
func BenchmarkLDiversity(b *testing.B) {
	for _, rows := range []int{5000, 100_000, 1_000_000} {
		data := generated.Survey(b, rows, 7, append(generated.Keys(), "health")...)
		for _, column := range data.Columns() {
			column.Hash()
		}
		names, sensitive := generated.Keys(), []string{"health"}
		scenario := microdata.NewScenario()
		scenario.Keys, scenario.Sensitive = names, sensitive
		memo := &tablesAlone{}
		v := measure.NewVersion(data, &scenario, memo)
		if _, err := v.Table(b.Context()); err != nil {
			b.Fatal(err)
		}
		age, _ := data.Column("age")
		tens := make([]uint32, len(age.Categories().Levels)+1)
		for code := range tens[1:] {
			tens[code+1] = uint32(code/10) + 1
		}
		regrouping := &method.Regrouping{From: age, Target: age, Levels: age.Categories().Levels[:tens[len(tens)-1]],
			Mapping: tens}
		for name, of := range map[string]func() *measure.Version{
			"with the key table": func() *measure.Version { return version(data, names, sensitive) },
			"beside other risks": func() *measure.Version { return v },
			"regrouped":          func() *measure.Version { return measure.NewVersion(data.With(regrouping.Column()), &scenario, memo) },
		} {
			b.Run(fmt.Sprintf("rows=%d/%s", rows, name), func(b *testing.B) {
				for b.Loop() {
					compute(b, diversity.LDiversitySpec().New(), of())
				}
			})
		}
	}
}

// Key patterns of several records come before sample uniques, which always have one value; those with fewest
// values come first, and among these the largest.
func TestFailingKeyPatternsInOrder(t *testing.T) {
	var text strings.Builder
	text.WriteString("key,health\n")
	for _, group := range []struct{ key, values string }{
		{"u", "a"}, {"two", "aaaaaaaab"}, {"large", "bbbbb"}, {"small", "cc"}, {"w", "b"}, {"fine", "abc"},
	} {
		for _, value := range group.values {
			fmt.Fprintf(&text, "%s,%c\n", group.key, value)
		}
	}
	data, _, err := fileio.ReadBytes(context.Background(), "a.csv", []byte(text.String()), fileio.NewFormat(), nil)
	if err != nil {
		t.Fatal(err)
	}
	v := version(data, []string{"key"}, []string{"health"})
	for name, m := range map[string]measure.Measure{"l": &diversity.LDiversity{L: 3, C: 1e9}, "t": &diversity.TCloseness{T: 0.1}} {
		table := compute(t, m, v).Tables[1]
		var got []string
		for _, row := range table.Rows {
			got = append(got, fmt.Sprint(row[1]))
		}
		want := map[string]string{"l": "5 2 9 1 1", "t": "2 5 9 3 1 1"}[name]
		if strings.Join(got, " ") != want {
			t.Errorf("%s: records %q, want %s\n%v", name, got, want, table.Rows)
		}
	}
}
