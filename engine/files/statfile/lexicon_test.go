package statfile

import (
	"strconv"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// Texts are numbered in order of first occurrence, in memory and in scratch space, also after moving there.
func TestLexicon(t *testing.T) {
	mapping, err := store.NewFor(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer mapping.Close()
	later, err := store.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*store.Store{nil, mapping, later} {
		l, before := Lexicon{Scratch: s}, s.Bytes()
		for round := range 2 {
			for i := range 20_000 {
				text := []byte("text " + strconv.Itoa(i))
				if code, known := l.Code(text); int(code) != i+1 || known != (round == 1) {
					t.Fatalf("text %d has code %d, known: %v", i, code, known)
				}
				copy(text, "xxxxx")
			}
		}
		if l.Words[0] != "text 0" || l.Words[19_999] != "text 19999" {
			t.Errorf("words %q, %q", l.Words[0], l.Words[19_999])
		}
		if held := store.Holds(s, l.Words); held != (s != nil) {
			t.Errorf("words are in scratch space: %v", held)
		}
		if l.Free(); s.Bytes() != before {
			t.Errorf("%d bytes are left", s.Bytes()-before)
		}
	}
	if err := later.Close(); err != nil {
		t.Fatal(err)
	}
}
