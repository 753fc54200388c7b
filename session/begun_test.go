package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// Work begun in sdcMicro continues here: its data are compared with the original, a variable can be reset to it,
// and the session is resumed and refused by the original only.
func TestBegunInAnotherProgram(t *testing.T) {
	path := filepath.Join("..", "..", "shared", "data", "found", "sdcmicro_object.rds")
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skip(path + " is not there")
	}
	stateHere(t)
	ctx := context.Background()
	format, err := fileio.GuessFile(ctx, path, nil)
	must(t, err)
	plain := format
	must(t, fileio.Choose(&format, "data frame=as it has become"))
	opening, err := OpenFile(ctx, path, format, nil)
	must(t, err)
	s, err := New(opening)
	must(t, err)
	defer s.Close()
	suppressed := func(s *Session) int {
		column, _ := s.Data().Column("water")
		if column.Suppressed() == nil {
			return 0
		}
		return column.Suppressed().Count()
	}
	if !s.BegunElsewhere() || suppressed(s) != 20 || !strings.Contains(strings.Join(s.Warnings(), "\n"), "roof and water") {
		t.Fatalf("begun elsewhere: %v, %d cells suppressed, %q", s.BegunElsewhere(), suppressed(s), s.Warnings())
	}
	do(t, s, StepSpec{Step: "reset", Params: []byte(`{"variable":"water"}`)})
	original, _ := s.Base().Source().Column("water")
	if now, _ := s.Data().Column("water"); suppressed(s) != 0 || now != original {
		t.Errorf("%d cells suppressed after a reset", suppressed(s))
	}
	must(t, s.Close())
	opening.Journal = s.JournalPath()
	again, err := Resume(ctx, opening, nil)
	must(t, err)
	if again.Position() != 1 || hashText(again.Data()) != hashText(s.Data()) {
		t.Errorf("continued at step %d with other data", again.Position())
	}
	must(t, again.Close())
	other, err := OpenFile(ctx, path, plain, nil)
	must(t, err)
	other.Journal = s.JournalPath()
	if _, err := Resume(ctx, other, nil); !errors.Is(err, ErrSource) {
		t.Errorf("continued on the original data: %v", err)
	}
}
