package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// testProgram returns the whole program.
func testProgram() *program {
	read := func(name string) []byte {
		content, err := os.ReadFile(filepath.Join("..", "testdata", name))
		if err != nil {
			panic(err)
		}
		return content
	}
	return &program{catalog.Methods(), catalog.Measures(), Examples{Survey: read("survey.csv"),
		Guide: read("guide10.csv")}}
}

// sdcdesk runs the program with arguments, without a terminal.
func sdcdesk(args ...string) (output string, err error) {
	cmd := newRootCommand(testProgram())
	var out bytes.Buffer
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SetArgs(args)
	err = cmd.Execute()
	return out.String(), err
}

func TestDemonstrationWithoutATerminal(t *testing.T) {
	output, err := sdcdesk("demo")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"5,000 records", "3,702", "4,443", "4,704", "84.84", "384.8",
		"Key variables: region, urbrur, sex, age, marital, educ, ethnic"} {
		if !strings.Contains(output, want) {
			t.Errorf("the summary lacks %s:\n%s", want, output)
		}
	}
}

func TestDemonstrationThatIsMade(t *testing.T) {
	one, err := sdcdesk("demo", "--rows", "300", "--seed", "5")
	if err != nil {
		t.Fatal(err)
	}
	again, err := sdcdesk("demo", "--rows", "300", "--seed", "5")
	if err != nil || one != again {
		t.Errorf("the same seed gives another survey: %v", err)
	}
	other, err := sdcdesk("demo", "--rows", "300", "--seed", "6")
	if err != nil || !strings.Contains(other, "300 records") {
		t.Errorf("another seed gives %v:\n%s", err, other)
	}
	if unnamed := strings.NewReplacer("seed 5", "", "seed 6", ""); unnamed.Replace(one) == unnamed.Replace(other) {
		t.Errorf("another seed gives the same survey:\n%s", other)
	}
}

// The smallest surveys have figures, too.
func TestDemonstrationOfFewRecords(t *testing.T) {
	for rows, want := range map[string]string{"1": "demonstration of 1 record, seed 1", "2": "0.0299 of 2 records", "3": "0.0448 of 3 records"} {
		if output, err := sdcdesk("demo", "--rows", rows); err != nil || !strings.Contains(output, want) {
			t.Errorf("--rows %s: %v\n%s", rows, err, output)
		}
	}
}

// The embedded survey has the scenario's variables, and the scenario fits it.
func TestDemonstrationScenario(t *testing.T) {
	opening, scenario, err := demonstration{survey: testProgram().examples.Survey}.open(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := scenario.Check(opening.Data); err != nil {
		t.Error(err)
	}
}

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		text string
	}{
		{[]string{"version"}, 0, ""},
		{[]string{"--version"}, 0, ""},
		{[]string{"--help"}, 0, ""},
		{nil, 2, "sdcdesk run"},
		{[]string{"../testdata/survey.csv"}, 2, "sdcdesk run"},
		{[]string{"a.csv", "b.csv"}, 2, "takes at most one file"},
		{[]string{"runn"}, 2, `no file or command "runn"`},
		{[]string{"no/such\x1b[31m.csv"}, 2, `no file or command "no/such\x1b[31m.csv"`},
		{[]string{"--colour"}, 2, "unknown flag"},
		{[]string{"--theme", "pink"}, 2, "dark, light or none"},
		{[]string{"--delimiter", "xx"}, 2, "delimiter"},
		{[]string{"--encoding", "ebcdic"}, 2, "encoding"},
		{[]string{"demo", "--rows", "0"}, 2, "at least 1"},
		{[]string{"demo", "--rows", "many"}, 2, "it must be an integer"},
		{[]string{"demo", "survey.csv"}, 2, "takes no name"},
		{[]string{"methods", "nothing"}, 2, "no method"},
	} {
		_, err := sdcdesk(c.args...)
		if code := exitStatus(err); code != c.code || err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: status %d and %v, want %d and %q", c.args, code, err, c.code, c.text)
		}
	}
}

func TestHelpHasExamples(t *testing.T) {
	for _, args := range [][]string{{"--help"}, {"demo", "--help"}} {
		output, err := sdcdesk(args...)
		if err != nil || !strings.Contains(output, "Examples:") || !strings.Contains(output, "--session") {
			t.Errorf("%q: %v\n%s", args, err, output)
		}
	}
}

func TestFormatFlags(t *testing.T) {
	cmd := newRootCommand(testProgram())
	var flags formatFlags
	other := newVersionCommand()
	flags.add(other)
	if err := other.ParseFlags([]string{"--delimiter", "tab", "--decimal", ",", "--encoding", "latin-1", "--missing",
		"NA,-9", "--no-header"}); err != nil {
		t.Fatal(err)
	}
	change, err := flags.override(other)
	if err != nil {
		t.Fatal(err)
	}
	format := fileio.NewFormat()
	if err := change(&format); err != nil {
		t.Fatal(err)
	}
	if format.Delimiter != "\t" || format.Decimal != "," || format.Encoding != fileio.Latin1 || format.Header ||
		strings.Join(format.Missing, "|") != "|NA|-9" {
		t.Errorf("format %+v", format)
	}
	for _, name := range []string{"delimiter", "decimal", "encoding", "missing", "no-header", "session", "theme"} {
		if cmd.Flags().Lookup(name) == nil {
			t.Errorf("there is no flag --%s", name)
		}
	}
}

// A panic of a command becomes an error with its place and without values.
func TestPanicOfACommandHoldsNoValue(t *testing.T) {
	cmd := newRootCommand(testProgram())
	cmd.AddCommand(&cobra.Command{Use: "broken", Run: func(*cobra.Command, []string) { panic("Arden") }})
	cmd.SetArgs([]string{"broken"})
	err := guarded(t.Context(), cmd)
	if exitStatus(err) != 1 || !strings.Contains(err.Error(), "root_test.go") || strings.Contains(err.Error(), "Arden") {
		t.Errorf("a panic with a value: %v", err)
	}
}

// --help is a request for help even after an option that would take it as its value, but not after --, where file
// names begin.
func TestHelpIsNoValue(t *testing.T) {
	for _, c := range []struct{ args, want []string }{
		{[]string{"plan", "a.csv", "--numeric", "--help", "--seed", "1"}, []string{"plan", "a.csv", "--help"}},
		{[]string{"--help"}, []string{"--help"}},
		{[]string{"run", "-o", "--help"}, []string{"run", "--help"}},
		{[]string{"inspect", "--", "--help"}, []string{"inspect", "--", "--help"}},
		{[]string{"a.csv"}, []string{"a.csv"}},
	} {
		if got := helpFirst(c.args); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.args, got, c.want)
		}
	}
	if _, err := sdcdesk("plan", "../testdata/survey.csv", "--numeric", "income", "--told"); exitStatus(err) != 2 ||
		!strings.Contains(err.Error(), "--told and --numeric") {
		t.Errorf("%v", err)
	}
}

// Groups of billions of records have the figures of the survey's shares, are protected like records, and are not
// written as single records.
func TestDemonstrationInGroups(t *testing.T) {
	output, err := sdcdesk("demo", "--rows", "1e10", "--groups")
	if err != nil || !strings.Contains(output, "demonstration as a frequency table of 10,000,000,000 records, seed 1") ||
		!strings.Contains(output, "of 10,000,000,000 records") {
		t.Errorf("%v\n%s", err, output)
	}
	for _, args := range [][]string{{"--groups", "--places"}, {"--rows", "1.5"}, {"--rows", "many"}} {
		if output, err := sdcdesk(append([]string{"demo"}, args...)...); err == nil {
			t.Errorf("%v: %s", args, output)
		}
	}
	opening, scenario, err := demonstration{rows: 1000, seed: 1, groups: true}.open(t.Context(), nil)
	if err != nil || scenario.Check(opening.Data) != nil {
		t.Fatal(err, scenario.Check(opening.Data))
	}
	path := filepath.Join(t.TempDir(), "out.csv")
	if _, err := fileio.Write(t.Context(), path, opening.Data, opening.Source.Format(), fileio.WriteOptions{}, nil); err == nil {
		t.Error("groups were written as records")
	}
}
