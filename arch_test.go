package main_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/sdcdesk/sdcdesk"

// layers lists every package with the packages of the project it may import,
// directly or not. Arrows go one way only.
var layers = []struct {
	name string // the package's path below the module; a trailing / means all below it
	may  []string
}{
	{"engine/progress", nil},
	{"engine/wording", nil},
	{"engine/survey", nil},
	{"engine/internal/parallel", nil},
	{"engine/internal/strict", nil},
	{"engine/suppress/minimal", []string{"engine/internal/parallel"}},
	{"engine/microdata", []string{"engine/wording", "engine/internal/parallel"}},
	{"engine/muargus", []string{"engine/internal/strict", "engine/wording", "engine/microdata"}},
	{"engine/fileio/statfile", []string{"engine/internal/parallel", "engine/wording", "engine/progress", "engine/microdata"}},
	{"engine/fileio/", []string{"engine/internal/parallel", "engine/wording", "engine/progress", "engine/microdata", "engine/fileio/statfile"}}, // formats
	{"engine/fileio", []string{"engine/notation", "engine/fileio/", "engine/wording", "engine/internal/parallel", "engine/progress", "engine/microdata", "engine/muargus"}},
	{"engine/keys", []string{"engine/internal/", "engine/microdata"}},
	{"engine/notation", []string{"engine/wording", "engine/internal/strict", "engine/microdata"}},
	{"engine/method", []string{"engine/wording", "engine/progress", "engine/microdata"}},
	{"engine/measure", []string{"engine/wording", "engine/progress", "engine/method", "engine/keys", "engine/microdata"}},
	{"engine/risk", []string{"engine/wording", "engine/progress", "engine/internal/", "engine/measure", "engine/method", "engine/keys", "engine/microdata"}},
	{"engine/internal/generated", []string{"engine/wording", "engine/internal/golden", "engine/survey", "engine/method", "engine/microdata"}}, // for tests
	{"engine/internal/golden", []string{"engine/fileio", "engine/method", "engine/microdata"}},                                                // for tests
	{"engine/internal/", nil},
	{"engine/suda", []string{"engine/wording", "engine/internal/", "engine/risk", "engine/measure", "engine/method", "engine/keys", "engine/microdata", "engine/progress"}},
	{"engine/diversity", []string{"engine/wording", "engine/internal/", "engine/risk", "engine/measure", "engine/method", "engine/keys", "engine/microdata", "engine/progress"}},
	{"engine/loglinear", []string{"engine/stat", "engine/wording", "engine/risk", "engine/measure", "engine/method", "engine/keys", "engine/microdata", "engine/progress"}},
	{"engine/recode", []string{"engine/measure", "engine/internal/strict", "engine/notation", "engine/muargus", "engine/wording", "engine/method", "engine/microdata", "engine/progress"}},
	{"engine/suggest", []string{"engine/internal/", "engine/muargus", "engine/recode", "engine/method", "engine/wording", "engine/measure", "engine/risk", "engine/keys", "engine/microdata", "engine/progress"}},
	{"engine/suppress", []string{"engine/notation", "engine/wording", "engine/internal/", "engine/suppress/minimal", "engine/crosstable", "engine/method", "engine/measure", "engine/risk", "engine/keys", "engine/microdata", "engine/progress"}},
	{"engine/plan", []string{"engine/internal/parallel", "engine/suppress", "engine/suggest", "engine/recode", "engine/risk", "engine/method", "engine/wording", "engine/keys", "engine/microdata", "engine/progress"}},
	{"engine/crosstable", []string{"engine/internal/parallel", "engine/risk", "engine/measure", "engine/method", "engine/wording", "engine/progress", "engine/keys", "engine/microdata"}},
	{"engine/mondrian", []string{"engine/wording", "engine/suppress", "engine/method", "engine/keys", "engine/microdata", "engine/progress"}},
	{"engine/combinations", []string{"engine/measure", "engine/risk", "engine/internal/strict", "engine/notation", "engine/wording", "engine/suppress", "engine/crosstable", "engine/method", "engine/keys", "engine/microdata", "engine/progress"}},
	{"engine/pram", []string{"engine/notation", "engine/wording", "engine/internal/", "engine/method", "engine/measure", "engine/risk", "engine/keys", "engine/microdata", "engine/progress"}},
	{"engine/profile", []string{"engine/stat", "engine/measure", "engine/method", "engine/progress", "engine/wording", "engine/microdata"}},
	{"engine/report", nil},
	{"engine/inspect", []string{"engine/internal/parallel", "engine/crosstable", "engine/profile", "engine/report", "engine/risk", "engine/measure", "engine/method", "engine/wording", "engine/keys", "engine/microdata", "engine/progress"}},
	{"engine/order", []string{"engine/microdata"}},
	{"engine/prepare", []string{"engine/notation", "engine/wording", "engine/internal/", "engine/method", "engine/measure", "engine/risk", "engine/keys", "engine/microdata", "engine/progress"}},
	{"engine/stat", []string{"engine/internal/"}},
	{"engine/numeric", []string{"engine/stat", "engine/wording", "engine/internal/", "engine/keys", "engine/method", "engine/microdata", "engine/progress"}},
	{"engine/microaggregation", []string{"engine/stat", "engine/numeric", "engine/wording", "engine/internal/", "engine/keys", "engine/method", "engine/microdata", "engine/progress"}},
	{"engine/noise", []string{"engine/stat", "engine/numeric", "engine/wording", "engine/internal/", "engine/keys", "engine/method", "engine/microdata", "engine/progress"}},
	{"engine/rankswap", []string{"engine/stat", "engine/numeric", "engine/wording", "engine/internal/", "engine/keys", "engine/method", "engine/microdata", "engine/progress"}},
	{"engine/shuffle", []string{"engine/stat", "engine/numeric", "engine/wording", "engine/internal/", "engine/keys", "engine/method", "engine/microdata", "engine/progress"}},
	{"engine/synthesis", []string{"engine/stat", "engine/numeric", "engine/wording", "engine/internal/", "engine/keys", "engine/method", "engine/microdata", "engine/progress"}},
	{"engine/topcode", []string{"engine/stat", "engine/numeric", "engine/wording", "engine/internal/", "engine/keys", "engine/method", "engine/microdata", "engine/progress"}},
	{"engine/loss", []string{"engine/stat", "engine/numeric", "engine/wording", "engine/internal/", "engine/measure", "engine/method", "engine/microdata", "engine/progress"}},
	{"engine/linkage", []string{"engine/stat", "engine/numeric", "engine/fileio", "engine/wording", "engine/internal/", "engine/measure", "engine/method", "engine/microdata", "engine/progress"}},
	{"engine/propensity", []string{"engine/stat", "engine/numeric", "engine/wording", "engine/internal/", "engine/measure", "engine/method", "engine/microdata", "engine/progress"}},
	{"engine/score", []string{"engine/linkage", "engine/loss", "engine/numeric", "engine/measure", "engine/method", "engine/progress"}},
	{"engine/numericrisk", []string{"engine/stat", "engine/numeric", "engine/wording", "engine/internal/", "engine/measure", "engine/method", "engine/microdata", "engine/progress"}},
	{"engine/recordswap", []string{"engine/wording", "engine/internal/", "engine/method", "engine/measure", "engine/risk", "engine/keys", "engine/microdata", "engine/progress"}},
	{"engine/catalog", []string{"engine/"}},
	{"session", []string{"engine/"}},
	{"lesson", []string{"engine/", "session"}},
	{"views", []string{"engine/"}},
	{"tui/job", []string{"engine/progress"}},
	{"tui/dialogs", []string{"engine/", "session", "views", "tui/job"}},
	{"tui/", []string{"engine/", "session", "lesson", "views", "tui/dialogs"}}, // the dialogs of a family, the pages
	{"tui", []string{"engine/", "session", "lesson", "views", "tui/"}},
	{"", []string{"engine/", "session", "lesson", "views", "tui"}},
}

// importers says which packages may import a module of others directly.
var importers = map[string][]string{
	"charm.land/bubbletea/v2":          {"tui", "tui/", "views"},
	"charm.land/lipgloss/v2":           {"views"},
	"charm.land/bubbles/v2":            {"tui", "tui/", "views"},
	"github.com/spf13/cobra":           {""},
	"github.com/guptarohit/asciigraph": {"views"},
}

type listedPackage struct {
	ImportPath string
	Imports    []string
}

// listPackages runs go list once over the whole module.
func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listedPackage
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p listedPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// below returns the path of a package below the module; ok is false for
// packages of others.
func below(path string) (name string, ok bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

func covers(pattern, name string) bool {
	if prefix, folder := strings.CutSuffix(pattern, "/"); folder {
		return strings.HasPrefix(name, prefix+"/")
	}
	return pattern == name
}

func TestImportsGoOneWay(t *testing.T) {
	for _, p := range listPackages(t) {
		name, _ := below(p.ImportPath)
		at := slices.IndexFunc(layers, func(l struct {
			name string
			may  []string
		}) bool {
			return covers(l.name, name)
		})
		if at < 0 {
			t.Errorf("package %s is not in the table of layers", name)
			continue
		}
		for _, imported := range p.Imports {
			if target, own := below(imported); own && !slices.ContainsFunc(layers[at].may, func(m string) bool { return covers(m, target) }) {
				t.Errorf("%s imports %s, which is not below it", name, target)
			}
			for prefix, allowed := range importers {
				if (imported == prefix || strings.HasPrefix(imported, prefix+"/")) && !slices.ContainsFunc(allowed, func(a string) bool { return covers(a, name) }) {
					t.Errorf("%s imports %s, which is for %q", name, imported, allowed)
				}
			}
		}
	}
}
