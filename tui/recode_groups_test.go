package tui

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/session"
)

// levelsOf returns the current categories of a variable.
func (d *driver) levelsOf(variable string) []string {
	d.Helper()
	column, ok := d.m.bench.doc.Data().Column(variable)
	if !ok {
		d.Fatalf("no variable %s", variable)
	}
	var labels []string
	for _, level := range column.Categories().Levels {
		labels = append(labels, level.Label)
	}
	return labels
}

func TestSplitShowsItsPartsBeforeItIsMade(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "r", "x")
	d.Dialog().Contains("nothing to split")
	d.Press("space", "down", "space", "m", "home")
	d.Dialog().Contains("[2]", "Arden+Corvale holds Arden, Corvale")
	d.Press("x").Dialog().Contains("2 source values again: Arden, Corvale", "after")
	if d.m.asking.answer.WhatIf == nil {
		t.Fatal("a split has no what-if")
	}
	d.Press("esc").Dialog().Contains("holds Arden, Corvale")
	d.Press("x", "x")
	if levels := d.levelsOf("region"); len(levels) != 8 || levels[0] != "Arden" {
		t.Errorf("after the split there are %q", levels)
	}
}

// After a merge the cursor is on the merged category, after another step where it was; renaming a labelled
// category starts with its label.
func TestCursorAfterAMerge(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "r", "down", "space", "down", "down", "space", "m", "r")
	d.Dialog().Contains("new name  Brisk+Eastmark")
	// an order has no new category
	d.Press("esc", "down", "down", "down", "J", "m", "r").Dialog().Contains("new name  Farrow")
	d, _ = surveyOfSPSS(t, 120, 40)
	d.Press("1", "g", "r", "r", "x").Dialog().Contains("Ardenx")
	d.Press("enter")
	if levels := d.levelsOf("region"); levels[0] != "Ardenx" {
		t.Errorf("%q", levels)
	}
}

// Notes about a name are shown before it is accepted.
func TestNameThatAnotherCodeHas(t *testing.T) {
	beside(t)
	d, _ := surveyOfSPSS(t, 120, 40)
	d.Press("1", "g", "r", "r", "ctrl+u").Dialog().Lacks("two codes with one label")
	d.Type("Corvale").Dialog().Contains(`3 has the label "Corvale" in the file: two codes with the same label`)
}

func TestOrderByHand(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "r", "J", "J")
	d.Dialog().Contains("this order")
	d.Press("enter")
	if levels := d.levelsOf("region"); !slices.Equal(levels[:3], []string{"Brisk", "Corvale", "Arden"}) {
		t.Errorf("the order is %q", levels)
	}
	d.Press("r", "home", "down", "T")
	d.Dialog().Contains("◂ Corvale ▸", "after")
	before := d.m.asking.answer.WhatIf.Assessment.Violators[1].Count
	d.Press("right")
	if after := d.m.asking.answer.WhatIf.Assessment.Violators[1].Count; after < before {
		t.Errorf("a smaller group leaves %d violators, a larger one %d", after, before)
	}
	d.Press("enter")
	if levels := d.levelsOf("region"); len(levels) != 4 {
		t.Errorf("top coding leaves %q", levels)
	}
}

func TestOrderIsKeptWithTheDialogOpen(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "r", "J", "m")
	d.Dialog().Contains("mark at least two categories")
	if levels := d.levelsOf("region"); levels[0] != "Brisk" || levels[1] != "Arden" {
		t.Errorf("the order is %q", levels)
	}
}

// The step under the cursor opens again with its parameters.
func TestRecodeStepsAreOpenedAgain(t *testing.T) {
	beside(t)
	for name, params := range map[string]string{
		"recode-hierarchy": `{"variable":"region","digits":2}`,
		"recode-order":     `{"variable":"region","levels":["Brisk"]}`,
		"recode-round":     `{"variable":"age","base":5}`,
		"recode-grc":       `{"variable":"region","recode":"X:Arden,Brisk\n","labels":""}`,
		"recode-topbottom": `{"variable":"age","top":80}`,
		"recode-rename":    `{"variable":"region","level":"Brisk","label":"B"}`,
		"recode-file":      `{"recodes":"{\"format\":\"sdcdesk-recodes\",\"version\":1,\"recodes\":[{\"step\":\"recode-round\",\"params\":{\"variable\":\"age\",\"base\":5}}]}"}`,
	} {
		d := surveyOf(t, 120, 40)
		d.act(func() { d.m.apply(session.StepSpec{Step: name, Params: json.RawMessage(params)}, nil) })
		if len(d.m.bench.doc.Steps()) != 1 {
			t.Fatalf("%s was not made: %s", name, d.m.View().Content)
		}
		want := d.m.bench.current.Assessment.Violators
		d.Press("6", "c")
		d.Dialog().Contains("after")
		d.Press("enter")
		if got := d.m.bench.current.Assessment.Violators; len(d.steps()) != 1 || !slices.Equal(got, want) {
			t.Errorf("%s changed without a change: %v, %v", name, got, want)
		}
	}
}

// reopen applies a step and opens its dialog to change it.
func (d *driver) reopen(name, params string) *driver {
	d.Helper()
	d.act(func() { d.m.apply(session.StepSpec{Step: name, Params: json.RawMessage(params)}, nil) })
	return d.Press("6", "home", "c")
}

func TestRenameIsOpenedAgainWithItsName(t *testing.T) {
	d := surveyOf(t, 120, 40).reopen("recode-rename", `{"variable":"region","level":"Brisk","label":"B"}`)
	d.Dialog().Contains("new name  B", "▸k = 3", "after")
	d.Type("ay").Press("enter")
	if levels := d.levelsOf("region"); levels[1] != "Bay" || len(d.steps()) != 1 {
		t.Errorf("the categories are %q, the steps %q", levels, d.steps())
	}
	// A name that another category has is refused while typing.
	d.Press("c").retype("Arden").Press("enter").Dialog().Contains("new name  Arden", "Arden")
	if d.m.asking.answer.Err == nil {
		t.Error("two categories of one name are possible")
	}
}

func TestOrderIsOpenedAgainAsAList(t *testing.T) {
	d := surveyOf(t, 120, 40).reopen("recode-order", `{"variable":"region","levels":["Farrow","Brisk"]}`)
	d.Dialog().Contains("this order", "after")
	d.Press("J", "enter")
	if levels := d.levelsOf("region"); !slices.Equal(levels[:3], []string{"Brisk", "Farrow", "Arden"}) ||
		len(d.steps()) != 1 {
		t.Errorf("the order is %q, the steps %q", levels, d.steps())
	}
}

func TestSplitIsOpenedAgain(t *testing.T) {
	d := surveyOf(t, 120, 40)
	for _, params := range []string{`{"variable":"region","levels":["Arden","Brisk"],"label":"AB"}`,
		`{"variable":"region","levels":["Corvale","Dunmere"],"label":"CD"}`} {
		d.act(func() { d.m.apply(session.StepSpec{Step: "recode-group", Params: json.RawMessage(params)}, nil) })
	}
	d.reopen("recode-split", `{"variable":"region","level":"CD"}`)
	d.Dialog().Contains("2 source values again: Corvale, Dunmere", "after")
	d.Press("home", "x", "enter")
	if levels := d.levelsOf("region"); !slices.Equal(levels[:3], []string{"Arden", "Brisk", "CD"}) || len(d.steps()) != 3 {
		t.Errorf("the categories are %q, the steps %q", levels, d.steps())
	}
}

func TestHierarchyIsOpenedAgain(t *testing.T) {
	d := surveyOf(t, 120, 40).reopen("recode-hierarchy",
		`{"variable":"region","levels":[["Arden","west","all"],["Brisk","west","all"]],"depth":1,"unlisted":"keep"}`)
	d.Dialog().Contains("Arden, west, all; Brisk, west, all", "depth                1", "8 categories become 7")
	d.focus("depth").Press("right", "enter")
	if levels := d.levelsOf("region"); levels[0] != "all" || len(d.steps()) != 1 {
		t.Errorf("the categories are %q, the steps %q", levels, d.steps())
	}
	d.Press("c", "esc")
	if d.m.dialog != nil || len(d.steps()) != 1 {
		t.Errorf("esc leaves the dialog %v and the steps %q", d.m.dialog, d.steps())
	}
}

func TestArgusRecodeIsOpenedAgain(t *testing.T) {
	d := surveyOf(t, 120, 40).reopen("recode-grc",
		`{"variable":"region","recode":"X: Arden, Brisk\r\nY: Corvale\r\n","labels":""}`)
	d.Dialog().Contains("X: Arden, Brisk; Y: Corvale", "after")
	d.focus("or lines").Press("backspace").Type("e, Dunmere").Press("enter")
	if levels := d.levelsOf("region"); len(levels) != 6 || levels[1] != "Y" || slices.Contains(levels, "Dunmere") ||
		len(d.steps()) != 1 {
		t.Errorf("the categories are %q, the steps %q", levels, d.steps())
	}
}

// A table of levels and a recode for several variables can be typed without a file.
func TestTypedTableAndVariables(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "r", "H").focus("levels").Type("Arden, North; Brisk, North")
	d.Dialog().Contains("8 categories become 7", "North", "leading characters   0")
	d.Press("enter")
	if levels := d.levelsOf("region"); levels[0] != "North" || len(levels) != 7 {
		t.Errorf("the table makes %q", levels)
	}
	d = surveyOf(t, 120, 40).Press("1", "down", "r", "o", "down").Type("no: absent")
	d.Press("down").Type("urbrur, nowhere").Dialog().Contains(`no variable "nowhere"`)
	d.retype("urbrur, sex").Press("up").retype("X: urban, male").Dialog().Contains("urbrur, sex", "after")
	d.Press("enter")
	if urban, sex := d.levelsOf("urbrur"), d.levelsOf("sex"); !slices.Contains(urban, "X") || !slices.Contains(sex, "X") ||
		len(d.steps()) != 1 {
		t.Errorf("the recodes make %q and %q: steps %q", urban, sex, d.steps())
	}
}

func TestErrorsOfRecodeFilesAreWhole(t *testing.T) {
	d := surveyOf(t, 80, 24)
	for name, text := range map[string]string{"bad.grc": "X: Arden\n2 15\n", "bad.txt": "X: Arden\n2 15\n",
		"binary.json": "\x89PNG\x00\x01", "list.json": "[1]"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"bad.grc":     "put a new code with a space or a hyphen in double quotes",
		"bad.txt":     "nor a valid mu-Argus file: line 2, position 3",
		"binary.json": "it is neither a saved recode file nor a valid mu-Argus file",
		"list.json":   "it is neither a saved recode file nor a valid mu-Argus file",
	} {
		d.Press("1", "r", "o").Type(name)
		text := strings.Join(strings.Fields(strings.ReplaceAll(d.Text(), "│", " ")), " ")
		if !strings.Contains(text, want) {
			t.Errorf("%s: no word of %q in %s", name, want, text)
		}
		d.Press("esc", "esc", "esc")
	}
}

func TestCountOfAnEarlierStepIsKnown(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40)
	d.act(func() {
		d.m.apply(session.StepSpec{Step: "recode-intervals",
			Params: json.RawMessage(`{"variable":"age","count":5,"method":"quantiles"}`)}, nil)
	})
	d.Press("1", "down", "down", "down", "r")
	if n := len(ends(d)) + 1; n != 5 {
		t.Errorf("%d intervals instead of 5", n)
	}
	d.Press("+")
	if n := len(ends(d)) + 1; n != 6 {
		t.Errorf("one more than 5 makes %d", n)
	}
}

func TestHierarchyByCharacters(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "r", "H")
	d.Dialog().Contains("8 categories become 8", "leading characters   ◂ 11 ▸")
	for range 10 {
		d.Press("left")
	}
	d.Dialog().Contains("leading characters   ◂ 1 ▸", "after")
	d.Press("enter")
	if levels := d.levelsOf("region"); !slices.Contains(levels, "A") || len(levels[0]) != 1 {
		t.Errorf("the first characters are %q", levels)
	}
}

func TestHierarchyByTable(t *testing.T) {
	d := surveyOf(t, 120, 40)
	table := "Arden;west\nBrisk;west\nCorvale;west\nDunmere;east\nEastmark;east\nFarrow;east\nGlenhold;east\nHollow Isles;sea\n"
	if err := os.WriteFile("levels.csv", []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Press("1", "r", "H").focus("table").Type("levels.csv")
	d.Dialog().Contains("8 categories become 3", "west", "sea")
	d.Press("enter")
	if levels := d.levelsOf("region"); !slices.Equal(levels, []string{"west", "east", "sea"}) {
		t.Errorf("the table makes %q", levels)
	}
}

func TestRecodeFilesAreRead(t *testing.T) {
	d := surveyOf(t, 120, 40).Press("1")
	for name, text := range map[string]string{
		"region.json": `{"format":"sdcdesk-recodes","version":1,"recodes":[{"step":"recode-group",` +
			`"params":{"variable":"region","levels":["Arden","Brisk"]}}]}`,
		"region.grc": `"Arden+Brisk": Arden, Brisk`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d.Press("r", "o").Type(name)
		d.Dialog().Contains("after")
		d.Press("enter")
		if levels := d.levelsOf("region"); !slices.Contains(levels, "Arden+Brisk") || len(levels) != 7 {
			t.Errorf("%s makes %q", name, levels)
		}
		d.Press("u")
	}
	d.Press("r", "o").Type("absent.grc").Press("enter")
	if d.m.dialog == nil || len(d.levelsOf("region")) != 8 {
		t.Error("a file that is not there was applied")
	}
}

func TestMissingCellsBecomeACategory(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "down", "down", "down", "down", "down", "r", "end", "space")
	d.Dialog().Contains("(missing)", "press e to make missing cells a category")
	d.Press("e").Type("not known").Dialog().Contains("label  not known", "after")
	d.Press("enter")
	if levels := d.levelsOf("educ"); levels[len(levels)-1] != "not known" {
		t.Errorf("the categories are %q", levels)
	}
}

func TestCodingAndRoundingFromTheIntervals(t *testing.T) {
	beside(t)
	d := surveyOf(t, 120, 40).Press("1", "down", "down", "down", "r", "end", "T")
	d.Dialog().Contains("Top and bottom coding", "age", "replacement", "after")
	d.Press("esc", "r", "R").Dialog().Contains("base", "age", "after")
	d.Press("enter")
	if levels := d.levelsOf("age"); len(levels) > 60 || levels[1] == "1" {
		t.Errorf("ages are rounded to %q", levels)
	}
}

// The bottom line begins with the first key of a recode of categories.
func TestMarkingIsOfferedFirst(t *testing.T) {
	beside(t)
	surveyOf(t, 120, 40).Press("r").Screen().Contains("\n space mark  esc close")
}
