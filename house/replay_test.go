package house_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/cli"
	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// Steps written for earlier versions, in any valid form of a script, make the same protected file, byte for byte.
// Searches limited by time (thorough, subsets, within, a budget) are excluded: a search may find another table
// with about as few cells, and a session then reports the step.
func TestStepsOfEarlierVersions(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "testdata", "replay.json"))
	if err != nil {
		t.Fatal(err)
	}
	var replay struct {
		Scenario, Before json.RawMessage
		Cases            []struct {
			Step   json.RawMessage
			SHA256 string
		}
	}
	if err := json.Unmarshal(text, &replay); err != nil {
		t.Fatal(err)
	}
	for i, c := range replay.Cases {
		if !longtests.Some(i, 4) {
			continue // each takes a tenth of a second, and ten times as long under the race detector
		}
		folder := t.TempDir()
		script, out := filepath.Join(folder, "script.jsonl"), filepath.Join(folder, "out.csv")
		lines := `{"format":"sdcdesk-script","version":1}` + "\n" + `{"scenario":` + string(replay.Scenario) + "}\n" +
			string(replay.Before) + "\n" + string(c.Step) + "\n"
		if err := os.WriteFile(script, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		var messages strings.Builder
		if cli.Main([]string{"run", script, filepath.Join("..", "testdata", "survey.csv"), "-o", out}, &messages, &messages,
			cli.Examples{}) != 0 {
			t.Errorf("%s: %s", c.Step, messages.String())
			continue
		}
		protected, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(protected); hex.EncodeToString(sum[:]) != c.SHA256 {
			t.Errorf("%s: the protected file is another one", c.Step)
		}
	}
}
