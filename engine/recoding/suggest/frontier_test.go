package suggest_test

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/sdcdesk/sdcdesk/house/longtests"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/generated"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/recoding/suggest"
)

func wholeSearch(t fataler, data *microdata.Dataset, scenario *microdata.Scenario) *suggest.Search {
	t.Helper()
	search, err := suggest.New(data, scenario, assess(t, data, scenario), 3)
	if err == nil {
		err = search.Continue(context.Background(), time.Hour)
	}
	if err != nil {
		t.Fatal(err)
	}
	return search
}

// The frontier is what a comparison of any suggestion with any other leaves.
func TestFrontierAgainstAllSuggestions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data, scenario := draw(t)
		search := wholeSearch(t, data, scenario)
		all, frontier := search.Ranked(1<<30), search.Frontier().Suggestions
		want := map[[2]float64]bool{}
		for _, a := range all {
			dominated := false
			for _, b := range all {
				dominated = dominated || b.Lost <= a.Lost && b.After <= a.After && (b.Lost < a.Lost || b.After < a.After)
			}
			if !dominated {
				want[[2]float64{a.Lost, float64(a.After)}] = true
			}
		}
		if len(frontier) != len(want) {
			t.Fatalf("%d suggestions in the frontier, not %d", len(frontier), len(want))
		}
		for i, s := range frontier {
			if !want[[2]float64{s.Lost, float64(s.After)}] {
				t.Fatalf("suggestion %d is dominated", i)
			}
			if i > 0 && (s.Lost <= frontier[i-1].Lost || s.After >= frontier[i-1].After) {
				t.Fatalf("suggestion %d is out of order", i)
			}
		}
		checkLimits(t, search, all)
	})
}

// checkLimits compares the best within a limit with all suggestions.
func checkLimits(t *rapid.T, search *suggest.Search, all []*suggest.Suggestion) {
	violators, share := rapid.IntRange(0, 40).Draw(t, "violators"), rapid.Float64Range(0, 1).Draw(t, "share")
	frontier := search.Frontier()
	least, most := frontier.LeastLost(violators), frontier.MostRemoved(share)
	for _, s := range all {
		if s.After <= violators && (least == nil || s.Lost < least.Lost) {
			t.Fatalf("%+v is not the least that leaves %d violators", least, violators)
		}
		if s.Lost <= share*frontier.Detail && (most == nil || s.After < most.After) {
			t.Fatalf("%+v does not leave the fewest for %v of the detail", most, share)
		}
	}
	if least != nil && least.After > violators || most != nil && most.Lost > share*frontier.Detail {
		t.Fatal("a limit is not kept")
	}
}

// What comes first removes a good part of the violators, where the best rate
// belongs to a recode that removes next to none.
func TestFirstSuggestionIsWorthAKeyPress(t *testing.T) {
	scenario := microdata.NewScenario()
	scenario.Keys = generated.Keys()
	search := wholeSearch(t, golden.Data(t, "survey"), &scenario)
	frontier := search.Frontier()
	all := frontier.Worthwhile()
	byRate, first := search.Ranked(1)[0], all[0]
	if byRate.Removed() > search.Before()/50 {
		t.Errorf("the recode of the best rate removes %d of %d violators", byRate.Removed(), search.Before())
	}
	if first.Removed() < search.Before()/10 || frontier.Worth(first) < frontier.Worth(byRate) {
		t.Errorf("the first suggestion removes %d of %d violators", first.Removed(), search.Before())
	}
	if kept := 1 - first.Lost/first.Detail; kept < 0.25 {
		t.Errorf("the first suggestion keeps %.3f of what %s tells", kept, first.Variable)
	}
	if len(all) != len(frontier.Suggestions) {
		t.Errorf("%d suggestions, %d in the frontier", len(all), len(frontier.Suggestions))
	}
	for i := 1; i < len(all); i++ {
		if frontier.Worth(all[i]) > frontier.Worth(all[i-1]) {
			t.Errorf("suggestion %d is worth more than the one before", i)
		}
	}
}
