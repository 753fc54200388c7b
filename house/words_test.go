package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// notOfTheField matches words that the field does not use: an intruder infers, a file reveals, and cells are
// suppressed. A sentence that begins with "Who" lacks its subject.
var notOfTheField = regexp.MustCompile(`\b(tells|told|anew|blanked|blanks|mends?|grave|in force|not to be had|is off by|is said to|that there is not|says nothing|chosen otherwise|gives? away|singles? out|off by|safe file|outermost|taken back|whole numbers?|in passes|thereof|wanted k|aimed at|parted into|open measures?|` +
	`(household|group|cluster|new) numbers|no method can do|as it was|there are none|take it|standing|put back|would then|so still|also after|percents|usual|` +
	`(?-i:Who (knows|finds|has|tries|recognises|reads)))\b`)

// inTheFieldsEnglish are the folders whose texts have been revised.
var inTheFieldsEnglish = []string{"cli", "engine/release", "engine/risk", "engine/utility", "engine/tables", "engine/perturbation",
	"engine/preparation", "engine/recoding", "engine/suppression", "session", "engine/files", "engine/data", "engine/base", "tui", "views", "lesson"}

// Texts for users contain no words that the field does not use.
func TestTextsAreInTheFieldsEnglish(t *testing.T) {
	for _, folder := range inTheFieldsEnglish {
		err := filepath.WalkDir(filepath.Join("..", filepath.FromSlash(folder)), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				literal, ok := n.(*ast.BasicLit)
				if !ok || literal.Kind != token.STRING {
					return true
				}
				text, err := strconv.Unquote(literal.Value)
				if word := notOfTheField.FindString(text); err == nil && word != "" && strings.Contains(text, " ") {
					t.Errorf("%s: %q: write it without %q", files.Position(literal.Pos()), text, word)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
