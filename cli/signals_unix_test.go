//go:build linux || darwin

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestProgramInChild is the program that TestSignalsLeaveNothing runs.
func TestProgramInChild(t *testing.T) {
	args := os.Getenv("SDCDESK_TEST_ARGUMENTS")
	if args == "" {
		t.Skip("this is run by TestSignalsLeaveNothing")
	}
	os.Exit(Main(strings.Split(args, "\n"), os.Stdout, os.Stderr, Examples{}))
}

// manyRecords writes a survey that takes long enough to write.
func manyRecords(t *testing.T, records int) string {
	t.Helper()
	var text bytes.Buffer
	text.WriteString("region,sex,amount\n")
	for i := range records {
		fmt.Fprintf(&text, "%d,%d,%d.25\n", i%7, i%2, 1_000_000+i)
	}
	path := filepath.Join(t.TempDir(), "many.csv")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// signalled runs the program until it has begun to write into a folder, signals it, and returns its messages;
// early is false if the last of its arguments was written before the signal arrived, as can happen on a busy
// machine.
func signalled(t *testing.T, folder string, sig syscall.Signal, args ...string) (messages string, early bool) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestProgramInChild$")
	child.Env = append(os.Environ(), "SDCDESK_TEST_ARGUMENTS="+strings.Join(args, "\n"), "TMPDIR="+t.TempDir())
	var errs bytes.Buffer
	child.Stderr = &errs
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Microsecond) {
		if entries, _ := os.ReadDir(folder); len(entries) > 0 {
			break
		}
		if time.Now().After(deadline) {
			_ = child.Process.Kill()
			t.Fatalf("%v writes nothing: %s", args, &errs)
		}
	}
	_ = child.Process.Signal(sig)
	_ = child.Wait()
	_, err := os.Stat(args[len(args)-1])
	early = err != nil
	if code := child.ProcessState.ExitCode(); early && code != 1 {
		t.Errorf("%v after %v: exit status %d: %s", args, sig, code, &errs)
	}
	return errs.String(), early
}

// Whatever signal ends a command in order, no unfinished file remains.
func TestSignalsLeaveNothing(t *testing.T) {
	file, script := manyRecords(t, 400_000), filepath.Join(t.TempDir(), "steps.jsonl")
	steps := `{"format":"sdcdesk-script","version":1}` + "\n" + `{"scenario":{"keys":["region","sex"]}}` + "\n" +
		`{"step":"recode-intervals","params":{"variable":"amount","breaks":[0,1200000,2000000]}}` + "\n"
	if err := os.WriteFile(script, []byte(steps), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		signal syscall.Signal
		args   []string
	}{
		{syscall.SIGHUP, []string{"convert", file}},
		{syscall.SIGHUP, []string{"run", script, file, "-o"}},
		{syscall.SIGHUP, []string{"release", script, file, "-o"}},
		{syscall.SIGTERM, []string{"convert", file}},
		{syscall.SIGQUIT, []string{"convert", file}},
		{syscall.SIGABRT, []string{"convert", file}},
	} {
		if signal.Ignored(c.signal) { // as under nohup, also for programs started there
			t.Logf("%v is ignored here", c.signal)
			continue
		}
		var folder, messages string
		for early, tries := false, 0; !early; tries++ {
			if tries == 20 {
				t.Fatalf("%v does not end at %v", c.args, c.signal)
			}
			folder = t.TempDir()
			target := filepath.Join(folder, "out.csv")
			if c.args[0] == "release" {
				target = filepath.Join(folder, "bundle")
			}
			messages, early = signalled(t, folder, c.signal, append(slices.Clone(c.args), target)...)
		}
		if left, _ := os.ReadDir(folder); len(left) > 0 {
			t.Errorf("%v after %v leaves %v", c.args, c.signal, left)
		}
		broken := c.signal == syscall.SIGQUIT || c.signal == syscall.SIGABRT
		if broken != strings.Contains(messages, "cli.Main (main.go:") || strings.Contains(messages, "0x") ||
			strings.Contains(messages, "goroutine ") {
			t.Errorf("%v after %v says\n%s", c.args, c.signal, messages)
		}
	}
}
