package session

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A journal of an earlier version opens and gives identical data after every step, including undone branches.
func TestJournalOfAnEarlierVersion(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "journal.jsonl"))
	must(t, err)
	folder := t.TempDir()
	source, path := filepath.Join(folder, "small.csv"), filepath.Join(folder, "small.jsonl")
	must(t, os.WriteFile(source, []byte(smallText), 0o600))
	info, err := os.Stat(source)
	must(t, err)
	quoted, err := json.Marshal(canonical(source))
	must(t, err)
	text = []byte(strings.NewReplacer(`"SOURCE"`, string(quoted), "MODIFIED",
		info.ModTime().UTC().Format(time.RFC3339Nano)).Replace(string(text)))
	must(t, os.WriteFile(path, text, 0o600))
	s, err := continueAt(t, path)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	var names []string
	for _, step := range s.Steps() {
		names = append(names, step.Spec.Step)
	}
	const want = "recode-intervals recode-group set-missing suppress-kanonymity make-stratum subset"
	if got := strings.Join(names, " "); got != want || s.Position() != len(names) {
		t.Errorf("steps %s, position %d; want %s, all standing", got, s.Position(), want)
	}
	hash := s.Data().Hash()
	if got := hex.EncodeToString(hash[:]); got != "0348940f0c6b58f3e0ef0bb137d23aed606efddd6cd6c271fc4be3042ac2ad3c" {
		t.Errorf("the data have the hash %s", got)
	}
	// PRAM was undone and is a branch that can be visited.
	nodes := s.Nodes()
	if len(nodes) != 8 || nodes[3].Step.Spec.Step != "pram" || nodes[3].Current || nodes[3].Branch != 1 ||
		nodes[4].Branch != 2 {
		t.Fatalf("nodes %+v", nodes)
	}
	must(t, goTo(s, 3))
	if hashText(s.Data()) != nodes[3].Step.After {
		t.Error("the old branch has other data")
	}
}
