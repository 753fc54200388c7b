package tui_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/cli"
	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/tui"
)

// asProgram is set if a test starts the test binary as the program.
const asProgram = "SDCDESK_AS_PROGRAM"

func init() {
	tui.AsProgram = func() {
		if folder := os.Getenv(asProgram); folder != "" {
			survey, err := os.ReadFile(filepath.Join(folder, "survey.csv"))
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr, cli.Examples{Survey: survey}))
		}
	}
}

// The examples in README and the manual work, key by key, and their commands exit with status 0: those of the manual in
// one folder with the demonstration file. A short test runs the keys of README and of some pages.
func TestTheManualIsTrue(t *testing.T) {
	testdata, err := filepath.Abs(filepath.Join("..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	folder := t.TempDir()
	for i, path := range append(pages, filepath.Join("..", "README.md")) {
		readme := i == len(pages)
		if path, err = filepath.Abs(path); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		page := strings.ReplaceAll(string(text), "\r\n", "\n")
		if !strings.Contains(page, "\n```sh\n") || !readme && !longtests.Some(i, 6) {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			in := folder
			if readme {
				in = t.TempDir()
			}
			run := newShell(t, testdata, in).run
			t.Chdir(in)
			if readme && !longtests.Wanted() {
				run = func(string) {}
			}
			tui.WalkPage(t, page, run)
		})
	}
}

// shell runs blocks of commands in a folder, with sdcdesk being the program.
type shell struct {
	*testing.T
	folder   string
	settings []string
}

// newShell returns a shell in a folder, with the demonstration file in it.
func newShell(t *testing.T, testdata, folder string) *shell {
	t.Helper()
	bin := t.TempDir()
	survey, err := os.ReadFile(filepath.Join(testdata, "survey.csv"))
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\n%s='%s' exec '%s' \"$@\"\n", asProgram, testdata, program)
	if err := os.WriteFile(filepath.Join(bin, "sdcdesk"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "survey.csv"), survey, 0o600); err != nil {
		t.Fatal(err)
	}
	return &shell{t, folder, append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))}
}

// run runs a block of commands. The exit status must be 0.
func (s *shell) run(block string) {
	s.Helper()
	path, err := exec.LookPath("sh")
	if err != nil {
		s.Skip(err)
	}
	sh := exec.Command(path, "-e", "-c", block)
	sh.Dir, sh.Env = s.folder, s.settings
	out, err := sh.CombinedOutput()
	if err != nil {
		s.Fatalf("%v\n%s\n%s", err, block, out)
	}
	s.Logf("%s\n%s", block, out)
}
