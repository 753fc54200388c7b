package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

func TestSourcesOfBothKinds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "small.csv")
	must(t, os.WriteFile(path, []byte(smallText), 0o600))
	opening, err := OpenFile(context.Background(), path, fileio.NewFormat(), nil)
	must(t, err)
	file := opening.Source
	if identity := file.Identity(); file.File() != canonical(path) || identity.Path != file.File() ||
		identity.Size != int64(len(smallText)) || file.Changed() {
		t.Errorf("the file is %+v", file)
	}
	must(t, os.WriteFile(path, []byte(smallText+"\n"), 0o600))
	if !file.Changed() {
		t.Error("a file of another size counts as unchanged")
	}
	s, err := New(Opening{Name: "survey", Data: opening.Data, Volatile: true})
	must(t, err)
	made := s.Source()
	if made.File() != "" || made.Changed() || made.Identity().Path != "<survey>" || s.Name() != "survey" {
		t.Errorf("the demonstration is %+v", made)
	}
	if _, err := made.Open(context.Background(), nil); err == nil ||
		!strings.Contains(err.Error(), "open the demonstration") {
		t.Errorf("the demonstration is opened as a file: %v", err)
	}
}

// Data made by the program are made again if a maker is available.
func TestDemonstrationIsRecreated(t *testing.T) {
	stateHere(t)
	remade := 0
	remake := func(context.Context, string, *progress.Meter) (Opening, error) {
		data, format := readText(t, smallText)
		remade++
		return Opening{Source: NewDemonstration("small", format), Data: data}, nil
	}
	opening, err := remake(t.Context(), "demonstration", nil)
	must(t, err)
	s, err := New(opening)
	must(t, err)
	must(t, s.SetScenario(smallScenario()))
	do(t, s, ages)
	must(t, s.Close())
	found, err := FindJournals("<small>", &MethodSource{Remake: remake})
	if err != nil || len(found) != 1 || found[0].Changed {
		t.Fatalf("found %+v, %v", found, err)
	}
	again, err := Continue(t.Context(), found[0], nil, 0, nil, nil)
	must(t, err)
	defer again.Close()
	if remade != 2 || again.Position() != 1 || again.Name() != "small" {
		t.Errorf("%q made %d times, at position %d", again.Name(), remade, again.Position())
	}
}

// A session is resumed with the present memory limit for reading its file.
func TestContinuedWithinMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv")
	must(t, os.WriteFile(path, []byte("a,b\n"+strings.Repeat("1,2\n", 400_000)), 0o600))
	stateHere(t)
	format, err := fileio.GuessFile(t.Context(), path, nil)
	must(t, err)
	opening, err := OpenFile(t.Context(), path, format, nil)
	must(t, err)
	s, err := New(opening)
	must(t, err)
	scenario := microdata.NewScenario()
	scenario.Keys = []string{"a", "b"}
	must(t, s.SetScenario(scenario))
	must(t, s.Close())
	found, err := FindJournals(path, &MethodSource{})
	if err != nil || len(found) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	if _, err := Continue(t.Context(), found[0], nil, 1<<10, nil, nil); !errors.Is(err, fileio.ErrMemory) {
		t.Errorf("within 1 KB: %v", err)
	}
	again, err := Continue(t.Context(), found[0], nil, 1<<30, nil, nil)
	must(t, err)
	must(t, again.Close())
}

// A session on a folder uses all files in it: it resumes with them, and notices if one has changed.
func TestSourceOfAFolder(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"p1.csv": "a,b\n1,x\n", "p2.csv": "a,b\n2,y\n3,x\n"} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))
	}
	source, err := SourceOf(t.Context(), folder, nil, nil)
	must(t, err)
	opening, err := source.Open(t.Context(), nil)
	must(t, err)
	if n := opening.Data.Len(); n != 3 || opening.Source.Changed() || opening.Source.File() != canonical(folder) {
		t.Errorf("%d records of %s, changed %v", n, opening.Source.File(), opening.Source.Changed())
	}
	first := filepath.Join(folder, "p1.csv")
	was, err := os.Stat(first)
	must(t, err)
	must(t, os.WriteFile(first, []byte("a,b\n1,x\n1,y\n"), 0o600))
	must(t, os.Chtimes(first, was.ModTime(), was.ModTime()))
	if !opening.Source.Changed() {
		t.Error("a file of the folder has changed, and the source has not")
	}
}
