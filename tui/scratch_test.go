package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// largeFile returns options for a file that does not fit into the memory limit.
func largeFile(t *testing.T) (folder string, options Options) {
	t.Helper()
	folder = t.TempDir()
	path := filepath.Join(folder, "large.csv")
	if err := os.WriteFile(path, []byte("a,b\n"+strings.Repeat("1,2\n", 1<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder, Options{Path: path, NoTrace: true, Override: func(f *fileio.Format) error {
		f.MostMemory = 4 << 20
		return nil
	}}
}

// For a file that does not fit into memory, temporary files in its folder are proposed.
func TestScratchSpaceIsProposed(t *testing.T) {
	folder, options := largeFile(t)
	d := start(t, options, 200, 40)
	d.Screen().Contains("enter reads the records into temporary files of "+folder, "scratch folder")
	if d.Press("enter"); d.m.bench == nil {
		t.Fatalf("the file was not read:\n%s", d.Text())
	}
	for _, column := range d.m.bench.doc.Base().Columns() {
		if !column.Stored() {
			t.Errorf("%s is in memory", column.Name())
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%v can be seen, %v", left, err)
	}
}

// Another folder can be named, and an unusable one is refused; without one the file does not fit.
func TestScratchFolderIsChosen(t *testing.T) {
	beside(t)
	folder, options := largeFile(t)
	d := start(t, options, 200, 40)
	for !strings.Contains(d.Text(), "▸ scratch folder") {
		d.Press("down")
	}
	d.Type(filepath.Join(folder, "none")).Press("enter")
	d.Screen().Contains("does not exist")
	if d.m.bench != nil {
		t.Error("the file was read all the same")
	}
}
