package wording_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

func TestExcerpt(t *testing.T) {
	hundred := strings.Repeat("é", 100)
	for text, want := range map[string]string{
		"":                           "",
		"age":                        "age",
		hundred:                      hundred,
		hundred + "x":                hundred + "…",
		strings.Repeat("x", 10<<20):  strings.Repeat("x", 100) + "…",
		strings.Repeat("\xff", 1000): strings.Repeat("\xff", 100) + "…",
	} {
		if got := wording.Excerpt(text); got != want {
			t.Errorf("Excerpt of %d bytes = %q, want %q", len(text), got, want)
		}
	}
}

func TestFirstFew(t *testing.T) {
	names := []string{"age", "sex", "region", "water"}
	for most, want := range map[int][]string{5: names, 4: names, 3: {"age", "sex", "region", "1 more"},
		1: {"age", "3 more"}} {
		if got := wording.FirstFew(slices.Clip(names), most); !slices.Equal(got, want) {
			t.Errorf("FirstFew(%d) = %q, want %q", most, got, want)
		}
	}
	if names[3] != "water" {
		t.Error("FirstFew changed what it was given")
	}
}

func TestBeginning(t *testing.T) {
	names := []string{"age", "sex", "region"}
	for most, want := range map[int]string{1: "age, …", 2: "age, sex, …", 3: "age, sex, region"} {
		if got := wording.Beginning(names, most); got != want || names[2] != "region" {
			t.Errorf("the first %d are %q, want %q; %q", most, got, want, names)
		}
	}
}
