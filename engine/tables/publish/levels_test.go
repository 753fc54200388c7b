package publish_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/data/hierarchy"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
	"github.com/sdcdesk/sdcdesk/engine/tables/tauargus"
)

// Hierarchies of tau-Argus and tables of levels are told apart; that of a variable without levels is a list of codes.
func TestReadLevels(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb\nc\n":                     "[[a] [b] [c]]",
		"\ufeffa\r\nb\r\n":              "[[a] [b]]",
		"\ufeffA\n@a\n@b\nB\n":          "[[a A] [b A] [B B]]",
		"a,A\nb,A\nc,B\n":               "[[a A] [b A] [c B]]",
		"@@x, y\n@@z\n":                 "[[x, y] [z]]",
		"North\n@Arden\n\n@Avon\nSouth": "[[Arden North] [Avon North] [South South]]",
	} {
		levels, err := publish.ReadLevels("region", []byte(text))
		if got := fmt.Sprint(levels); err != nil || got != want {
			t.Errorf("%q: %s, %v, not %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "\n\n", "M\xfcnchen\n", "a;A\nb\n"} {
		if _, err := publish.ReadLevels("region", []byte(text)); !errors.Is(err, hierarchy.ErrTable) {
			t.Errorf("%q: %v", text, err)
		}
	}
	tree, err := tabular.NewTree("region", [][]string{{"a"}, {"b"}})
	if err != nil {
		t.Fatal(err)
	}
	var written strings.Builder
	if err := tauargus.WriteHierarchy(&written, tree); err != nil {
		t.Fatal(err)
	}
	if levels, err := publish.ReadLevels("region", []byte(written.String())); err != nil || fmt.Sprint(levels) != "[[a] [b]]" {
		t.Errorf("%q is read as %v, %v", written.String(), levels, err)
	}
}
