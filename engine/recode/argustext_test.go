package recode_test

import (
	"context"
	"errors"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/recode"
)

// The text of a recoded variable makes the same recode again.
func TestArgusTextMakesTheRecodeAgain(t *testing.T) {
	data := golden.Data(t, "survey")
	scenario := microdata.NewScenario()
	steps := []method.Method{
		&recode.Intervals{Variable: "age", Breaks: []float64{-1, 4, 14, 24, 64, 120}},
		&recode.Group{Variable: "age", Levels: []string{"5-14", "15-24"}},
		&recode.Group{Variable: "region", Levels: []string{"Hollow Isles", "Glenhold"}, Label: "far, and: away - maybe"},
	}
	recoded := data
	for _, step := range steps {
		out, err := step.Apply(context.Background(), method.Input{Data: recoded, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatal(err)
		}
		recoded = out.Data
	}
	for _, name := range []string{"age", "region"} {
		want, _ := recoded.Column(name)
		text, err := recode.ArgusText(want)
		if err != nil {
			t.Fatal(err)
		}
		file := &recode.ArgusFile{Variable: name, Recode: text}
		out, err := file.Apply(context.Background(), method.Input{Data: data, Scenario: &scenario}, nil)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		got, _ := out.Data.Column(name)
		for record := range data.Len() {
			if got.Text(record) != want.Text(record) {
				t.Fatalf("%s, record %d: %q, want %q by\n%s", name, record+1, got.Text(record), want.Text(record), text)
			}
		}
	}
	sex, _ := data.Column("sex")
	if _, err := recode.ArgusText(sex); !errors.Is(err, method.ErrInput) {
		t.Errorf("a variable that was not recoded gives %v", err)
	}
}
