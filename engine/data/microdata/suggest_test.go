package microdata_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
)

func suggested(d *microdata.Dataset) map[string]microdata.Role {
	roles := map[string]microdata.Role{}
	for _, s := range microdata.Suggest(d) {
		roles[s.Variable] = s.Role
	}
	return roles
}

func TestSuggestedRolesOfFiles(t *testing.T) {
	const key, numeric = microdata.RoleKey, microdata.RoleNumericKey
	for name, want := range map[string]map[string]microdata.Role{
		"survey": {"hid": microdata.RoleHousehold, "pid": microdata.RoleRemoved, "region": key, "urbrur": key, "sex": key,
			"age":     key,
			"marital": key, "educ": key, "occup": key, "ethnic": key, "relig": key, "health": microdata.RoleSensitive,
			"income": numeric, "expend": numeric, "savings": numeric, "weight": microdata.RoleWeight},
		"guide10": {"Residence": key, "Gender": key, "Educ": key, "Lstat": key,
			"Health": microdata.RoleSensitive, "Weight": microdata.RoleWeight},
	} {
		data := golden.Data(t, name)
		if diff := cmp.Diff(want, suggested(data)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		s := microdata.NewScenario()
		for _, suggestion := range microdata.Suggest(data) {
			s.Assign(suggestion.Variable, suggestion.Role)
			if suggestion.Reason == "" {
				t.Errorf("%s of %s has no reason", suggestion.Variable, name)
			}
		}
		if err := s.Check(data); err != nil {
			t.Errorf("all suggestions of %s together: %v", name, err)
		}
	}
}

// cells returns n cells, formatted by a function of the record number.
func cells(n int, spell func(record int) string) []string {
	out := make([]string, n)
	for record := range out {
		out[record] = spell(record)
	}
	return out
}

func TestSuggestedRolesOfVariables(t *testing.T) {
	const none = microdata.Role("")
	number := func(form string) func(int) string { return func(i int) string { return fmt.Sprintf(form, i) } }
	for _, c := range []struct {
		name  string
		spell func(record int) string
		want  microdata.Role
	}{
		{"contact", number("+43 1 5880%04d"), microdata.RoleRemoved},
		{"contact", number("someone%d@example.org"), microdata.RoleRemoved},
		{"remark", number("text %d"), microdata.RoleRemoved},
		{"remark", func(i int) string { return fmt.Sprint("text ", i*84/100) }, microdata.RoleRemoved},
		{"remark", func(i int) string { return fmt.Sprint("text ", i*6/10) }, none},
		{"v1", func(i int) string { return fmt.Sprintf("%04d-%02d-%02d", 1920+i*84/100%90, 1+i%12, 1+i%28) }, none},
		{"serial", number("%d"), microdata.RoleRemoved},
		{"Last_Name", func(i int) string { return "n" + fmt.Sprint(i*3/4) }, microdata.RoleRemoved},
		{"Förnamn", func(i int) string { return "Anna" + strings.Repeat("b", i%30) }, microdata.RoleRemoved},
		{"Förnamn", func(i int) string { return "Anna" + strings.Repeat("b", i%20) }, none},
		{"email", func(i int) string { return fmt.Sprint(i % 30) }, none},
		{"email", func(i int) string { return fmt.Sprint(i % 31) }, microdata.RoleRemoved},
		{"lat", func(i int) string { return fmt.Sprint(1 + i%5) }, none},
		{"region_name", func(i int) string { return "r" + fmt.Sprint(i%5) }, microdata.RoleKey},
		{"v1", func(i int) string { return fmt.Sprint(100 + i/3) }, microdata.RoleHousehold},
		{"HH_ID", func(i int) string { return "h" + fmt.Sprint(i/3) }, microdata.RoleHousehold},
		{"native-country", func(i int) string { return "r" + fmt.Sprint(i%5) }, microdata.RoleKey},
		{"age", func(int) string { return "" }, none},
		{"household_size", func(i int) string { return fmt.Sprint(1 + i%4) }, none},
		{"hid", func(i int) string { return fmt.Sprint(i / 200) }, none},
		{"v1", func(i int) string { return fmt.Sprintf("%d.7", 20+i%17) }, microdata.RoleWeight},
		{"v1", func(i int) string { return fmt.Sprintf("0.%d", 1+i%7) }, none},
		{"v1", func(i int) string { return fmt.Sprint(i % 7) }, none},
		{"wgt", func(i int) string { return fmt.Sprint(i % 7) }, none},
		{"wgt", func(i int) string { return fmt.Sprint(1 + i%7) }, microdata.RoleWeight},
		{"bodyWeight", func(i int) string { return fmt.Sprint(50 + i%7) }, none},
		{"pond", func(i int) string { return fmt.Sprintf("%d.25", 1+i%7) }, microdata.RoleWeight},
		{"ageGroup", func(i int) string { return fmt.Sprint(i % 7) }, microdata.RoleKey},
		{"income", func(i int) string { return []string{"low", "high"}[i%2] }, none},
		{"wage2", func(i int) string { return fmt.Sprint(i * i % 977) }, microdata.RoleNumericKey},
		{"illness", func(i int) string { return fmt.Sprint(i % 2) }, microdata.RoleSensitive},
		{"person_id", number("p%d"), microdata.RoleRemoved},
		{"v1", func(i int) string { return fmt.Sprintf("%04d-%02d-%02d", 1920+i%90, 1+i%12, 1+i%28) }, none},
		{"v1", func(i int) string { return fmt.Sprintf("%d.%d.%d", 1+i%28, 1+i%12, 1920+i/4) }, none},
		{"v1", func(i int) string { return fmt.Sprint(4_000_000 + i*7919%5_000_000) }, microdata.RoleRemoved},
		{"v1", func(i int) string { return fmt.Sprint(400 + i*1_234_567%9_000_011) }, none},
		{"phone", func(i int) string { return []string{"yes", "no"}[i%2] }, none},
		{"intdate", func(i int) string { return time.Unix(int64(i)*86400, 0).UTC().Format(time.DateOnly) }, none},
		{"started", func(i int) string { return time.Unix(int64(i)*86461, 0).UTC().Format("2006-01-02T15:04:05") }, none},
		{"phone", number("%d"), microdata.RoleRemoved},
	} {
		texts := cells(300, c.spell)
		data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, c.name, texts)})
		if err != nil {
			t.Fatal(err)
		}
		if got := suggested(data)[c.name]; got != c.want {
			t.Errorf("%s (%s, ...): %q, want %q", c.name, strings.Join(texts[:3], ", "), got, c.want)
		}
	}
}

func TestOneWeightAndOneHousehold(t *testing.T) {
	weight := cells(60, func(i int) string { return fmt.Sprintf("%d.5", 1+i%9) })
	household := cells(60, func(i int) string { return fmt.Sprint(i / 3) })
	data, err := microdata.NewDataset([]*microdata.Column{
		golden.Column(t, "household_weight", weight), golden.Column(t, "weight", weight), golden.Column(t, "wgt", weight),
		golden.Column(t, "hhid", household), golden.Column(t, "hid", household),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]microdata.Role{"weight": microdata.RoleWeight, "hhid": microdata.RoleHousehold}
	if diff := cmp.Diff(want, suggested(data)); diff != "" {
		t.Error(diff)
	}
}

func TestSuggestNothing(t *testing.T) {
	data, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "", nil), golden.Column(t, "weight", nil)})
	if err != nil {
		t.Fatal(err)
	}
	if got := microdata.Suggest(data); len(got) != 0 {
		t.Error(got)
	}
	// A few numbers are not sufficient evidence.
	if data, err = microdata.NewDataset([]*microdata.Column{golden.Column(t, "earned",
		[]string{"1234.5", "17.25"})}); err != nil {
		t.Fatal(err)
	}
	if got := microdata.Possible(data); len(got) != 0 {
		t.Error(got)
	}
}

// All variables that could be the weight are returned if there are several.
func TestPossibleWeightsAndHouseholds(t *testing.T) {
	weight := cells(60, func(i int) string { return fmt.Sprintf("%d.5", 1+i%9) })
	data, err := microdata.NewDataset([]*microdata.Column{
		golden.Column(t, "a", weight), golden.Column(t, "b", weight), golden.Column(t, "wage", weight),
		golden.Column(t, "hid", cells(60, func(i int) string { return fmt.Sprint(i / 3) })),
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]microdata.Role{}
	for _, p := range microdata.Possible(data) {
		got[p.Variable] = p.Role
	}
	want := map[string]microdata.Role{"a": microdata.RoleWeight, "b": microdata.RoleWeight, "wage": microdata.RoleWeight,
		"hid": microdata.RoleHousehold}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Added patterns suggest variables to leave out by names, contents and exceptions.
func TestSuggestBy(t *testing.T) {
	patterns, err := identify.Default().Read(strings.NewReader(`{"identifier":"staff numbers","names":"dienstnr","content":"^S\\d{4}$"}
{"identifier":"case numbers","content":"^77\\d{4}$"}
{"except":"email"}`))
	if err != nil {
		t.Fatal(err)
	}
	var a, b, c, e []string
	for i := range 60 {
		a, b = append(a, fmt.Sprintf("S%04d", i%30)), append(b, fmt.Sprint(770000+i*7%20))
		c, e = append(c, fmt.Sprint(i*7%25)), append(e, fmt.Sprintf("a%d@example.org", i))
	}
	d, err := microdata.NewDataset([]*microdata.Column{golden.Column(t, "a", a), golden.Column(t, "b", b),
		golden.Column(t, "dienstnr", c), golden.Column(t, "email", e)})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, s := range microdata.SuggestBy(d, patterns) {
		if s.Role == microdata.RoleRemoved {
			got[s.Variable] = s.Reason
		}
	}
	const match = "most values match your identifier patterns"
	if diff := cmp.Diff(map[string]string{"a": match, "b": match, "dienstnr": "named like a direct identifier"}, got); diff != "" {
		t.Error(diff)
	}
	for _, s := range microdata.Suggest(d) {
		if s.Role == microdata.RoleRemoved && s.Variable != "email" {
			t.Errorf("%s by the patterns that the program knows", s.Variable)
		}
	}
}
