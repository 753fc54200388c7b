package house_test

import (
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{".."}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// Every directly required module has its reason in go.mod.
func TestDependenciesAreExplained(t *testing.T) {
	direct, _, _ := strings.Cut(read(t, "go.mod"), "\n)")
	modules := regexp.MustCompile(`(?m)^\t(\S+) v\S+(.*)$`).FindAllStringSubmatch(direct, -1)
	for _, module := range modules {
		if !strings.HasPrefix(module[2], " // ") {
			t.Errorf("go.mod does not say why there is %s", module[1])
		}
	}
	if len(modules) == 0 {
		t.Error("go.mod lists no module")
	}
}

// README stays short, links every page of the manual, and names nothing that does not exist.
func TestREADMELeadsOn(t *testing.T) {
	readme := read(t, "README.md")
	if lines := strings.Count(readme, "\n"); lines > 90 {
		t.Errorf("README has %d lines, more than 90", lines)
	}
	pages, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	for _, page := range append(pages, filepath.Join("..", "README.md")) {
		if name := filepath.Base(page); name != "README.md" && !strings.Contains(readme, "(docs/"+name+")") {
			t.Errorf("README does not lead to docs/%s", name)
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range regexp.MustCompile(`\]\(([^):#]+)\)`).FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), link[1])); err != nil {
				t.Errorf("%s leads to %s, which is not there", page, link[1])
			}
		}
	}
	if ci := read(t, ".ci", "run"); !strings.Contains(readme, "\ngo test ./...") ||
		!strings.Contains(ci, "stage 'tests' go test ./...\n") {
		t.Error("README and .ci/run pass the tests by different commands")
	}
}

// Every folder of the engine is described.
func TestFamiliesAreExplained(t *testing.T) {
	page := read(t, "engine", "README.md")
	folders, err := os.ReadDir(filepath.Join("..", "engine"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if folder.IsDir() && !regexp.MustCompile("(?m)^\\| [^|]*`"+folder.Name()+"`").MatchString(page) {
			t.Errorf("engine/README.md does not say what engine/%s is for", folder.Name())
		}
	}
}

// The functions named in engine/README.md exist.
func TestWalkNamesFunctions(t *testing.T) {
	declared := map[string]bool{}
	sources(t, func(file string, _ *token.FileSet, parsed *ast.File) {
		for _, declaration := range parsed.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok {
				declared[path.Dir(file)+" "+qualified(function)] = true
			}
		}
	})
	_, section, _ := strings.Cut(read(t, "engine", "README.md"), "\n## The path of one value\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := regexp.MustCompile("(?m)^- `(\\S+)` `(\\S+)`:").FindAllStringSubmatch(section, -1)
	for _, row := range rows {
		if !declared[row[1]+" "+row[2]] {
			t.Errorf("engine/README.md names %s in %s, which is not there", row[2], row[1])
		}
	}
	if len(rows) == 0 || len(rows) > 25 {
		t.Errorf("the path of one value has %d functions; from 1 to 25 are wanted", len(rows))
	}
}

// qualified returns the name of a function, of a method with its type: "Table.Frequencies".
func qualified(function *ast.FuncDecl) string {
	if function.Recv == nil {
		return function.Name.Name
	}
	receiver := function.Recv.List[0].Type
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		receiver = pointer.X
	}
	if name, ok := receiver.(*ast.Ident); ok {
		return name.Name + "." + function.Name.Name
	}
	return function.Name.Name
}
