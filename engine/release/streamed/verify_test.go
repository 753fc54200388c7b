package streamed_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/release/streamed"
)

// A file that is not what was foretold is refused: a key less, a cell less, a record less.
func TestVerifyRefusesOtherFiles(t *testing.T) {
	const text = "sex,age\nf,30\nf,30\nm,30\nm,30\nm,\n"
	path := filepath.Join(t.TempDir(), "safe.csv")
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"sex", "age"}
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(text)
	passed, err := fileio.ReadPass(t.Context(), path, fileio.NewFormat(), &fileio.Pass{By: scenario.Keys}, nil)
	if err != nil {
		t.Fatal(err)
	}
	release := streamed.Release{Data: passed.Groups}
	if err := release.Verify(t.Context(), path, fileio.NewFormat(), &scenario, nil, nil); err != nil {
		t.Errorf("the file itself: %v", err)
	}
	for _, other := range []string{strings.Replace(text, "m,30", "f,30", 1), strings.Replace(text, "f,30", "f,", 1),
		strings.TrimSuffix(text, "m,\n")} {
		write(other)
		if err := release.Verify(t.Context(), path, fileio.NewFormat(), &scenario, nil, nil); !errors.Is(err, streamed.ErrRecount) {
			t.Errorf("%q: %v", other, err)
		}
	}
}
