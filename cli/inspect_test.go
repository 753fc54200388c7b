package cli

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestInspectPrintsWhatIsInAFile(t *testing.T) {
	command := func(arguments ...string) (string, error) {
		text, _, err := execute(t, "inspect", arguments...)
		return text, err
	}
	text, err := command("../testdata/guide10.csv")
	if err != nil || !strings.Contains(text, "sample uniques (f = 1)       4   40.0 %") ||
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
