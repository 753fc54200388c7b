package tui

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// surveyOfSPSS opens a file of SPSS with the suggested roles.
func surveyOfSPSS(t *testing.T, width, height int) (d *driver, folder string) {
	t.Helper()
	folder = t.TempDir()
	content, err := os.ReadFile(filepath.Join(here, "..", "testdata", "formats", "sav_pspp_byte.sav"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "meridia.sav"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	d = start(t, Options{Path: filepath.Join(folder, "meridia.sav")}, width, height)
	d.Screen().Contains("Import meridia.sav", "declared missing", "are missing", "region", "integer")
	return d.Press("enter", "a", "enter"), folder
}

// A file of SPSS is opened, recoded and exported: the result is a file of SPSS with the original labels and
// declared missing values, and the recode.
func TestFileOfSPSSFromOpeningToExport(t *testing.T) {
	d, folder := surveyOfSPSS(t, 120, 40)
	d.Pane("frequencies").Contains("1 Arden", "8 Hollow Isles")
	d.Press("1", "g", "r", "space", "down", "space", "m", "esc", "1", "down", "down", "down",
		"r").Type("14 64").Press("enter")
	if len(d.steps()) != 2 {
		t.Fatalf("steps %q", d.steps())
	}
	d.Press("e")
	d.Dialog().Contains("meridia-protected.sav",
		"get new codes, with labels: region (1+3 as 9) and age (0-14 as 100,")
	d.Press("down").retype("").retype(filepath.Join(folder, "safe.csv"))
	d.Dialog().Contains("variable labels and value labels are omitted")
	safe := filepath.Join(folder, "safe.sav")
	d.retype("").retype(safe).leave()
	if d.m.dialog != nil {
		t.Fatalf("the dialog is still open:\n%s", d.Text())
	}
	f, err := fileio.GuessFile(context.Background(), safe, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, _, err := fileio.Read(context.Background(), safe, f, nil)
	if err != nil {
		t.Fatal(err)
	}
	original := d.m.bench.doc.Base()
	for _, column := range original.Columns() {
		now, written := data.Column(column.Name())
		if !written {
			continue // removed
		}
		said, was := now.Described(), column.Described()
		if said.Label != was.Label || said.Content != was.Content || len(said.Missing) != len(was.Missing) {
			t.Errorf("%s: %+v, was %+v", column.Name(), said, was)
		}
		if name := column.Name(); name != "region" && name != "age" && now.Hash() != column.Hash() {
			t.Errorf("%s is not as it was", name)
		}
	}
	region, _ := data.Column("region")
	if labels := region.Described().Labels; region.Text(0) != "9" || region.Text(3) != "5" ||
		labels["9"] != "Arden, Corvale" || labels["5"] != "Eastmark" || region.Kind() != microdata.Whole {
		t.Errorf("region is %q and %q with the labels %v", region.Text(0), region.Text(3), labels)
	}
}

// One key toggles the labels of codes and variables.
func TestLabelsAreShownAndHidden(t *testing.T) {
	beside(t)
	d, _ := surveyOfSPSS(t, 176, 50)
	d.Pane("frequencies").Contains("1 Arden")
	d.Screen().Contains("8 categories · Region of")
	d.Press("L").Screen().Contains("codes only")
	d.Pane("frequencies").Lacks("Arden")
	d.Screen().Lacks("Region of")
	d.Press("L").Pane("frequencies").Contains("1 Arden")
	d.Press("4", "enter")
	d.Screen().Contains("8 Hollow Isles")
	d.Press("L").Screen().Lacks("Hollow Isles")
	d.Press("L", "esc", "1", "g", "r").Dialog().Contains("1 Arden")
	d.Press("esc", "v").Screen().Contains("Region of residence", "household_income_total ", "Date of in… date ", "NUMERIC KEY",
		"Time of day time ")
}

// If a text file is written from data with labels, a codebook can be written next to it.
func TestExportWritesACodebook(t *testing.T) {
	d, folder := surveyOfSPSS(t, 120, 40)
	d.Press("e").Dialog().Contains("meridia-copy.sav").Dialog().Lacks("codebook")
	d.Press("down").retype("").retype(filepath.Join(folder, "safe.csv"))
	d.Dialog().Contains("codebook", "none", "variable labels and value labels are omitted")
	d.Press("down", "right", "right").Dialog().Contains("DDI (XML)").Dialog().Lacks("labels are omitted")
	d.Press("left").leave()
	if d.m.dialog != nil {
		t.Fatalf("the dialog is still open:\n%s", d.Text())
	}
	f := fileio.NewFormat()
	f.Codebook = filepath.Join(folder, "safe-codebook.csv")
	data, _, err := fileio.Read(context.Background(), filepath.Join(folder, "safe.csv"), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	if region, _ := data.Column("region"); region.Described().Labels["1"] != "Arden" {
		t.Errorf("%+v", region.Described())
	}
}

// A name without a known extension is reported in full before anything is written.
func TestExportSaysWhatNamesAreTaken(t *testing.T) {
	d, folder := surveyOfSPSS(t, 80, 24)
	d.Press("e", "down").retype(filepath.Join(folder, "safe.sas"))
	d.Dialog().Contains("has no extension of a file type that can be written", "or .asc for mu-Argus")
	d.retype(filepath.Join(folder, "safe.sas7bdat")).Dialog().Contains("has the extension of a SAS file")
	d.retype(filepath.Join(folder, "safe.dta")).Dialog().Lacks("no extension", "has the extension")
	d.Press("up", "right").Dialog().Lacks("no extension")
}

// Labels are next to codes and variables wherever there is room.
func TestLabelsNextToCodes(t *testing.T) {
	beside(t)
	d, _ := surveyOfSPSS(t, 200, 50)
	d.Press("z").Screen().Contains("Region of residence", "Age in completed years")
	d.Press("z", "4", "z").Screen().Contains("8 Hollow Isles", "2 rural")
	d.Press("L").Screen().Lacks("Hollow Isles")
	d.Press("L", "z", "2", "enter").Screen().Contains("region = 1 Arden")
	d.Press("esc", "1", "P").Dialog().Contains("1 Arden unchanged", "8 Hollow Isles")
	d.Press("tab", "right").Dialog().Contains("1 Arden → 2 Brisk")
	d.Press("esc", "esc", "L", "P").Dialog().Lacks("Arden")
	d.Press("esc", "L", "g", "r", "space", "down", "space", "m",
		"home").Dialog().Contains("1+3 Arden, Corvale holds 1 Arden, 3 Corvale")
	d.Press("esc", "]").Pane("distinct-keys").Contains("1 male", "2 rural")
	d.Press("L").Pane("distinct-keys").Lacks("male", "rural")
	d.Press("L", "P", "enter", "]").Pane("pram-matrix").Contains("8 Hollow Isles")
	d.Pane("pram-variables").Contains("Region of residence")
	d.Pane("pram-frequencies").Contains("2 Brisk")
}

// The import page lists the variables of a file with their labels, to be marked.
func TestImportPagePicksVariables(t *testing.T) {
	beside(t)
	d := start(t, Options{Path: filepath.Join(here, "..", "testdata", "formats", "sav_pspp_byte.sav")}, 120, 40)
	d.Press("down", "down", "space").Dialog().Contains("Variables to read", "region", "Region of residence", "25 of 25")
	d.Type("residence").Dialog().Contains("1 of 25")
	d.Press("space", "ctrl+u").Type("marital").Press("space").Dialog().Contains("2 marked: region, marital")
	d.Press("enter").Screen().Contains("variables         region, marital", "Region of residence", "1 Arden")
	d.Screen().Lacks("household_income_total")
	d.Press("space").Dialog().Contains("2 marked", "25 of 25")
	d.Press("esc", "enter")
	if columns := d.m.bench.doc.Base().Columns(); len(columns) != 2 || columns[0].Name() != "region" ||
		columns[1].Name() != "marital" {
		t.Errorf("%d variables were read", len(columns))
	}
	d = start(t, Options{Path: filepath.Join(here, "..", "testdata", "formats", "sav_pspp_byte.sav")}, 120, 40)
	d.Press("down", "down", "space", "ctrl+a", "enter").Screen().Contains("hid", "Household identifier")
	d.Screen().Lacks("variables         hid")
	d.Press("enter")
	if columns := d.m.bench.doc.Base().Columns(); len(columns) != 25 {
		t.Errorf("of all %d variables were read", len(columns))
	}
}

// The first records have the labels of a codebook, unless labels are hidden.
func TestImportPageShowsLabels(t *testing.T) {
	folder := t.TempDir()
	path, book := filepath.Join(folder, "a.csv"), filepath.Join(folder, "book.csv")
	for file, text := range map[string]string{path: "sex,age\n1,30\n2,40\n",
		book: "variable,label,value,value_label\nsex,Sex of the person,1,male\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := start(t, Options{Path: path, Override: func(f *fileio.Format) error { f.Codebook = book; return nil }}, 120, 40)
	d.Screen().Contains("Sex of the person", "1 male")
	d.Press("L").Screen().Contains("codes only")
	d.Screen().Lacks("Sex of the person", "1 male")
	d.Press("L").Screen().Contains("Sex of the person", "1 male")
}

// The import page takes the names of the variables to read and a codebook.
func TestImportPageTakesVariablesAndACodebook(t *testing.T) {
	folder := t.TempDir()
	path, book := filepath.Join(folder, "a.csv"), filepath.Join(folder, "book.csv")
	for file, text := range map[string]string{path: "sex,age,income\n1,30,5\n2,40,6\n",
		book: "variable,label,value,value_label\nsex,Sex,1,male\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := start(t, Options{Path: path}, 120, 40)
	d.Press("down", "down", "down", "down", "down", "down").Type("sex, age")
	d.Screen().Contains("integer").Screen().Lacks("income")
	d.Type("x").Screen().Contains("1 variable to read is not in the file")
	d.Press("backspace", "down", "down").Type(filepath.Join(folder, "none"))
	d.Screen().Contains("none")
	d.retype("").retype(book).Press("enter", "enter")
	columns := d.m.bench.doc.Base().Columns()
	if len(columns) != 2 || columns[0].Described().Labels["1"] != "male" {
		t.Fatalf("%d columns, %+v\n%s", len(columns), columns[0].Described(), d.Text())
	}
}
