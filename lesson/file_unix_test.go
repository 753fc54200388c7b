//go:build unix

package lesson

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe instead of a lesson or its data does not block.
func TestPipesAreRefused(t *testing.T) {
	script, data := example(t)
	pipe := filepath.Join(filepath.Dir(script), "pipe.jsonl")
	if err := errors.Join(os.Remove(data), syscall.Mkfifo(data, 0o600), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Skip("no pipes here:", err)
	}
	if _, err := Find(pipe); !errors.Is(err, ErrLesson) || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a lesson: %v", err)
	}
	l, err := Find(script)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Open(t.Context(), nil); !errors.Is(err, ErrLesson) || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("its data: %v", err)
	}
}
