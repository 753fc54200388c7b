//go:build unix

package cli

import (
	"errors"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/files/database/servertest"
)

// TestCommandOnATerminal is the program that TestPasswordIsAskedFor runs.
func TestCommandOnATerminal(t *testing.T) {
	args := os.Getenv("SDCDESK_TEST_ARGUMENTS")
	if args == "" {
		t.Skip("this is run by TestPasswordIsAskedFor")
	}
	os.Exit(Main(strings.Split(args, "\n"), os.Stdout, os.Stderr, Examples{}))
}

// onTerminal runs a command on a terminal, and types a line when it asks for something.
func onTerminal(t *testing.T, asks, line string, args ...string) (shown string, err error) {
	t.Helper()
	if _, err := exec.LookPath("script"); err != nil {
		t.Skip("left out: script, which makes a terminal, is not installed")
	}
	program := exec.Command("script", "-qec", os.Args[0]+" -test.run=^TestCommandOnATerminal$", os.DevNull)
	program.Env = append(os.Environ(), "SDCDESK_TEST_ARGUMENTS="+strings.Join(args, "\n"), "SHELL=/bin/sh")
	in, err := program.StdinPipe()
	must(t, err)
	out, err := program.StdoutPipe()
	must(t, err)
	must(t, program.Start())
	var all strings.Builder
	typed, part := false, make([]byte, 4096)
	for {
		n, err := out.Read(part)
		all.Write(part[:n])
		if !typed && strings.Contains(all.String(), asks) {
			typed = true
			_, err := io.WriteString(in, line+"\n")
			must(t, errors.Join(err, in.Close()))
		}
		if err != nil {
			break
		}
	}
	return all.String(), program.Wait()
}

// If a server requires a missing password, the command asks for it on the terminal without echo; without a
// terminal it says where to put it. Passwords in a password file or a service file are used.
func TestPasswordIsAskedFor(t *testing.T) {
	server, _ := servertest.Start(t)
	loadTable(t, "pgx", server, [][]string{{"id", "region", "sex"}, {"1", "north", "f"}, {"2", "south", "m"}, {"3", "south", "f"}})
	without := strings.Replace(server, ":"+servertest.Password, "", 1) + "&table=person&key=id"
	_, _, err := execute(t, "inspect", without)
	if err == nil || !strings.Contains(err.Error(), "requires a password: set it in PGPASSFILE") {
		t.Errorf("without a terminal: %v", err)
	}
	script := writeScript(t, "none.jsonl")
	must(t, os.WriteFile(script, []byte(`{"format":"sdcdesk-script","version":1}`+"\n"), 0o600))
	target := strings.Replace(without, "table=person&key=id", "table=safe", 1)
	for _, args := range [][]string{{"inspect", without}, {"run", script, without, "-o", target}} {
		shown, err := onTerminal(t, "password for postgres://", servertest.Password, args...)
		if err != nil || strings.Contains(shown, servertest.Password) || strings.Count(shown, "password for") != 1 {
			t.Errorf("%v: %v\n%s", args, err, shown)
		}
	}
	shown, err := onTerminal(t, "password for postgres://", "wrong", "inspect", without)
	if err == nil || !strings.Contains(shown, "password authentication failed") || strings.Contains(shown, "wrong") {
		t.Errorf("a wrong password: %v\n%s", err, shown)
	}
	folder := t.TempDir()
	kept := filepath.Join(folder, "kept")
	parsed, err := url.Parse(server)
	must(t, err)
	must(t, os.WriteFile(kept, []byte("*:*:*:tester:"+servertest.Password+"\n"), 0o600))
	t.Setenv("PGPASSFILE", kept)
	if _, _, err := execute(t, "inspect", without); err != nil {
		t.Errorf("with a password file: %v", err)
	}
	t.Setenv("PGPASSFILE", "")
	services := filepath.Join(folder, "services")
	must(t, os.WriteFile(services, []byte("[census]\nhost="+parsed.Query().Get("host")+"\nuser=tester\ndbname=postgres\npassword="+
		servertest.Password+"\n"), 0o600))
	t.Setenv("PGSERVICEFILE", services)
	if text, _, err := execute(t, "inspect", "postgres://?service=census&table=person"); err != nil ||
		strings.Contains(text, servertest.Password) {
		t.Errorf("with a service file: %v", err)
	}
}

// Keys that delete typed characters are not part of a line, and ctrl+c aborts it.
func TestLineOfKeys(t *testing.T) {
	for typed, want := range map[string]string{"secret\r": "secret", "sé\x7fecret\nmore": "secret", "no\x15\x7fsecret\x04\r": "secret"} {
		if line, err := lineOfKeys(strings.NewReader(typed)); line != want || err != nil {
			t.Errorf("%q is %q, %v", typed, line, err)
		}
	}
	for _, typed := range []string{"se\x03", "\x04", "se"} {
		if line, err := lineOfKeys(strings.NewReader(typed)); line != "" || err == nil {
			t.Errorf("%q is %q", typed, line)
		}
	}
}
