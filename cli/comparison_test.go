package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What the comparison with other programs claims to exist does exist, under that name.
func TestTheComparisonNamesWhatIsThere(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "comparison.md"))
	if err != nil {
		t.Fatal(err)
	}
	p, named := testProgram(), 0
	for _, quoted := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(string(text), -1) {
		name := quoted[1]
		if len(name) == 1 { // a key
			continue
		}
		named++
		if command, ok := strings.CutPrefix(name, "sdcdesk"); ok {
			for _, word := range strings.Fields(command) {
				if help, err := sdcdesk(strings.Fields(command)[0], "--help"); err != nil || !strings.Contains(help, word) {
					t.Errorf("there is no %q", name)
				}
			}
			continue
		}
		_, method := p.methods.Find(name)
		if _, measure := p.measures.Find(name); !method && !measure {
			t.Errorf("there is no method and no measure %q", name)
		}
	}
	if named < 50 {
		t.Errorf("%d names were found", named)
	}
}
