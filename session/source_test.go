package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

func TestSourcesOfBothKinds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "small.csv")
	must(t, os.WriteFile(path, []byte(smallText), 0o600))
	opening, err := OpenFile(context.Background(), path, fileio.NewFormat(), nil)
	must(t, err)
	file := opening.Source
	if file.Kind() != SourceFile || file.File() != canonical(path) || file.Size != int64(len(smallText)) || file.changed() {
		t.Errorf("the file is %+v", file)
	}
	must(t, os.WriteFile(path, []byte(smallText+"\n"), 0o600))
	if !file.changed() {
		t.Error("a file of another size counts as unchanged")
	}
	s, err := New(Opening{Name: "survey", Data: opening.Data, Format: opening.Format, Volatile: true})
	must(t, err)
	made := s.Source()
	if made.Kind() != SourceDemonstration || made.File() != "" || made.changed() || made.Path != "<survey>" {
		t.Errorf("the demonstration is %+v", made)
	}
	if _, err := made.open(context.Background(), nil, nil); err == nil || !strings.Contains(err.Error(), "open the demonstration") {
		t.Errorf("the demonstration is opened as a file: %v", err)
	}
}
