package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// The limits that keep the code readable.
const (
	maxFileLines     = 500
	maxFunctionLines = 60
)

// sources calls f for every Go file of the project except tests, with its path below the project's root.
func sources(t *testing.T, f func(path string, files *token.FileSet, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != ".." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		f(filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator))), files, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilesAndFunctionsAreShort(t *testing.T) {
	sources(t, func(path string, files *token.FileSet, file *ast.File) {
		if lines := files.File(file.Pos()).LineCount(); lines > maxFileLines {
			t.Errorf("%s has %d lines, more than %d", path, lines, maxFileLines)
		}
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			from, to := files.Position(function.Pos()).Line, files.Position(function.End()).Line
			if lines := to - from + 1; lines > maxFunctionLines {
				t.Errorf("%s: %s has %d lines, more than %d", path, function.Name.Name, lines, maxFunctionLines)
			}
		}
	})
}

func TestExportedNamesAreExplained(t *testing.T) {
	sources(t, func(path string, files *token.FileSet, file *ast.File) {
		if file.Name.Name == "main" {
			return
		}
		check := func(name *ast.Ident, doc *ast.CommentGroup, position token.Pos) {
			if !name.IsExported() {
				return
			}
			if !strings.HasPrefix(strings.TrimPrefix(doc.Text(), "Deprecated: "), name.Name) {
				t.Errorf("%s: %s has no comment that begins with its name", files.Position(position), name.Name)
			}
		}
		for _, declaration := range file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil || exportedReceiver(d.Recv) {
					check(d.Name, d.Doc, d.Pos())
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						check(spec.Name, firstComment(spec.Doc, d.Doc), spec.Pos())
					case *ast.ValueSpec:
						checkValue(t, files, d, spec)
					}
				}
			}
		}
	})
}

// checkValue requires a comment on an exported constant or variable. A single declaration has a comment that
// begins with its name; in a group, the value or the group has one.
func checkValue(t *testing.T, files *token.FileSet, group *ast.GenDecl, spec *ast.ValueSpec) {
	t.Helper()
	comment := firstComment(spec.Doc, group.Doc, spec.Comment)
	for _, name := range spec.Names {
		if !name.IsExported() {
			continue
		}
		if comment == nil || len(group.Specs) == 1 && !strings.HasPrefix(comment.Text(), name.Name) {
			t.Errorf("%s: %s has no comment that explains it", files.Position(spec.Pos()), name.Name)
		}
	}
}

func firstComment(comments ...*ast.CommentGroup) *ast.CommentGroup {
	for _, comment := range comments {
		if comment != nil {
			return comment
		}
	}
	return nil
}

// exportedReceiver reports whether a method belongs to an exported type.
func exportedReceiver(receiver *ast.FieldList) bool {
	expression := receiver.List[0].Type
	if star, ok := expression.(*ast.StarExpr); ok {
		expression = star.X
	}
	if generic, ok := expression.(*ast.IndexExpr); ok {
		expression = generic.X
	}
	name, ok := expression.(*ast.Ident)
	return ok && name.IsExported()
}

// Styles are made in one place, so that colours have one meaning everywhere.
func TestStylesAreMadeInTheTheme(t *testing.T) {
	sources(t, func(path string, files *token.FileSet, file *ast.File) {
		if path == "views/draw/theme.go" || path == "views/draw/style.go" {
			return
		}
		ast.Inspect(file, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if from, ok := selector.X.(*ast.Ident); ok &&
				(from.Name == "lipgloss" || from.Name == "ansi" && strings.HasSuffix(selector.Sel.Name, "Style") &&
					selector.Sel.Name != "ResetStyle") {
				t.Errorf("%s makes a style; styles belong to the theme", files.Position(selector.Pos()))
			}
			return true
		})
	})
}
