package dialogs

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// surveyState returns the state of 5,000 records that dialogs draw from.
func surveyState(t *testing.T) views.State {
	t.Helper()
	path := filepath.Join("..", "..", "testdata", "survey.csv")
	format, err := fileio.GuessFile(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := fileio.Read(context.Background(), path, format, nil)
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Weight, scenario.Household = "weight", "hid"
	version := views.Version{Data: data}
	return views.State{Look: draw.Look{Theme: draw.NewTheme(true, false)}, Scenario: &scenario, Original: version,
		Current: version, Selected: views.Selection{Record: -1}, K: 3}
}
