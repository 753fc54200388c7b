package recoding

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
)

// keyed returns a state in which records of a file with one key variable violate k-anonymity.
func keyed(t *testing.T, labels ...string) views.State {
	t.Helper()
	categories := &microdata.Categories{}
	var codes []uint32
	for i, label := range labels {
		categories.Levels = append(categories.Levels, microdata.Level{Label: label})
		for range i%3 + 1 {
			codes = append(codes, uint32(i+1))
		}
	}
	categories.Codes = microdata.CodesOf(codes)
	data, err := microdata.NewDataset([]*microdata.Column{microdata.NewCategorical("region", microdata.Category,
		categories)})
	if err != nil {
		t.Fatal(err)
	}
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"region"}
	assessment, err := risk.Of(t.Context(), measure.NewVersion(data, &scenario, nil))
	if err != nil {
		t.Fatal(err)
	}
	return views.State{Scenario: &scenario, K: 3, Current: views.Version{Data: data, Assessment: assessment}}
}
