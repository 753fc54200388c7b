package fileio

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// A file that exceeds the limit of memory is refused with the memory that it needs.
func TestNeededMemoryIsNamed(t *testing.T) {
	path, f := filepath.Join(t.TempDir(), "large.csv"), NewFormat()
	text := []byte("a,b\n")
	for i := range 1 << 18 {
		text = fmt.Appendf(text, "%d.5,x%d\n", i, i)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	f.MostMemory = 1 << 20
	_, _, err := Read(t.Context(), path, f, nil)
	if !errors.Is(err, ErrMemory) || !regexp.MustCompile(`the file has 4 MB and needs about [1-9][0-9]* MB of memory$`).MatchString(err.Error()) {
		t.Error(err)
	}
}
