package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestInspectPrintsWhatIsInAFile(t *testing.T) {
	command := func(arguments ...string) (string, error) {
		text, _, err := execute(t, "inspect", arguments...)
		return text, err
	}
	text, err := command("../testdata/guide10.csv")
	if err != nil || !strings.Contains(text, "no other record has              4   40.000 %") ||
		!strings.Contains(text, "Direct identifiers: none found") {
		t.Errorf("%v\n%s", err, text)
	}
	page, err := command("../testdata/guide10.csv", "--html")
	if err != nil || !strings.HasPrefix(page, "<!DOCTYPE html>") ||
		!strings.Contains(page, `<th scope="row">Residence × Gender × Educ</th>`) {
		t.Errorf("%v\n%s", err, page)
	}
	text, err = command("../testdata/guide10.csv", "--json")
	var found struct {
		Records int
		Keys    []string
		Risk    struct {
			Violators []struct{ K, Records int }
			Global    float64 `json:"global_risk"`
		}
		Combinations []struct {
			Variables []string
			Alone     int `json:"records_alone"`
		}
	}
	if err != nil || json.Unmarshal([]byte(text), &found) != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if found.Records != 10 || len(found.Keys) != 4 || found.Risk.Violators[0].Records != 4 ||
		math.Abs(found.Risk.Global-0.01582) > 5e-6 ||
		found.Combinations[0].Alone != 4 || len(found.Combinations[0].Variables) != 3 {
		t.Errorf("%+v", found)
	}
	if strings.Contains(page, ">label<") {
		t.Error("labels of a file without any")
	}
	text, err = command("../testdata/formats/sav_haven_byte.sav")
	if err != nil || !strings.Contains(text, "suggested role  label\n") ||
		!strings.Contains(text, "Region of residence\n") {
		t.Errorf("%v\n%s", err, text)
	}
	if text, err = command("../testdata/formats/sav_haven_byte.sav", "--json"); err != nil ||
		!strings.Contains(text, `"label": "Region of residence"`) {
		t.Errorf("%v\n%s", err, text)
	}
	for _, arguments := range [][]string{{}, {"no such file.csv"}, {"../testdata/guide10.csv", "--json", "--html"}} {
		if _, err := command(arguments...); err == nil {
			t.Errorf("inspect %v: no error", arguments)
		}
	}
}

// What is told of a file that is read in passes is what is told of it in memory, but for what needs
// single records.
func TestInspectStreams(t *testing.T) {
	file := filepath.Join("..", "testdata", "survey.csv")
	object := func(args ...string) (out map[string]any) {
		text, _, err := execute(t, "inspect", append(args, file, "--json")...)
		if err == nil {
			err = json.Unmarshal([]byte(text), &out)
		}
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	whole, passed := object(), object("--stream")
	for name := range whole {
		switch name {
		case "duplicated_records", "roles_suggested_from_first_records", "risk":
		default:
			if !reflect.DeepEqual(whole[name], passed[name]) {
				t.Errorf("%s is %v, not %v", name, passed[name], whole[name])
			}
		}
	}
	if passed["duplicated_records"] != nil {
		t.Error("duplicated records are told")
	}
	a, b := whole["risk"].(map[string]any), passed["risk"].(map[string]any)
	if !reflect.DeepEqual(a["violators"], b["violators"]) || math.Abs(a["global_risk"].(float64)-b["global_risk"].(float64)) > 1e-12 {
		t.Errorf("the risk is %v, not %v", b, a)
	}
	const expected = "household_expected_reidentifications"
	asked := object("--stream", "--household", "hid")["risk"].(map[string]any)
	if b[expected] != nil || math.Abs(asked[expected].(float64)-a[expected].(float64)) > 1e-9 {
		t.Errorf("through households: %v asked for, %v else, and %v in memory", asked[expected], b[expected], a[expected])
	}
	alike := filepath.Join(t.TempDir(), "alike.csv") // households of equal members
	if err := os.WriteFile(alike, []byte("sex,hid\nf,1\nm,1\nf,2\nm,2\nf,3\nf,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{file, alike} {
		held, _, err := execute(t, "inspect", file)
		if err != nil {
			t.Fatal(err)
		}
		_, told, _ := strings.Cut(held, "hid tells ")
		told, _, _ = strings.Cut(told, "\n")
		text, _, err := execute(t, "inspect", file, "--stream", "--household", "hid")
		if err != nil || told == "" || !strings.Contains(text, told) || !strings.Contains(text, "earlier ones was not looked at") {
			t.Errorf("%v, of %s: %s", err, told, text)
		}
	}
	for _, args := range [][]string{{file, "--household", "hid"}, {file, "--stream", "--household", "nobody"}} {
		if _, _, err := execute(t, "inspect", args...); err == nil {
			t.Errorf("inspect %v: no error", args)
		}
	}
	text, _, err := execute(t, "inspect", file, "--stream")
	if err != nil || !strings.Contains(text, "Records were counted and are not held") || strings.Contains(text, "repeat an earlier one: ") {
		t.Errorf("%v, %s", err, text)
	}
}
