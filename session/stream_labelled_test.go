package session

import (
	"os"
	"path/filepath"
	"testing"
)

// Files with value labels, declared missing values, long texts, dates and times come out of passes as they come out of
// memory, with the same figures.
func TestStreamedLabelledFiles(t *testing.T) {
	const script = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex","age","employment_status_last_week","educ"],"sensitive":["relig"],"weight":"weight"}}
{"step":"recode-intervals","params":{"variable":"age","breaks":[-1,29,59,199]}}
{"step":"suppress-kanonymity","params":{"k":3}}`
	for file, ending := range map[string]string{"sav_pspp_zlib.zsav": ".sav", "sav_haven_zlib.zsav": ".dta", "dta118_haven.dta": ".dta",
		"dta114_haven.dta": ".csv"} {
		folder := t.TempDir()
		content, err := os.ReadFile(filepath.Join("..", "testdata", "formats", file))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(folder, file), content, 0o600))
		whole, passed := runStreamed(t, folder, file, ending, script, false), runStreamed(t, folder, file, ending, script, true)
		must(t, whole.err)
		must(t, passed.err)
		if where := differs("", whole.summary, passed.summary); where != "" || whole.out != passed.out || whole.out == "" {
			t.Errorf("%s: in memory and streamed differ %s", file, where)
		}
	}
}
