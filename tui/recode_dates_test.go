package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A variable of dates opens with date intervals, and the step consists of them.
func TestRecodeOfDates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "births.csv")
	var text strings.Builder
	text.WriteString("birth,sex\n")
	for i := range 40 {
		fmt.Fprintf(&text, "%02d.%02d.%d,%s\n", 1+i%28, 1+i%12, 1960+i/2, []string{"f", "m"}[i%2])
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	d := start(t, Options{Path: path}, 120, 40).Press("enter", "enter", "f7", "r")
	d.Dialog().Contains("Recoding of dates", "40 categories become 20", "1960", "No key variable is chosen")
	d.Press("enter")
	if steps := d.steps(); len(steps) != 1 || steps[0] != "dates birth: years" {
		t.Errorf("steps %q", steps)
	}
	birth, _ := d.m.bench.doc.Data().Column("birth")
	if levels := birth.Categories().Levels; !birth.Categories().Ordered || len(levels) != 20 || levels[0].Label != "1960" {
		t.Errorf("%d categories, ordered %v", len(levels), birth.Categories().Ordered)
	}
}
