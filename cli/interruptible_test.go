package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every slow command can be interrupted, with a message.
func TestInterruptedCommands(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	script, file := filepath.Join("..", "testdata", "scripts", "survey_recode.jsonl"), filepath.Join("..", "testdata",
		"survey.csv")
	out := filepath.Join(t.TempDir(), "out.csv")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"demo", "--rows", "1000"}, "interrupted"},
		{[]string{"run", script, file, "-o", out}, "interrupted; nothing was written"},
		{[]string{"convert", file, out}, "interrupted; nothing was written"},
		{[]string{"inspect", file}, "interrupted"},
		{[]string{"plan", file, "--keys", "region,sex"}, "interrupted before the first plans were found"},
		{[]string{"compare", "original", script, file}, "interrupted"},
		{[]string{"try", script, file}, "interrupted"},
	} {
		cmd := newRootCommand(testProgram())
		cmd.SetOut(&bytes.Buffer{})
		cmd.SetErr(&bytes.Buffer{})
		cmd.SetArgs(c.args)
		if err := cmd.ExecuteContext(ctx); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v, want %q", c.args, err, c.want)
		}
	}
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Error("a file was written")
	}
}

// Every command that reads a file prints the warnings from reading it.
func TestWarningsOfReading(t *testing.T) {
	file := filepath.Join(t.TempDir(), "codes.csv")
	if err := os.WriteFile(file, []byte("region,sex,age\n1,2,30\n1,2,#N/A\n2,1,31\n2,1,31\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"inspect", file}, {"plan", file, "--keys", "region,sex", "--k", "2"},
		{"convert", file, file + ".gz"}} {
		_, messages, err := execute(t, args[0], args[1:]...)
		if err != nil || !strings.Contains(messages, "and the rest are numbers; if it means missing or suppressed, declare it") {
			t.Errorf("%v: %v, %q", args, err, messages)
		}
	}
}
