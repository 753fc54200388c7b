package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// variants returns further parameters that fit the survey, in addition to the sample of each Spec.
func variants() map[string][]string {
	return map[string][]string{
		"recode-intervals": {
			`{"variable":"age","breaks":[0,18,65],"labels":["minor","adult"],"include_lowest":true}`,
			`{"variable":"age","count":8}`,
			`{"variable":"income","count":5,"method":"quantiles"}`,
		},
		"recode-group": {
			`{"variable":"educ","levels":["tertiary","vocational"],"include_missing":true}`,
		},
		"recode-hierarchy": {
			`{"variable":"ethnic","cut":2,"unlisted":"missing"}`,
			`{"variable":"sex","table":"male;person\nfemale;person"}`,
			`{"variable":"educ","levels":[["none","low","all"],["primary","low","all"],["tertiary","high","all"]],"unlisted":"keep"}`,
		},
		"recode-round": {
			`{"variable":"age","base":2.5}`,
		},
		"recode-topbottom": {
			`{"variable":"age","top":80,"bottom":5,"replacement":"mean"}`,
			`{"variable":"age","bottom":5,"replacement":"value","bottom_value":2.5}`,
			`{"variable":"income","top_population":20000,"replacement":"mean"}`,
		},
		"recode-grc": {
			`{"variable":"urbrur","recode":"t: urban","labels":"t,town\nrural,country","width":5}`,
		},
		"suppress-kanonymity": {
			`{"k":2,"algorithm":"sdcmicro"}`,
			`{"k":5,"rule":"own-category","importance":{"region":1,"age":2}}`,
			`{"subsets":[{"size":3,"k":3},{"size":2,"k":5}]}`,
			`{"subsets":"3:3"}`,
			`{"algorithm":"thorough","iterations":40}`,
			`{"k":5,"algorithm":"thorough","iterations":3,"budget":200}`,
		},
		"mondrian": {
			`{"k":5,"variables":["age","region","sex"]}`,
		},
		"local-recoding": {
			`{"k":3,"variables":["region","sex"],"levels":[["region","Arden","north","all"],["region","Brisk","north","all"]],"weights":{"sex":2}}`,
		},
		"suppress-combinations": {
			`{"combinations":[{"variables":["age","region"],"threshold":5},{"variables":["educ","ethnic","age"],"threshold":1}],"by":"entropy"}`,
			`{"combinations":{"levels":{"region":1,"age":2,"sex":3},"threshold":2},"priorities":{"age":100},"repeat":false}`,
			`{"combinations":{"dimension":3,"thresholds":[5,0,1]}}`,
			`{"combinations":"1:5, 2:1"}`,
		},
		"pram": {
			`{"variables":["educ"],"forbid":[["none","tertiary"]],"diagonal":"exact","strata":["sex"]}`,
			`{"variables":["urbrur"],"matrix":[[0.9,0.1],[0.2,0.8]],"levels":["rural","urban"]}`,
			`{"variables":["age"],"band":3,"condition":{"variable":"age","above":15}}`,
			`{"variables":["marital"],"form":"equal","pd":0.7,"condition":{"variable":"sex","levels":["female"]}}`,
		},
		"microaggregate": {
			`{"variables":["income","expend"],"method":"clustpca","cluster_by":"clara","transform":"boxcox","aggregate":"winsorised"}`,
			`{"variables":["income","expend"],"method":"influence","cluster_by":"cmeans"}`,
			`{"variables":["income","savings"],"method":"onedims","size":4,"strata":["sex"]}`,
			`{"variables":["income","expend"],"method":"clustpca","aggregate":"trimmed","weight":"weight"}`,
			`{"variables":["expend","income"],"method":"refined","iterations":200}`,
			`{"variables":["income","savings","educ","sex"],"method":"gower","semicontinuous":["savings"],"distance_weights":[1,1,0.5,0.5],"strata":["region"]}`,
			`{"variables":["expend","income"],"method":"single","sort":"income","aggregate":"median"}`,
		},
		"noise": {
			`{"variables":["savings"],"method":"additive0","percent":20,"strata":["sex"]}`,
			`{"variables":["income","expend","savings"],"method":"correlated2","delta":0.3}`,
			`{"variables":["income","savings"],"method":"romm","p":0.01}`,
		},
		"rankswap": {
			`{"variables":["income"],"p":0.1,"top":0,"bottom":0,"strata":["sex"]}`,
			`{"variables":["savings"],"k0":0.2,"top":1}`,
		},
		"recordswap": {
			`{"hierarchy":["region"],"carry":["urbrur"],"k":2,"rate":0.1,"similar":[["sex","marital"],["sex"]]}`,
			`{"hierarchy":["region"],"risk_keys":["educ"],"similar":"sex, age; sex"}`,
		},
		"noise-weights": {
			`{"strata":["region"],"percent":20,"overlap":false}`,
		},
		"shuffle": {
			`{"responses":["income","savings"],"predictors":["expend"],"method":"gadp","regression":"mm","weighted":true}`,
			`{"responses":["income","savings"],"predictors":["expend"],"correlation":"pearson"}`,
			`{"responses":["income"],"predictors":["age"],"method":"mlm"}`,
			`{"responses":["income","expend"],"predictors":["age","region"],"method":"mvn"}`,
		},
		"generate": {
			`{"variables":["income","expend"],"method":"hybrid","similarity":[0.7,0.6],"strata":["sex"]}`,
			`{"variables":["savings"],"method":"normal"}`,
		},
		"topcode-multivariate": {
			`{"variables":["income"],"share":0.99,"strata":["sex"]}`,
		},
		"sample": {
			`{"share":0.5,"unit":"households"}`,
			`{"count":70}`,
		},
		"convert": {
			`{"variable":"income","to":"whole","invalid":"missing"}`,
			`{"variable":"region","to":"number","invalid":"missing"}`,
		},
		"make-stratum": {
			`{"variables":["educ"],"name":"schooling"}`,
		},
		"new-ids": {
			`{"variables":["hid","region"]}`,
		},
		"shuffle-records": {
			`{"members":"kept"}`,
		},
		"subset": {
			`{"take":"random","n":300,"households":true}`,
			`{"take":"first","n":50}`,
			`{"take":"every","n":7,"households":true}`,
		},
	}
}

// decode returns a method with the parameters of a JSON object.
func decode(t *testing.T, spec method.Spec, text string) method.Method {
	t.Helper()
	var params map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &params); err != nil {
		t.Fatal(err)
	}
	m := spec.New()
	if err := method.Decode(m, params); err != nil {
		t.Fatalf("%s %s: %v", spec.Name, text, err)
	}
	return m
}

// each runs a test for every sample of every method.
func each(t *testing.T, test func(t *testing.T, spec method.Spec, m method.Method)) {
	t.Helper()
	oneOf(t, 1, test)
}

// oneOf is like each, but runs one of the given number of samples of a method unless all tests are run.
func oneOf(t *testing.T, many int, test func(t *testing.T, spec method.Spec, m method.Method)) {
	t.Helper()
	for _, spec := range catalog.Methods() {
		if spec.Sample == "" {
			t.Errorf("%s has no sample", spec.Name)
		}
		for i, text := range append([]string{spec.Sample}, variants()[spec.Name]...) {
			if !longtests.Some(i, many) {
				continue
			}
			t.Run(spec.Name+text, func(t *testing.T) { test(t, spec, decode(t, spec, text)) })
		}
	}
}

// surveyed is the survey that surveyData read.
var surveyed *microdata.Dataset

// surveyData returns the survey: 409 of its records, or all of them if all tests are run.
func surveyData(t *testing.T) *microdata.Dataset {
	t.Helper()
	switch {
	case surveyed != nil:
	case longtests.Wanted():
		surveyed = golden.Data(t, "survey")
	default:
		surveyed = golden.Sample(t, 12)
	}
	return surveyed
}

// input returns the survey with its roles, with two categories of walls merged.
func input(t *testing.T) method.Input {
	t.Helper()
	return inputFrom(t, surveyData(t))
}

// withBirths returns the records with a date of birth that matches their age.
func withBirths(t *testing.T, data *microdata.Dataset) *microdata.Dataset {
	t.Helper()
	age, _ := data.Column("age")
	cells := make([]string, data.Len())
	for i := range cells {
		if !age.Missing(i) {
			cells[i] = time.Date(2023-int(age.Float(i)), time.Month(1+i%12), 1+i%28, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		}
	}
	out, err := data.Append(golden.Column(t, "birth", cells))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// inputFrom is like input with other records.
func inputFrom(t *testing.T, data *microdata.Dataset) method.Input {
	t.Helper()
	data = withBirths(t, data)
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic"}
	scenario.Weight, scenario.Household = "weight", "hid"
	scenario.Linked = map[string][]string{"age": {"relat"}}
	merged := &recode.Group{Variable: "walls", Levels: []string{"brick", "earth"}, Label: "mineral"}
	out, err := method.Apply(t.Context(), merged, method.Input{Data: data, Scenario: &scenario}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return method.Input{Data: out.Data, Scenario: &scenario, Seed: 1}
}

func TestSpecs(t *testing.T) {
	form := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[string]bool{}
	for _, spec := range catalog.Methods() {
		if !form.MatchString(spec.Name) || seen[spec.Name] {
			t.Errorf("%q is no name, or one used twice", spec.Name)
		}
		seen[spec.Name] = true
		if spec.Title == "" || len(spec.Help) < 80 || spec.Cite == "" {
			t.Errorf("%s: title, help or source is missing", spec.Name)
		}
		if found, ok := catalog.Methods().Find(spec.Name); !ok || found.Title != spec.Title {
			t.Errorf("%s is not found by its name", spec.Name)
		}
	}
	if _, ok := catalog.Methods().Find("nothing"); ok {
		t.Error("a method was found that is not there")
	}
}

// Every recode of the catalog can be part of a recode file, except that of the recode file itself.
func TestRecodesCanBeSaved(t *testing.T) {
	var recodes, saved []string
	for _, spec := range catalog.Methods() {
		if strings.HasPrefix(spec.Name, "recode-") && spec.Name != recode.SeveralSpec().Name {
			recodes = append(recodes, spec.Name)
		}
	}
	for _, spec := range recode.Specs() {
		saved = append(saved, spec.Name)
	}
	if diff := cmp.Diff(recodes, saved); diff != "" {
		t.Errorf("recodes (-catalog +recode files):\n%s", diff)
	}
}

func TestParams(t *testing.T) {
	for _, spec := range catalog.Methods() {
		names := map[string]bool{}
		for _, p := range spec.New().Params() {
			if p.Name == "" || names[p.Name] || p.Help == "" {
				t.Errorf("%s: parameter %q has no help, or its name is used twice", spec.Name, p.Name)
			}
			names[p.Name] = true
			if reflect.TypeOf(p.Value).Kind() != reflect.Pointer {
				t.Errorf("%s: parameter %q is not bound to a field", spec.Name, p.Name)
			}
			if p.Kind == method.KindChoice && !p.Required && !slices.Contains(p.Choices(nil, nil), p.Value.String()) {
				t.Errorf("%s: parameter %q has a default that is no choice", spec.Name, p.Name)
			}
			for _, word := range []string{"null", "{", "[", "true", "_"} {
				if strings.Contains(p.ScreenHelp(), word) || strings.Contains(p.Label(), word) {
					t.Errorf("%s: the field of %q says %q: %s", spec.Name, p.Name, word, p.ScreenHelp())
				}
			}
		}
	}
}

func TestDefaultsAreValidOrNamed(t *testing.T) {
	for _, spec := range catalog.Methods() {
		var required []string
		for _, p := range spec.New().Params() {
			if p.Required {
				required = append(required, p.Name)
			}
		}
		err := method.Decode(spec.New(), nil)
		switch {
		case len(required) == 0 && err != nil:
			t.Errorf("%s: %v", spec.Name, err)
		case len(required) > 0 && (!errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), `"`+required[0]+`"`)):
			t.Errorf("%s: error %v, want one that names %q", spec.Name, err, required[0])
		}
	}
}

// An unknown part of a parameter with several parts is named as well.
func TestUnknownPartIsNamed(t *testing.T) {
	for name, text := range map[string]string{
		"pram":                  `{"variables":["sex"],"condition":{"variable":"age","over":15}}`,
		"suppress-combinations": `{"combinations":{"dimension":2,"over":15}}`,
	} {
		spec, _ := catalog.Methods().Find(name)
		var params map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &params); err != nil {
			t.Fatal(err)
		}
		if err := method.Decode(spec.New(), params); !errors.Is(err, method.ErrParam) ||
			!strings.Contains(err.Error(), `"over"`) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestUnknownParameterIsNamed(t *testing.T) {
	for _, spec := range catalog.Methods() {
		err := method.Decode(spec.New(), map[string]json.RawMessage{"colour": json.RawMessage(`1`)})
		if !errors.Is(err, method.ErrParam) || !strings.Contains(err.Error(), `"colour"`) {
			t.Errorf("%s: error %v", spec.Name, err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	each(t, func(t *testing.T, spec method.Spec, m method.Method) {
		text, err := method.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		again := decode(t, spec, string(text))
		if diff := cmp.Diff(m, again); diff != "" {
			t.Errorf("%s does not come back (-want +got):\n%s", text, diff)
		}
	})
}

func TestApply(t *testing.T) {
	oneOf(t, 3, func(t *testing.T, spec method.Spec, m method.Method) {
		in := input(t)
		scenario, hash := in.Scenario.Clone(), in.Data.Hash()
		meter := new(progress.Meter)
		first, err := method.Apply(t.Context(), m, in, meter)
		if err != nil {
			t.Fatal(err)
		}
		second, err := method.Apply(t.Context(), m, input(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		if in.Data.Hash() != hash || !reflect.DeepEqual(*in.Scenario, scenario) {
			t.Error("the input was touched")
		}
		if first.Data.Hash() != second.Data.Hash() {
			t.Error("the same input gave different data")
		}
		if diff := cmp.Diff(first.Report, second.Report); diff != "" {
			t.Errorf("the same input gave different reports:\n%s", diff)
		}
		if meter.Fraction() == 0 {
			t.Error("no progress was reported")
		}
		checkReport(t, in.Data, first)
		// Numbers that are parameters of the step, such as a top code, are not figures of the data.
		params, err := method.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		text := m.Narrate(&first.Report)
		for _, number := range regexp.MustCompile(`[0-9]+(\.[0-9]+)?`).FindAllString(text, -1) {
			if !regexp.MustCompile(`:` + regexp.QuoteMeta(number) + `[,}]`).Match(params) {
				t.Errorf("those who get the file read %q, with the number %s", text, number)
			}
		}
		if !strings.HasSuffix(text, ".") {
			t.Errorf("those who get the file read %q, which is no sentence", text)
		}
	})
}

// checkReport compares the report with the cells.
func checkReport(t *testing.T, before *microdata.Dataset, out method.Output) {
	t.Helper()
	changed := 0
	for _, column := range before.Columns() {
		after, _ := out.Data.Column(column.Name())
		if after == column || out.Data.Moved() { // selected records are compared in package prepare
			continue
		}
		for record := range column.Len() {
			if column.Differs(after, record) {
				changed++
			}
		}
	}
	structure := strings.HasPrefix(out.Report.Title, "order ") || out.Report.Made != "" || out.Report.Kind != "" ||
		out.Report.Selection != nil
	if out.Report.Changed != changed || changed == 0 && !structure && !out.Report.ChangesNothing() {
		t.Errorf("%d cells changed, the report says %d", changed, out.Report.Changed)
	}
	if out.Report.Title == "" || out.Report.Effect == "" {
		t.Errorf("title %q, effect %q", out.Report.Title, out.Report.Effect)
	}
	if s := out.Report.Suppression; s != nil {
		s.Budgets = nil // computed while the step is previewed, and not stored
	}
	text, err := json.Marshal(out.Report)
	if err != nil {
		t.Fatal(err)
	}
	var again method.Report
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	sameText := cmp.Comparer(func(a, b microdata.Combination) bool { return a.String() == b.String() })
	if diff := cmp.Diff(out.Report, again, sameText); diff != "" {
		t.Errorf("the report does not come back from %s:\n%s", text, diff)
	}
}

func TestCancel(t *testing.T) {
	each(t, func(t *testing.T, _ method.Spec, m method.Method) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := method.Apply(ctx, m, input(t), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that of the context", err)
		}
	})
}

func TestRegroupersForetell(t *testing.T) {
	each(t, func(t *testing.T, _ method.Spec, m method.Method) {
		if method.TargetOf(m) == "" {
			t.Skip("no mapping of levels")
		}
		r, err := method.Regroup(m, input(t))
		if err != nil {
			t.Fatalf("no mapping: %v", err)
		}
		out, err := method.Apply(t.Context(), m, input(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		after, _ := out.Data.Column(r.Target.Name())
		if r.Column().Hash() != after.Hash() {
			t.Error("the mapping gives another column than Apply")
		}
	})
}

func TestInapplicable(t *testing.T) {
	for _, spec := range catalog.Methods() {
		m := spec.New()
		empty := microdata.NewScenario()
		if reason := spec.Refusal(m, &empty); (reason == "") != (spec.Refuses == nil || strings.HasPrefix(spec.Name, "recode-")) {
			t.Errorf("%s without any role: %q", spec.Name, reason)
		}
		if reason := spec.Refusal(m, input(t).Scenario); reason != "" {
			t.Errorf("%s cannot be used with the survey: %s", spec.Name, reason)
		}
	}
}

// A file without records, or without a value, is an error or changes nothing; it never panics.
func TestNoRecordsNoValues(t *testing.T) {
	for _, records := range []int{0, 1, 5} {
		scenario := input(t).Scenario
		var columns []*microdata.Column
		for _, name := range []string{"region", "urbrur", "sex", "age", "marital", "educ", "ethnic", "weight", "hid",
			"relat"} {
			columns = append(columns, golden.Column(t, name, make([]string, records)))
		}
		data, err := microdata.NewDataset(columns)
		if err != nil {
			t.Fatal(err)
		}
		each(t, func(t *testing.T, _ method.Spec, m method.Method) {
			out, err := method.Apply(t.Context(), m, method.Input{Data: data, Scenario: scenario}, nil)
			if err == nil && (out.Report.Changed != 0 || out.Report.Outside != 0) {
				t.Errorf("%d records without values, report %+v", records, out.Report)
			}
		})
	}
}

// Methods that treat values as amounts reject codes without an order, and accept them once they have one.
func TestCodesWithoutAnOrderAreNoAmounts(t *testing.T) {
	plain := surveyData(t)
	code, _ := plain.Column("hsize")
	labels := map[string]string{}
	for _, level := range code.Categories().Levels {
		labels[level.Label] = "size " + level.Label
	}
	in := inputFrom(t, plain.With(code.WithDescription(&microdata.Description{Labels: labels, Level: microdata.Nominal, Numbers: true})))
	unordered, err := method.Apply(t.Context(), &prepare.Convert{Variable: "hsize", To: prepare.ToUnordered, Invalid: prepare.InvalidError,
		Decimal: prepare.DecimalPoint}, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, params := range map[string]string{
		"noise":            `{"variables":["hsize"]}`,
		"rankswap":         `{"variables":["hsize"]}`,
		"recode-topbottom": `{"variable":"hsize","top":5}`,
	} {
		spec, _ := catalog.Methods().Find(name)
		if _, err := method.Apply(t.Context(), decode(t, spec, params), method.Input{Data: unordered.Data, Scenario: in.Scenario, Seed: 1}, nil); err == nil ||
			!strings.Contains(err.Error(), "order") {
			t.Errorf("%s on codes without an order: %v", name, err)
		}
		if _, err := method.Apply(t.Context(), decode(t, spec, params), inputFrom(t, plain), nil); err != nil {
			t.Errorf("%s on amounts: %v", name, err)
		}
	}
}
