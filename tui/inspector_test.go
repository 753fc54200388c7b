package tui

import (
	"strings"
	"testing"
)

// Enter on any variable, or I at the cursor, opens its page: description, moments and values. Commands then apply
// to it.
func TestInspector(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40).Press("1", "down", "down", "down", "enter")
	d.Screen().Contains("age · integer", "integer: no decimals", "none of 5,000 records", "94 values, in order",
		"standard deviation", "20.2143", "122,005", "Distribution")
	d.current("age")
	d.Press("s").Screen().Contains("most records first", "▸0 ")
	d.Press("/").Type("9").Screen().Contains("▸19 ")
	d.Press("esc", "s", "s", "s").Screen().Contains("in order")
	d.Press("down", "enter").Screen().Contains("age = 1 · 28 of 5,000 records")
	d.Press("esc", "t").Screen().Contains("lowest", "highest", "99")
	d.Press("end", "enter").Screen().Contains("Record ", "Steps that protect this record")
	d.Press("esc", "x").Type("se").Press("enter")
	d.Screen().Contains("sex: records", "female", "male")
	d.Press("%").Screen().Contains("sex: % of the row")
	d.Press("w").Screen().Contains("% of the row, weighted", "Distribution, weighted")
	d.Press("esc").Screen().Contains("1 Key variables")
}

// The page of a variable stays open through steps, with the original behind the current values.
func TestInspectorAfterSteps(t *testing.T) {
	beside(t)
	d := demonstration(t, 120, 40).Press("[", "[")
	for d.m.bench.selected.Variable != "savings" {
		d.Press("right")
	}
	d.Press("I").Screen().Contains("savings · number", "119,704")
	d.Press("T").focus("top").retype("5000")
	d.Press("enter")
	if len(d.steps()) != 1 {
		t.Fatalf("steps %q:\n%s", d.steps(), d.Text())
	}
	d.Screen().Contains("savings · number", "original", "119,704", "5000")
	d.Press("s").Screen().Contains("records", "(0)") // 5000 is new
	d.Press("u").Screen().Lacks("original")
}

// On a screen of 60 by 15 the parts of the page follow each other; none is lost.
func TestInspectorOnASmallScreen(t *testing.T) {
	beside(t)
	d := surveyOf(t, 60, 15).Press("1", "enter")
	d.Screen().Contains("type", " more")
	d.Press("end").Screen().Contains("Hollow Isles")
	d.Press("t").Screen().Contains("8 values", "Hollow Isles")
	d.Press("t", "t").Screen().Contains("Press x")
	d.Press("t").Screen().Contains("type")
}

// A variable without any value, and one with a different text in every record.
func TestInspectorOfOddVariables(t *testing.T) {
	beside(t)
	text := "name,empty,day,code\n"
	for _, line := range []string{"Ann,,2001-02-03,01", "Bert,,2001-04-05,02", "Cyd,,,10"} {
		text += line + "\n"
	}
	d := start(t, Options{Demo: true, OpenDemo: textOpener("odd.csv", text, surveyScenarioOf("code"))}, 120, 40).Press("[", "[",
		"home")
	see := func(name string, texts ...string) {
		for range 10 {
			d.Press("left")
		}
		for d.m.bench.selected.Variable != name {
			d.Press("right")
		}
		d.Press("I").Screen().Contains(texts...)
		d.Press("esc")
	}
	see("name", "text values", "3: each record has its own", "3 to 4 characters")
	see("empty", "no record has a value", "3 of 3 records")
	see("day", "its values are dates", "2001-02-03 to 2001-04-05", "2001-03", "1 empty")
	if kind, _ := d.m.bench.doc.Data().Column("code"); !strings.Contains(kind.Kind().String(), "number") {
		see("code", "leading zeros")
	}
}
