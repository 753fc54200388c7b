package tui

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views"
	"github.com/sdcdesk/sdcdesk/views/panes"
)

// onFile runs the program on a file of testdata of some name, in passes or in memory, up to its variables.
func onFile(t *testing.T, name string, passes bool) *driver {
	t.Helper()
	text, err := os.ReadFile(testFile(name))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if passes {
		path = session.InPasses(path)
	}
	return start(t, Options{Path: path, NoTrace: true}, 160, 45).Press("enter")
}

// role gives a variable a role on the page of the variables.
func (d *driver) role(key string, variables ...string) *driver {
	d.Helper()
	for _, variable := range variables {
		d.Press("home")
		for !strings.Contains(d.Text(), "▸  "+variable+" ") {
			d.Press("down")
		}
		d.Press(key)
	}
	return d
}

// withRoles gives the variables of the survey roles that groups can have.
func (d *driver) withRoles() *driver {
	d.Helper()
	return d.role("k", "region", "urbrur", "sex", "marital").role("s", "health").role("w", "weight").Press("enter")
}

// times are parts of the screen that are no figures.
var times = regexp.MustCompile(`(took [0-9.<: ]+m?s|[0-9.]+ m?s\b|< 1 ms) *`)

// A session on a file that is read in passes shows the figures of the same keys on the same file in memory: while key
// variables are added, a category is renamed, k-anonymity is made, undone, and made again under another rule.
func TestPassesShowTheFiguresOfMemory(t *testing.T) {
	both := [2]*driver{onFile(t, "survey.csv", false), onFile(t, "survey.csv", true)}
	// Rows of their tables are records or groups, or only records tell the figures.
	rows := []string{"records-at-risk", "data", "inference", "numeric-correlations", "numeric-groups", "numeric-risk"}
	acts := []struct {
		name string
		do   func(d *driver)
	}{
		{"roles", func(d *driver) { d.withRoles() }},
		{"household", func(d *driver) { d.Press("v").role("h", "hid").Press("enter") }},
		{"k-anonymity", func(d *driver) { d.Press("K", "enter") }},
		{"undo", func(d *driver) { d.Press("u") }},
		{"another key variable", func(d *driver) { d.Press("v").role("k", "educ").Press("enter") }},
		{"k-anonymity of five", func(d *driver) { d.Press("K", "enter") }},
		{"one key variable less under the step", func(d *driver) { d.Press("v").role("d", "urbrur").Press("enter") }},
		{"undo of that", func(d *driver) { d.Press("u") }},
		{"undo of the rest", func(d *driver) { d.Press("u", "u") }},
		{"a sample", func(d *driver) {
			step := session.StepSpec{Step: "sample", Params: []byte(`{"share":0.4,"unit":"records"}`), Seed: 5}
			if err := d.openMethod("sample").m.dialog.(taking).Take(step); err != nil {
				t.Fatal(err)
			}
			d.run(d.m.ask())
			d.Dialog().Contains("2,000 of 5,000 records kept, weights times 2.5").Press("enter")
		}},
		{"k-anonymity of the sample", func(d *driver) { d.Press("K", "enter") }},
		{"undo of that, too", func(d *driver) { d.Press("u", "u") }},
	}
	for _, act := range acts {
		var shown [2]map[string]string
		for i, d := range both {
			act.do(d)
			if strings.Contains(d.Text(), "not possible") {
				t.Fatalf("%s:\n%s", act.name, d.Text())
			}
			shown[i] = map[string]string{}
			for _, pane := range d.m.bench.panes {
				if !slices.Contains(rows, pane.ID()) {
					shown[i][pane.ID()] = times.ReplaceAllString(d.Pane(pane.ID()).text, "")
				}
			}
		}
		for id, text := range shown[0] {
			if text != shown[1][id] {
				t.Errorf("%s: pane %s has in memory\n%s\nand in passes\n%s", act.name, id, text, shown[1][id])
			}
		}
		for i, d := range both {
			if d.m.bench.doc.Position() != both[0].m.bench.doc.Position() {
				t.Fatalf("%s: position of %d", act.name, i)
			}
		}
	}
}

// What is told of numbers by themselves is the same for a file in passes as in memory, whether groups are counted by
// them, add them up, or neither, before a recode and after it; what only single records tell is said to be so.
func TestNumbersOfPassesAreThoseOfMemory(t *testing.T) {
	both := [2]*driver{onFile(t, "survey.csv", false), onFile(t, "survey.csv", true)}
	for _, rounded := range []bool{false, true} {
		for i, d := range both {
			if !rounded {
				both[i] = d.withRoles().Press("f4")
				continue
			}
			step := session.StepSpec{Step: "recode-round", Params: []byte(`{"variable":"income","base":500}`)}
			if err := d.openMethod("recode-round").m.dialog.(taking).Take(step); err != nil {
				t.Fatal(err)
			}
			d.run(d.m.ask())
			d.Press("enter", "home")
		}
		both[1].Pane("numeric-groups").Contains("Groups of records do not tell")
		both[1].Pane("numeric-risk").Contains("only single records tell")
		both[1].run(both[1].m.do(views.OpenMeasure{Name: "numericrisk"}))
		both[1].Dialog().Contains("the records are not held in memory")
		both[1].Press("esc")
		both[1].Press("M").Screen().Contains("goes through records one by one")
		for range 5 {
			for _, id := range []string{"numeric-variables", "numeric-distribution", "numeric-scatter"} {
				if want, is := both[0].Pane(id).text, both[1].Pane(id).text; is != want {
					t.Errorf("in memory\n%s\nand in passes\n%s", want, is)
				}
			}
			both[0].Press("down")
			both[1].Press("down")
		}
	}
}

// What groups do not tell is said to be so, where it is looked for, and what cannot be done with them is not offered.
func TestPassesSayWhatTheyDoNotTell(t *testing.T) {
	d := onFile(t, "survey.csv", true)
	d.Press("f").Screen().Contains("Possible weights: weight", "Possible household identifiers: hid", "types and the first records")
	d.Press("f").role("h", "hid").withRoles().Press("f4", "p").Screen().Contains("plans for numbers try every method on them")
	d.Pane("numeric-correlations").Contains("Groups of records do not tell")
	d.Pane("inference").Contains("Attribute inference needs the records")
	d.run(d.m.do(views.ShowVariable{Name: "income"}))
	d.Press("t", "t").Screen().Contains("Give it a role", "they are.")
	d.Press("esc", "f1")
	d.run(d.m.do(views.ShowRecord{Record: 0}))
	d.Screen().Contains("The same key: groups").Screen().Lacks("  and ")
	d.Press("esc", "e").Dialog().Contains("choose a report, the script or the recodes").Dialog().Lacks("new identifiers")
	for range 12 {
		d.Press("down").Dialog().Lacks("random numbers", "random order", "microaggregation")
	}
	d.Press("esc", "v").role("k", "age", "hsize").Press("enter", "f4")
	d.Pane("numeric-correlations").Contains("-0.19")
	d.Press("K").Dialog().Contains("of households: once it is applied")
	d.Press("esc")
	d.m.bench.drill = []views.Pane{d.m.bench.pane("numeric-correlations")}
	d.Press("right").Screen().Contains("only single records tell it")
}

// Before noise is made, its dialog draws it for records of the variable by itself: those of the file, as they are now.
func TestNoiseOfPassesIsDrawn(t *testing.T) {
	counted := regexp.MustCompile(`[0-9,]+ \([0-9,]+\)`)
	var now [2]map[string]int
	for i := range now {
		d := onFile(t, "survey.csv", i == 1).withRoles().reopen("noise", `{"variables":["pid","age"],"percent":1,"decimals":"source"}`)
		d.Dialog().Contains("would be", "pid").Dialog().Lacks("were changed record by record")
		now[i] = map[string]int{}
		for range 2 {
			for _, pair := range counted.FindAllString(d.Dialog().text, -1) {
				now[i][pair[strings.Index(pair, "("):]]++
			}
			d.Press("shift+right")
		}
	}
	if len(now[0]) < 10 || !maps.Equal(now[0], now[1]) {
		t.Errorf("in memory numbers stand in as many records now: %v, in passes %v", now[0], now[1])
	}
}

// Every pane with each of its keys, every command of the palette and every dialog of a method or measure can be used on
// data whose records are not held: before key variables are chosen, with them, and after cells were suppressed. What
// cannot be done says why; nothing panics, which the driver would tell.
func TestEverythingOnGroups(t *testing.T) {
	longtests.Needed(t)
	d := onFile(t, "guide10.csv", true)
	all := d.m.bench.doc.Data().Columns()
	stages := []struct {
		name string
		keys func()
	}{
		{"without roles", func() { d.Press("enter") }},
		{"with roles", func() {
			d.Press("v").role("k", all[0].Name(), all[1].Name(), all[2].Name()).role("s", all[3].Name()).Press("enter")
		}},
		{"suppressed", func() { d.Press("K", "enter") }},
	}
	for _, stage := range stages {
		stage.keys()
		if d.m.page != nil || d.m.dialog != nil {
			t.Fatalf("%s:\n%s", stage.name, d.Text())
		}
		position := d.m.bench.doc.Position()
		home := func() {
			for range 6 {
				d.Press("esc")
			}
			if d.m.page != nil {
				t.Fatalf("%s: still on a page:\n%s", stage.name, d.Text())
			}
			for d.m.bench.doc.Position() > position && d.m.bench.doc.CanUndo() {
				d.Press("u")
			}
		}
		turn := 0
		skipped := func() bool { // all where long tests run
			turn++
			return !longtests.Wanted() && turn%4 != 0
		}
		for _, pane := range panes.All() {
			for _, binding := range pane.Keys() {
				for _, name := range binding.Keys() {
					if skipped() {
						continue
					}
					d.m.bench.drill = []views.Pane{pane}
					d.Press(name, "down")
					home()
				}
			}
		}
		for _, spec := range d.m.options.Methods {
			if skipped() {
				continue
			}
			d.run(d.m.do(views.OpenMethod{Name: spec.Name}))
			d.Press("down", "right")
			home()
		}
		for _, spec := range d.m.options.Measures {
			if skipped() {
				continue
			}
			d.run(d.m.do(views.OpenMeasure{Name: spec.Name}))
			d.Press("enter")
			home()
		}
		for _, command := range d.m.commands() {
			if skipped() || command.why(d.m) != "" || slices.Contains([]string{"quit", "open another"}, command.binding.Help().Desc) {
				continue
			}
			d.run(command.do(d.m))
			d.Press("down")
			home()
		}
		for _, column := range all {
			d.run(d.m.do(views.ShowVariable{Name: column.Name()}))
			d.Press("t", "down", "enter")
			home()
			d.run(d.m.do(views.OpenRecode{Variable: column.Name()}))
			d.Press("down", "right")
			home()
		}
	}
}

// Steps that map the values of variables that the groups are not counted by leave the groups as they are: dialogs and
// reports tell what they tell of the records in memory. Once such a variable is a key variable they are counted by
// it, with the step.
func TestStepOnAVariableByItself(t *testing.T) {
	both := [2]*driver{onFile(t, "survey.csv", false), onFile(t, "survey.csv", true)}
	var shown, reports [2][]string
	becomes := regexp.MustCompile(`[0-9,]+ values become [0-9,]+`)
	for i, d := range both {
		d.withRoles()
		groups := d.m.bench.doc.Data().Len()
		d.run(d.m.do(views.OpenRecode{Variable: "relig"}))
		d.Press("space", "down", "space")
		shown[i] = append(shown[i], times.ReplaceAllString(d.Dialog().text, ""))
		d.Press("enter").reopen("recode-round", `{"variable":"income","base":50000}`)
		shown[i] = append(shown[i], becomes.FindAllString(d.Dialog().text, -1)...)
		d.Press("esc")
		d.run(d.m.apply(session.StepSpec{Step: "recode-topbottom", Params: json.RawMessage(`{"variable":"expend","top":90000}`)}, nil))
		for _, step := range d.m.bench.doc.Steps() {
			reports[i] = append(reports[i], fmt.Sprintf("%+v", step.Report))
		}
		if d.m.bench.doc.Position() != 3 || d.m.bench.doc.Data().Len() != groups {
			t.Fatalf("%d steps stand, %d and then %d rows:\n%s", d.m.bench.doc.Position(), groups, d.m.bench.doc.Data().Len(), d.Text())
		}
	}
	if !slices.Equal(shown[0], shown[1]) || len(shown[0]) != 2 {
		t.Errorf("in memory:\n%s\nin passes:\n%s", strings.Join(shown[0], "\n"), strings.Join(shown[1], "\n"))
	}
	if !slices.Equal(reports[0], reports[1]) {
		t.Errorf("in memory:\n%s\nin passes:\n%s", strings.Join(reports[0], "\n"), strings.Join(reports[1], "\n"))
	}
	both[1].Press("v").role("k", "relig").Press("enter")
	for _, name := range []string{"relig", "income", "expend"} {
		whole, _ := both[0].m.bench.doc.Data().Column(name)
		passed, _ := both[1].m.bench.doc.Data().Column(name)
		if passed.Uncounted() != (name != "relig") || !slices.Equal(passed.Categories().Counts(), whole.Categories().Counts()) {
			t.Errorf("%s has the counts %v, in memory %v", name, passed.Categories().Counts(), whole.Categories().Counts())
		}
	}
}

// A step that needs the combinations of a variable with others counts the groups by it first, and says so before.
func TestStepCountsItsVariable(t *testing.T) {
	d := onFile(t, "survey.csv", true).withRoles()
	d.run(d.m.do(views.OpenMethod{Name: "make-stratum"}))
	d.focus("variables").retype("relig, sex").focus("name").retype("both")
	if !strings.Contains(d.Text(), "counted when this is applied") {
		t.Errorf("the dialog does not say that groups are counted:\n%s", d.Text())
	}
	d.Press("enter")
	if column, _ := d.m.bench.doc.Data().Column("relig"); column.Uncounted() || d.m.bench.doc.Position() != 1 {
		t.Errorf("relig is not counted:\n%s", d.Text())
	}
}

// Roles, methods and measures that need single records are refused with the reason.
func TestWhatGroupsCannotDoIsRefused(t *testing.T) {
	d := onFile(t, "survey.csv", true)
	d.role("n", "income").Screen().Contains("numeric key: the records are not held in memory")
	d.withRoles()
	d.run(d.m.do(views.OpenMethod{Name: "microaggregate"}))
	d.Screen().Contains("one by one")
	d.Press(":").Type("linkage")
	d.Screen().Contains("one by one")
}

// A file that does not fit into the memory that may be taken is proposed to be read in passes.
func TestPassesAreProposed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.csv")
	if err := os.WriteFile(path, []byte("a,b\n"+strings.Repeat("1,2\n", 1<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	options := Options{Path: path, NoTrace: true, Override: func(f *fileio.Format) error {
		f.MostMemory = 4 << 20
		return nil
	}}
	d := start(t, options, 120, 40)
	d.Screen().Contains("it is proposed to read the file in passes", "in passes      yes")
	if d.Press("enter"); d.m.bench == nil || !d.m.bench.doc.Base().Grouped() {
		t.Errorf("the file is not read in passes:\n%s", d.Text())
	}
}

// What waits for a count does not count the same groups once more.
func TestGroupsAreCountedOnce(t *testing.T) {
	d := onFile(t, "survey.csv", true).role("k", "region")
	d.Hold().Press("enter", "enter")
	for range 10 {
		held := d.held
		d.held = nil
		for _, cmd := range held {
			if len(d.m.bench.scenario.Keys) == 0 {
				d.follow(cmd())
			}
		}
	}
	if d.m.work != nil && strings.Contains(d.m.work.title, "counting") {
		t.Errorf("after the count: %s", d.m.work.title)
	}
	if keys := d.m.bench.scenario.Keys; len(keys) != 1 {
		t.Errorf("the key variables are %v", keys)
	}
	d.Release()
}
