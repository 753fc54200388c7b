package fileio

import (
	"strconv"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// Texts have the numbers in which they come first, in memory and in scratch space, also when they move there.
func TestLexicon(t *testing.T) {
	mapping := scratch(t)
	later, err := store.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*store.Store{nil, mapping, later} {
		l, before := lexicon{scratch: s}, s.Bytes()
		for round := range 2 {
			for i := range 20_000 {
				text := []byte("text " + strconv.Itoa(i))
				if code, known := l.code(text); int(code) != i+1 || known != (round == 1) {
					t.Fatalf("text %d has code %d, known: %v", i, code, known)
				}
				copy(text, "xxxxx")
			}
		}
		if l.words[0] != "text 0" || l.words[19_999] != "text 19999" {
			t.Errorf("words %q, %q", l.words[0], l.words[19_999])
		}
		if held := store.Holds(s, l.words); held != (s != nil) {
			t.Errorf("words are in scratch space: %v", held)
		}
		if l.free(); s.Bytes() != before {
			t.Errorf("%d bytes are left", s.Bytes()-before)
		}
	}
	if err := later.Close(); err != nil {
		t.Fatal(err)
	}
}
