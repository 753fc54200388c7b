package muargus_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
)

// readTestdata returns a file of testdata.
func readTestdata(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func cost(n int) *int { return &n }

func townsVariables() []muargus.Variable {
	return []muargus.Variable{
		{Name: "HH", Start: 1, Width: 3, HouseholdID: true},
		{Name: "TOWN", Start: 5, Width: 3, Missing: []string{"999", "998"}, Recodable: true, CodeList: "towns.cdl",
			IDLevel: 3, Priority: cost(40), Truncable: true, Related: []string{"PROVINCE"}},
		{Name: "PROVINCE", Start: 8, Width: 2, Missing: []string{"99"}, Recodable: true},
		{Name: "SEX", Start: 11, Width: 1, Missing: []string{"9"}, Recodable: true, IDLevel: 1},
		{Name: "OWNER", Start: 12, Width: 1, Missing: []string{"X"}, Recodable: true, Household: true, IDLevel: 2,
			Priority: cost(0)},
		{Name: "WEIGHT", Start: 13, Width: 6, Numeric: true, Decimals: 2, Weight: true},
		{Name: "INCOME", Start: 20, Width: 6, Missing: []string{"999999"}, Numeric: true, Decimals: 1},
	}
}

func TestParseDescription(t *testing.T) {
	d, err := muargus.ParseDescription(readTestdata(t, "towns.rda"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&muargus.Description{Variables: townsVariables()}, d); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if warnings := d.Warnings(); len(warnings) != 0 {
		t.Errorf("warnings %q", warnings)
	}
	again, err := muargus.ParseDescription(d.Text())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d, again); diff != "" {
		t.Errorf("written and read as another description:\n%s", diff)
	}
}

func TestHeaders(t *testing.T) {
	d, err := muargus.ParseDescription("<separator> \";\"\n<NamesInFront>\n// comment\n\"AN AGE\" 2 99\n\t<numeric>\n\t<NEWER KEYWORD> 7\n\t<NEWKEY> 7\n")
	if err != nil {
		t.Fatal(err)
	}
	want := &muargus.Description{Separator: ";", Names: true,
		Variables: []muargus.Variable{{Name: "AN AGE", Width: 2, Missing: []string{"99"}, Numeric: true}}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text := d.Text(); !strings.HasPrefix(text, "<SEPARATOR> \";\"\r\n<NAMESINFRONT>\r\n\"AN AGE\" 2 \"99\"\r\n") {
		t.Errorf("text %q", text)
	}
	spss, err := muargus.ParseDescription("<SPSS>\nAGE 5 2 99\n <NUMERIC>\nSEX\n")
	if err != nil || !spss.SPSS || spss.Variables[0].Width != 2 || spss.Variables[1].Width != 0 {
		t.Errorf("%+v, error %v", spss, err)
	}
}

func TestDescriptionErrors(t *testing.T) {
	for _, test := range []struct{ name, text, says string }{
		{"nothing", "", "describes no variable"},
		{"no width", "AGE 5", "name, position, width"},
		{"position 0", "AGE 0 2", "above 0"},
		{"no number", "AGE x 2", "line 1, position 5"},
		{"width of free data", "<SEPARATOR> \",\"\nAGE", "name, width"},
		{"blank separator", "<SEPARATOR> \" \"\nAGE 2", "other than a space"},
		{"names", "AGE 1 2\nage 3 2", "repeated name"},
		{"overlap", "AGE 5 2\nSEX 6 1", "inside \"AGE\""},
		{"overlap, out of order", "SEX 6 1\nAGE 5 2", "inside \"AGE\""},
		{"missing code", "AGE 1 2 999", "longer than the field"},
		{"three missing codes", "AGE 1 2 97 98 99", "at most 2"},
		{"level", "AGE 1 2 99\n<IDLEVEL> 6", "0 to 5"},
		{"level without number", "AGE 1 2 99\n<IDLEVEL>", "an integer"},
		{"cost", "AGE 1 2 99\n<SUPPRESSWEIGHT> 101", "0 to 100"},
		{"code list", "AGE 1 2 99\n<CODELIST>", "needs a name"},
		{"wide", "AGE 1 99999999", "width"},
	} {
		_, err := muargus.ParseDescription(test.text)
		if !errors.Is(err, muargus.ErrDescription) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want one that says %q", test.name, err, test.says)
		}
	}
}

// Weights and household identifiers are neither key variables nor categories.
func TestRolesAndLevels(t *testing.T) {
	d, err := muargus.ParseDescription("HH 1 3 999\n<RECODABLE>\n<IDLEVEL> 1\n<HOUSE_ID>\nW 4 3\n<RECODABLE>\n<IDLEVEL> 1\n<WEIGHT>\n" +
		"A 7 1 9\n<RECODABLE>\n<IDLEVEL> 2\n<RELATED> B\nB 8 1 9\n<RECODABLE>\n<IDLEVEL> 3\nC 9 1 9\n<RECODABLE>\n<NUMERIC>\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"HH": "[household]", "W": "[weight]", "A": "[key]", "B": "[key]",
		"C": "[]"} {
		if v, _ := variable(d, name); fmt.Sprint(v.Roles()) != want {
			t.Errorf("%s has the roles %v, want %s", name, v.Roles(), want)
		}
	}
	for name, want := range map[string]bool{"HH": false, "W": false, "A": true, "C": false} {
		if v, _ := variable(d, name); v.Nominal() != want {
			t.Errorf("%s is nominal: %v", name, !want)
		}
	}
}

func TestDescriptionWarnings(t *testing.T) {
	d, err := muargus.ParseDescription("AGE 1 2\n<RECODABLE>\n<RELATED> BIRTH\nNAME 3 101\n")
	if err != nil {
		t.Fatal(err)
	}
	warnings := strings.Join(d.Warnings(), "\n")
	for _, says := range []string{`"AGE" is categorical`, `"BIRTH"`, `"NAME" has a width of 101`} {
		if !strings.Contains(warnings, says) {
			t.Errorf("warnings %q do not say %q", warnings, says)
		}
	}
}

func TestCodeList(t *testing.T) {
	list := muargus.ParseCodeList("  1 , \"one, and more\"\r\n2,two\n\nno comma\n1,\"one\"\n,none\n\"3\",three\n")
	want := map[string]string{"1": "one", "2": "two", "3": "three"}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	labels := map[string]string{"10": "ten", "9": "nine, \"odd\"", "01": "one\r\nby one"}
	text := muargus.CodeListText(labels)
	if text != "9,\"nine; odd\"\r\n01,\"one  by one\"\r\n10,\"ten\"\r\n" {
		t.Errorf("text %q", text)
	}
	for _, code := range []string{"9,1", `"9"`, "//", "9\n10"} {
		labels[code] = "no code"
	}
	if got := muargus.CodeListText(labels); got != text {
		t.Errorf("with codes that a list cannot hold: %q", got)
	}
	if got := muargus.ParseCodeList(text)["9"]; got != "nine; odd" {
		t.Errorf("label %q", got)
	}
	if muargus.ParseCodeList("") != nil {
		t.Error("labels from nothing")
	}
}

// FuzzParseDescription: parsing never panics, and a description survives the round trip unless its words contain
// quotes.
func FuzzParseDescription(f *testing.F) {
	for _, seed := range []string{"AGE 1 2 99\n <RECODABLE>\n <IDLEVEL> 3\n",
		"<SEPARATOR> \",\"\n<NAMESINFRONT>\nA 1 9\nB 2\n<RELATED> A", "<SPSS>\nA\n", "\"A B\" 1 1 \"\" \" \"",
		"<SEPARATOR> \"\"", "A 1 1\n<CODELIST> \"x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		muargus.ParseCodeList(text)
		d, err := muargus.ParseDescription(text)
		if err != nil {
			if !errors.Is(err, muargus.ErrDescription) {
				t.Fatal(err)
			}
			return
		}
		d.Warnings()
		if d.SPSS || strings.Count(text, `"`) > 0 || strings.ContainsAny(strings.ReplaceAll(text, "\r\n", "\n"), "\r\ufeff") {
			return
		}
		again, err := muargus.ParseDescription(d.Text())
		if err != nil {
			t.Fatalf("written as %q and not read: %v", d.Text(), err)
		}
		if diff := cmp.Diff(d, again); diff != "" {
			t.Fatalf("written as %q and read as another description:\n%s", d.Text(), diff)
		}
	})
}

// A byte order mark is not part of the first word.
func TestByteOrderMark(t *testing.T) {
	recode, err := muargus.ParseRecode("\ufeff1:2")
	if err != nil || recode.Rules[0].New != "1" {
		t.Errorf("%+v, error %v", recode, err)
	}
	if d, err := muargus.ParseDescription("\ufeffAGE 1 2"); err != nil || d.Variables[0].Name != "AGE" {
		t.Errorf("%+v, error %v", d, err)
	}
}

func variable(d *muargus.Description, name string) (*muargus.Variable, bool) {
	at := slices.IndexFunc(d.Variables, func(v muargus.Variable) bool { return v.Name == name })
	return &d.Variables[max(0, at)], at >= 0
}

// Names are found as strings.EqualFold compares them, including letters outside ASCII.
func TestVariablesAreFoundByName(t *testing.T) {
	names := []string{"Age", "AGE", "Kind", "kind", "masſ", "MASS", "straße", "STRASSE", "Été", "été"}
	var variables []muargus.Variable
	for _, name := range names {
		variables = append(variables, muargus.Variable{Name: name})
	}
	find := muargus.ByName(variables)
	for _, name := range append(names, "other", "") {
		want := slices.DeleteFunc(slices.Clone(names), func(other string) bool { return !strings.EqualFold(other, name) })
		if got := find(name); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
