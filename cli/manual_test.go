package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The generated pages of the manual are up to date.
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

// The manual covers the whole catalog, and every command has a manual page.
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
	if err != nil || !strings.Contains(keys, "All tabs") || !strings.Contains(keys, "Overview tab") ||
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

// The glossary explains the terms that its arguments name, with the synonyms of the literature.
func TestGlossaryOfATerm(t *testing.T) {
	text, err := sdcdesk("glossary", "equivalence", "class")
	if err != nil || !strings.Contains(text, "key pattern") || strings.Contains(text, "sample unique\n") {
		t.Errorf("%v\n%s", err, text)
	}
	if _, err := sdcdesk("glossary", "xyzzy"); err == nil || !strings.Contains(err.Error(), `there is no term "xyzzy"`) {
		t.Errorf("an unknown term: %v", err)
	}
}

// Commands and options named in the manual exist.
func TestTheManualNamesWhatIsThere(t *testing.T) {
	help := map[string]string{}
	for _, cmd := range newRootCommand(testProgram()).Commands() {
		help[cmd.Name()] = cmd.LocalFlags().FlagUsages()
	}
	help["completion"] = ""
	own := newRootCommand(testProgram()).Flags().FlagUsages()
	everything := own
	for _, flags := range help {
		everything += flags
	}
	pages, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	code, option := regexp.MustCompile("(?m)`([^`\n]+)`|^(sdcdesk .*)$"), regexp.MustCompile(`(?:^|[ \[])--([a-z][a-z-]+)`)
	seen := 0
	for _, path := range append(pages, filepath.Join("..", "README.md"), filepath.Join("..", "SECURITY.md")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range code.FindAllStringSubmatch(string(text), -1) {
			line, flags := found[1]+found[2], everything
			if words := strings.Fields(line); len(words) > 1 && words[0] == "sdcdesk" {
				if of, isCommand := help[words[1]]; isCommand {
					flags = of
				} else if flags = own; !strings.ContainsAny(words[1], ".:/-_FA") {
					t.Errorf("%s: there is no command %q: %s", path, words[1], line)
				}
			}
			for _, named := range option.FindAllStringSubmatch(line, -1) {
				if seen++; named[1] != "help" && !strings.Contains(flags, "--"+named[1]+" ") {
					t.Errorf("%s: there is no option --%s: %s", path, named[1], line)
				}
			}
		}
	}
	if seen < 50 {
		t.Errorf("%d options were found", seen)
	}
}
