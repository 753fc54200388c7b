package recoding

import (
	"context"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/recoding/recode"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/views"
)

// keyed is a state in which records of a file with one key variable violate k.
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

// A search that is cancelled goes on where it was, and comes to what one comes to that
// was not.
func TestCancelledSearchGoesOn(t *testing.T) {
	s := keyed(t, "a", "b", "c", "d", "e", "f", "g", "h")
	whole, paused := NewSuggestions(s, "", nil), NewSuggestions(s, "", nil)
	for !whole.found.Last().done {
		whole.Seek(s)(t.Context(), time.Hour)()
	}
	paused.Seek(s)(t.Context(), 0)()
	if paused.found.Last().done || paused.found.Last().tried == 0 {
		t.Fatalf("after a piece %d of %d were tried", paused.found.Last().tried, paused.found.Last().all)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	paused.Seek(s)(cancelled, time.Hour)()
	if found := paused.found.Last(); found.err != nil || found.done {
		t.Fatalf("cancelled: done %v, error %v", found.done, found.err)
	}
	before := paused.found.Last().tried
	paused.Seek(s)(t.Context(), 0)()
	if tried := paused.found.Last().tried; tried != before+1 {
		t.Errorf("%d were tried, after %d", tried, before)
	}
	for piece := paused.Seek(s); piece != nil; piece = paused.Seek(s) {
		piece(t.Context(), time.Hour)()
	}
	if tried, want := paused.found.Last().tried, whole.found.Last().tried; tried != want || len(paused.shown) != len(whole.shown) || len(whole.shown) == 0 {
		t.Errorf("%d tried and %d found, want %d and %d", tried, len(paused.shown), want, len(whole.shown))
	}
}

// What is one of something is told as one.
func TestRepliesOfOneViolator(t *testing.T) {
	s := keyed(t, "a")
	d := NewSuggestions(s, "", nil)
	d.showFound(d.follow(s), searched{done: true, search: &suggest.Search{}, frontier: suggest.Frontier{Before: 1, Detail: 1,
		Suggestions: []*suggest.Suggestion{{Variable: "region", Recode: &recode.Group{}, Before: 1, Lost: 0.5}}}})
	d.typeLimit(true)
	d.limit.take("60")
	if got := d.reply(); got != ": 1 violator" {
		t.Error(got)
	}
	if got, want := d.status(s), "1 violator of k = 3 now; 1 of 0 recodes, worth most first"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
