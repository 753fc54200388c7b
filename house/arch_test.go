package house_test

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

// layers lists every package with the packages of the project it may import, directly or indirectly, without
// cycles.
var layers = []struct {
	name string // the package's path below the module; a trailing / means all below it
	may  []string
}{
	{"engine/base/stat", []string{"engine/internal/", "engine/base/crash"}},
	{"engine/base/report", []string{"engine/base/wording"}},
	{"engine/base/", nil},
	// for tests
	{"engine/internal/generated", []string{"engine/base/", "engine/internal/golden", "engine/data/", "engine/method",
		"house/longtests"}},
	// for tests
	{"engine/internal/golden", []string{"engine/method", "engine/data/microdata", "house/longtests"}},
	{"engine/internal/parallel", []string{"engine/base/crash"}},
	{"engine/internal/", nil},
	{"engine/data/identify", []string{"engine/internal/strict"}},
	{"engine/data/hierarchy", []string{"engine/base/", "engine/data/microdata", "engine/data/notation"}},
	{"engine/data/microdata", []string{"engine/base/", "engine/internal/", "engine/data/identify"}},
	{"engine/data/", []string{"engine/base/", "engine/internal/", "engine/data/microdata", "engine/data/identify"}},
	{"engine/files/statfile", []string{"engine/base/", "engine/internal/", "engine/data/microdata"}},
	// for tests
	{"engine/files/database/servertest", nil},
	{"engine/files/database", []string{"engine/base/", "engine/internal/", "engine/data/", "engine/files/"}},
	{"engine/files/fileio", []string{"engine/base/", "engine/internal/", "engine/data/", "engine/files/"}},
	// formats
	{"engine/files/", []string{"engine/base/", "engine/internal/", "engine/data/microdata", "engine/files/statfile"}},
	{"engine/method", []string{"engine/base/", "engine/data/microdata", "engine/data/keys", "engine/internal/random"}},
	{"engine/measure", []string{"engine/base/", "engine/data/", "engine/method"}},
	{"engine/risk", []string{"engine/base/", "engine/internal/", "engine/data/", "engine/method", "engine/measure"}},
	{"engine/risk/linkage", append([]string{"engine/risk", "engine/perturbation/numeric", "engine/files/fileio"},
		below...)},
	{"engine/risk/numericrisk", append([]string{"engine/risk", "engine/perturbation/numeric"}, below...)},
	{"engine/risk/", append([]string{"engine/risk"}, below...)},
	{"engine/tables/tabular", below},
	{"engine/tables/", append([]string{"engine/risk", "engine/tables/"}, below...)},
	{"engine/recoding/recode", append([]string{"engine/files/muargus", "engine/perturbation/numeric"}, below...)},
	{"engine/recoding/plan", append([]string{"engine/risk", "engine/risk/inference", "engine/recoding/",
		"engine/suppression/suppress"}, below...)},
	{"engine/recoding/mondrian", append([]string{"engine/recoding/recode", "engine/suppression/suppress"}, below...)},
	{"engine/suppression/minimal", []string{"engine/internal/", "engine/base/crash"}},
	{"engine/suppression/suppress", append([]string{"engine/risk", "engine/tables/", "engine/suppression/minimal"},
		below...)},
	{"engine/suppression/combinations", append([]string{"engine/risk", "engine/tables/", "engine/suppression/suppress"},
		below...)},
	{"engine/perturbation/numeric", below},
	{"engine/perturbation/", append([]string{"engine/risk", "engine/perturbation/numeric"}, below...)},
	{"engine/preparation/", append([]string{"engine/risk"}, below...)},
	// the score has both
	{"engine/utility/loss", append([]string{"engine/risk/linkage", "engine/perturbation/numeric", "engine/tables/"},
		below...)},
	// both sides
	{"engine/utility/tradeoff", append([]string{"engine/risk/linkage", "engine/risk/numericrisk", "engine/utility/loss",
		"engine/perturbation/numeric"}, below...)},
	{"engine/utility/inspect", append([]string{"engine/utility/profile", "engine/tables/", "engine/risk"}, below...)},
	{"engine/utility/", append([]string{"engine/perturbation/numeric", "engine/tables/"}, below...)},
	{"engine/release/check", []string{"engine/"}},
	// an independent count that shares only the file readers
	{"engine/release/recount", []string{"engine/files/fileio"}},
	{"engine/release/rscript", []string{"engine/"}},
	// for tests
	{"engine/whatif", append([]string{"engine/risk", "engine/utility/tradeoff"}, below...)},
	{"engine/glossary", []string{"engine/base/"}},
	{"engine/catalog", []string{"engine/"}},
	{"session", []string{"engine/"}},
	{"session/bundle", []string{"engine/", "session"}},
	{"lesson", []string{"engine/", "session"}},
	{"views/draw", []string{"engine/"}},
	{"views", []string{"engine/", "views/draw"}},
	{"views/panes", []string{"views", "views/"}},                   // all of them
	{"views/viewtest", []string{"engine/", "views", "views/draw"}}, // for tests
	{"views/viewtest/nasty", nil},                                  // for tests
	{"views/", []string{"engine/", "views", "views/draw"}},         // the panes by tab
	{"tui/job", []string{"engine/base/progress", "engine/base/crash"}},
	{"tui/dialogs", []string{"engine/", "session", "views", "views/draw", "tui/job"}},
	// the dialogs of a family, the pages
	{"tui/", []string{"engine/", "session", "session/", "lesson", "views", "views/", "tui/dialogs"}},
	{"tui", []string{"engine/", "session", "session/", "lesson", "views", "views/", "tui/"}},
	{"cli", []string{"engine/", "session", "session/", "lesson", "views", "views/draw", "tui"}},
	{"house", nil},           // tests
	{"house/longtests", nil}, // for tests
	{"", []string{"cli"}},
}

// below is what every method and measure may import.
var below = []string{"engine/base/", "engine/internal/", "engine/data/", "engine/method", "engine/measure"}

// importers lists who may import a third-party module directly. No package may send anything except queries to a
// database, or start a program: SECURITY.md guarantees it.
var importers = map[string][]string{
	"net": {"engine/files/database/servertest"}, "net/url": {"engine/files/database", "engine/files/database/"},
	"net/http":                         {"engine/files/database", "engine/files/database/servertest"},
	"os/exec":                          {"engine/files/database/servertest"}, // for tests
	"database/sql":                     {"engine/files/database", "engine/files/database/servertest"},
	"github.com/jackc/pgx/v5":          {"engine/files/database"},
	"modernc.org/sqlite":               {"engine/files/database"},
	"charm.land/bubbletea/v2":          {"tui", "tui/", "views", "views/"},
	"charm.land/lipgloss/v2":           {"views/draw"},
	"charm.land/bubbles/v2":            {"tui", "tui/", "views", "views/"},
	"github.com/spf13/cobra":           {"cli"},
	"github.com/guptarohit/asciigraph": {"views/draw"},
}

// heavy are the packages that would add 6 MB to the program. Both call methods by name, so that the linker keeps
// the exported methods of all types.
var heavy = map[string]string{
	"text/template": "write texts with a strings.Builder", "html/template": "write texts with a strings.Builder",
}

type listedPackage struct {
	ImportPath string
	Imports    []string
}

// listPackages runs go list once over the whole module.
func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	list := exec.Command("go", "list", "-json=ImportPath,Imports", "./...")
	list.Dir = ".."
	out, err := list.Output()
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

// inModule returns the path of a package below the module; ok is false for other packages.
func inModule(path string) (name string, ok bool) {
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
		name, _ := inModule(p.ImportPath)
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
			if target, own := inModule(imported); own && !slices.ContainsFunc(layers[at].may,
				func(m string) bool { return covers(m, target) }) {
				t.Errorf("%s imports %s, which is not below it", name, target)
			}
			if instead := heavy[imported]; instead != "" {
				t.Errorf("%s imports %s: %s", name, imported, instead)
			}
			for prefix, allowed := range importers {
				if _, itself := importers[imported]; itself && prefix != imported {
					continue
				}
				if (imported == prefix || strings.HasPrefix(imported, prefix+"/")) &&
					!slices.ContainsFunc(allowed, func(a string) bool { return covers(a, name) }) {
					t.Errorf("%s imports %s, which is for %q", name, imported, allowed)
				}
			}
		}
	}
}
