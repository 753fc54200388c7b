package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// box is a kind of source whose records are not held: "box:NAME". What it does with them a file in passes does
// for it; nobody outside of it sees one.
type box struct {
	passing
	name  string
	files map[string]string // paths by names
}

func boxes(files map[string]string) Kind {
	return func(identity Identity, format fileio.Format) Source {
		name, ok := strings.CutPrefix(identity.Path, "box:")
		if !ok {
			return nil
		}
		identity.Path = InPasses(files[name])
		return &box{streams(identity, format).(passing), name, files}
	}
}

func (b *box) Identity() Identity {
	identity := b.passing.Identity()
	identity.Path = "box:" + b.name
	return identity
}

func (b *box) File() string { return "" }

func (b *box) counting(need groups) Source {
	return &box{b.passing.counting(need).(passing), b.name, b.files}
}

func (b *box) Open(ctx context.Context, meter *progress.Meter) (Opening, error) {
	opening, err := b.passing.Open(ctx, meter)
	if err == nil {
		opening.Source, opening.Name = &box{opening.Source.(passing), b.name, b.files}, b.name
	}
	return opening, err
}

// Another kind of source whose records are not held is a type and a line: sessions on it count what they
// need, release what a file in passes does, and are found and continued.
func TestAnotherKindWhoseRecordsAreNotHeld(t *testing.T) {
	stateHere(t)
	path := filepath.Join(t.TempDir(), "small.csv")
	must(t, os.WriteFile(path, []byte(smallText), 0o600))
	known := &Known{Kinds: append([]Kind{boxes(map[string]string{"small": path})}, Kinds(nil)...)}
	lines := []string{`{"scenario":{"keys":["sex","region"],"k":[2]}}`,
		`{"step":"recode-rename","params":{"variable":"sex","level":"m","label":"man"}}`,
		`{"step":"suppress-kanonymity","params":{"k":2}}`}
	var outs []string
	var last *Session
	for _, address := range []string{InPasses(path), "box:small"} {
		opening, err := known.Source(address, fileio.NewFormat()).Open(t.Context(), nil)
		must(t, err)
		s, err := New(opening)
		must(t, err)
		for _, line := range lines {
			if _, err := actOn(s, line); err != nil {
				t.Fatalf("%s: %s: %v", address, line, err)
			}
		}
		_, out := summaryOf(t, s, t.TempDir())
		outs, last = append(outs, out), s
	}
	if outs[0] != outs[1] || !strings.Contains(outs[1], "man") {
		t.Errorf("released:\n%s\n%s", outs[0], outs[1])
	}
	closedAndContinued(t, last, "box:small", "box:small", known)
}
