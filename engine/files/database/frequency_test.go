package database

import (
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/database/servertest"
)

// The columns of a frequency table have the right values, in whatever order the address and the table name them.
func TestFrequencyTableInAnotherOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "survey.db")
	servertest.Execute(t, "sqlite", path, "CREATE TABLE person (weight REAL, sex TEXT, region TEXT)",
		"INSERT INTO person VALUES (1.5, 'female', 'Arden'), (2.5, 'male', 'Brisk'), (3, 'female', 'Arden')")
	for _, count := range []string{"sex,region", "region,sex"} {
		_, data, _ := reads(t, at(t, "sqlite:"+path+"?count="+count+"&weight=weight", "person"))
		for name, want := range map[string]string{"sex": "female|male", "region": "Arden|Brisk", "weight": "4.5|2.5"} {
			if is := cells(t, data, name); is != want {
				t.Errorf("count=%s: %s has %s, not %s", count, name, is, want)
			}
		}
	}
}
