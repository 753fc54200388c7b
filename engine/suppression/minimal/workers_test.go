package minimal

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// A panic in the background is raised in the caller, which waits for the work.
func TestPanicOfRaisingIsThatOfTheCaller(t *testing.T) {
	search := searched(t, randomProblem(9, 200, []int{2, 3, 8, 5, 40}), 0, 1)
	search.dual.cover = nil // causes a panic
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	for range blockIterations {
		search.iterate()
	}
}

// A panic of any of the solver's workers is raised in the caller, which can restore the screen.
func TestPanicOfWorkersIsThatOfTheCaller(t *testing.T) {
	e := newEnumeration(randomProblem(5, 300, []int{2, 3, 8}))
	e.projectors = []*projector{{}, {}} // without keys a projection panics
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	_, _ = e.project(context.Background(), []uint64{0, 1, 2, 3}, []uint32{0}, nil)
}

// TestWorkersAreThoseOfParallel finds goroutines whose panics would end the program.
func TestWorkersAreThoseOfParallel(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range file.Imports {
			if imported.Path.Value == `"sync"` || imported.Path.Value == `"sync/atomic"` {
				t.Errorf("%s imports %s", path, imported.Path.Value)
			}
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if _, ok := node.(*ast.GoStmt); ok {
				t.Errorf("%s starts a goroutine of its own", path)
			}
			return true
		})
	}
}
