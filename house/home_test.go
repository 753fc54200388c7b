package house_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// Tests with sessions or properties write into temporary folders only: house/longtests moves the user's folders,
// and keeps rapid from writing a file when a property fails.
func TestTestsWriteIntoTemporaryFolders(t *testing.T) {
	list := exec.Command("go", "list", "-test", "-f", `{{.ImportPath}} {{.Dir}} {{join .Deps " "}}`, "./...")
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		name, tests := strings.CutSuffix(fields[0], ".test")
		has := func(dep string) bool { return slices.Contains(fields[2:], dep) }
		if !tests || !has("pgregory.net/rapid") && !has(module+"/session") {
			continue
		}
		seen++
		if !has(module + "/house/longtests") {
			t.Errorf("the tests of %s do not import house/longtests", name)
		} else if has(module+"/session") && !callsInTests(t, fields[1], "longtests.Main(m)") {
			t.Errorf("the tests of %s can write sessions: their TestMain must call longtests.Main", name)
		}
	}
	if seen < 40 {
		t.Errorf("only %d packages were found", seen)
	}
}

// callsInTests reports whether a test file in a folder contains a call.
func callsInTests(t *testing.T, folder, call string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(path string) bool {
		text, err := os.ReadFile(path)
		return err == nil && strings.Contains(string(text), call)
	})
}

// Tests that write sessions leave nothing in the user's folder.
func TestHomeOfTheUserStaysEmpty(t *testing.T) {
	longtests.Needed(t)
	home, program := t.TempDir(), filepath.Join(t.TempDir(), "tui.test")
	if out, err := exec.Command("go", "test", "-c", "-o", program, "../tui").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(program, "-test.run=^TestLabelsAtEveryPlace$") // writes sessions
	run.Dir = "../tui"
	for _, setting := range os.Environ() {
		if name, _, _ := strings.Cut(setting, "="); !strings.HasPrefix(name, "XDG_") && name != "SDCDESK_TEST_HOME" {
			run.Env = append(run.Env, setting)
		}
	}
	run.Env = append(run.Env, "HOME="+home, "USERPROFILE="+home, "AppData="+home, "LocalAppData="+home)
	if out, err := run.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS") {
		t.Fatalf("%v\n%s", err, out)
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
