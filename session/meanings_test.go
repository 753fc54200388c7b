package session

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// A step keeps the labels of the codes that it names at its time, whatever they mean later; reports show them.
func TestStepsKeepWhatTheyName(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join("..", "testdata", "formats", "sav_pspp_byte.sav")
	format, err := fileio.GuessFile(ctx, path, nil)
	must(t, err)
	data, _, err := fileio.Read(ctx, path, format, nil)
	must(t, err)
	s, err := New(Opening{Source: NewDemonstration("meridia.sav", format), Data: data, Volatile: true})
	must(t, err)
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region", "sex"}
	must(t, s.SetScenario(scenario))
	do(t, s, step("pram", `{"variables":["region"]}`))
	do(t, s, step("recode-group", `{"variable":"region","levels":["1","3"],"label":"1"}`))
	do(t, s, step("recode-group", `{"variable":"region","levels":["1","4"]}`))
	do(t, s, step("pram", `{"variables":["sex"],"strata":["urbrur"]}`))
	page, err := ptr(s.Document()).report(ctx, ReportOptions{Audience: Internal}, NewAnalyst())
	must(t, err)
	var text strings.Builder
	must(t, report.Markdown().Write(&text, page))
	for _, want := range []string{"| 3 Corvale |", "Step 2 has labels for region: Region of residence; 1 Arden; 3 Corvale.",
		"Step 3 has labels for region: Region of residence; 1 Arden, Corvale; 4 Dunmere.",
		"PRAM of sex, step 4, 1 urban", "| 2 female |"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, text.String())
		}
	}
}

// For very many names, the sentence has the first and the number of the others.
func TestManyMeaningsInAReport(t *testing.T) {
	all := make([]method.Meaning, 1041)
	for i := range all {
		all[i] = method.Meaning{Name: "1", Label: "one", Category: true}
	}
	if text := meant(all); strings.Count(text, "1 one") != 40 || !strings.HasSuffix(text, "; 1 one; and 1,001 more") {
		t.Errorf("%q", text)
	}
	if text := meant(all[:2]); text != "1 one; 1 one" {
		t.Errorf("%q", text)
	}
}
