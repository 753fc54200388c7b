package pages

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/sdcdesk/sdcdesk/views/viewtest"
)

// The formulas of the risk are wrapped rather than cut in the column of a record's page.
func TestFormulasAreWhole(t *testing.T) {
	s := viewtest.SurveyAt(t, 3)
	found := 0
	for record := 0; record < 400; record += 7 {
		for line := range strings.SplitSeq(ansi.Strip(NewRecord(record).View(s, 118, 60, true)), "\n") {
			if strings.Contains(line, "p = f/F") {
				found++
				if strings.HasSuffix(strings.TrimSpace(line), "…") {
					t.Errorf("record %d: %q", record, line)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no formula")
	}
}
