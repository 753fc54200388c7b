package tui

import (
	"os"
	"path/filepath"
	"testing"
)

// While a file named by a path is read, the screen responds, and keys after the path apply to the file.
func TestFileIsReadInBackground(t *testing.T) {
	path := filepath.Join(t.TempDir(), "region.grc")
	if err := os.WriteFile(path, []byte("X: 1-2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := surveyOf(t, 120, 40).Press(":").Type("mu-argus").Press("enter", "down")
	d.Type(path[:len(path)-1]).Dialog().Contains("check the")
	d.Hold().Type(path[len(path)-1:])
	d.Dialog().Contains("the file is being read")
	d.Press("enter").Resize(100, 30)
	if len(d.steps()) != 0 {
		t.Fatalf("applied before the file was read: %q", d.steps())
	}
	d.Release()
	if steps := d.steps(); len(steps) != 1 {
		t.Fatalf("steps %q:\n%s", steps, d.Text())
	}
}

// esc discards a path whose file is not read yet, and the keys after it.
func TestFileThatIsNotThereYetIsGivenUp(t *testing.T) {
	d := surveyOf(t, 120, 40).Press(":").Type("mu-argus").Press("enter", "down").Hold().Type("x").Press("enter", "tab",
		"esc", "esc").Release()
	if d.m.dialog != nil || len(d.m.ahead) > 0 {
		t.Errorf("%d keys wait:\n%s", len(d.m.ahead), d.Text())
	}
}

// The import page follows its options once the head of the file was read again.
func TestImportPageIsDrawnFromOptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("a;b\n1,5;2\nNA;3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := start(t, Options{Path: path}, 120, 40)
	d.Screen().Contains("semicolon ;", "comma ,", "NA")
	d.Hold().Press("right")
	d.Screen().Contains("tab")
	d.Release()
	d.Screen().Contains("a;b")
	d.Press("left", "up", "up").Press("down", "down", "down", "down", "down").Type("NA")
	d.Screen().Contains("number")
}
