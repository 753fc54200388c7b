package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The pages of the manual that the program writes are those it would write now.
func TestTheManualIsCurrent(t *testing.T) {
	for name, command := range map[string]string{"methods": "methods", "measures": "measures", "keys": "keys",
		"glossary": "glossary", "checks": "check"} {
		page, err := sdcdesk(command, "--markdown")
		if err != nil {
			t.Fatal(err)
		}
		written, err := os.ReadFile(filepath.Join("..", "docs", name+".md"))
		if err != nil || strings.ReplaceAll(string(written), "\r\n", "\n") != page {
			t.Errorf("docs/%s.md is out of date (%v): go run . %s --markdown > docs/%s.md", name, err, command, name)
		}
	}
}

// The manual has all of the catalog, and every command has a manual page.
func TestTheManualIsComplete(t *testing.T) {
	p := testProgram()
	methods, err := sdcdesk("methods", "--markdown")
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range p.methods {
		if !strings.Contains(methods, "\n## "+spec.Title) {
			t.Errorf("methods lack %s", spec.Title)
		}
	}
	keys, err := sdcdesk("keys")
	if err != nil || !strings.Contains(keys, "Everywhere") || !strings.Contains(keys, "Tab Overview") ||
		!strings.Contains(keys, "ctrl+r") {
		t.Errorf("%v\n%s", err, keys)
	}
	for _, cmd := range newRootCommand(p).Commands() {
		page, err := sdcdesk("man", cmd.Name())
		if err != nil || !strings.HasPrefix(page, `.TH SDCDESK\-`) || !strings.Contains(page, "\n.SH SYNOPSIS\n") {
			t.Errorf("%s: %v\n%s", cmd.Name(), err, page)
		}
	}
	if page, err := sdcdesk("man"); err != nil || !strings.Contains(page, `sdcdesk\-run(1)  `) ||
		strings.Contains(page, "\n.rda") {
		t.Errorf("%v\n%s", err, page)
	}
}
