package session

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// A file is named after the source, a table without its schema; it is called protected only if a step changed
// values.
func TestDefaultName(t *testing.T) {
	known := &MethodSource{}
	for address, want := range map[string]string{
		"postgres://host/db?table=person":         "person",
		"postgres://host/db?table=survey.person":  "person",
		"postgres://host/db?table=person,visit":   "person",
		"sqlite:folder/survey.db?table=household": "household",
		"clickhouse://host/db?table=été":          "_t_",
		"folder/survey.csv":                       "survey",
	} {
		source := known.Source(address, fileio.NewFormat())
		d := Document{Name: Called(address), Source: source}
		if got := d.DefaultName(""); got != want+"-copy.csv" {
			t.Errorf("%s: %q", address, got)
		}
		d.Steps = []Step{{}}
		if got := d.DefaultName(""); got != want+"-protected.csv" {
			t.Errorf("%s with a step: %q", address, got)
		}
		if got := d.DefaultName("-report.html"); got != want+"-report.html" {
			t.Errorf("the report of %s: %q", address, got)
		}
	}
}
