package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/lesson"
)

// A printed lesson has all its texts: what it says and asks, and every answer with its reason.
func TestLessonsArePrinted(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "lesson", "lessons", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		l, err := lesson.Find(name)
		must(t, err)
		page, err := sdcdesk("learn", name, "--print")
		must(t, err)
		letters := func(text string) string { return strings.Join(strings.Fields(text), "") } // lines can end after a hyphen
		printed := letters(page)
		lacks := func(text string) {
			if !strings.Contains(printed, letters(text)) {
				t.Errorf("%s: not printed: %q", name, text)
			}
		}
		lacks(l.Title)
		for _, part := range l.Parts {
			for _, text := range []string{part.Say, part.Ask, part.Choose, part.Try, part.Hint, part.Because} {
				lacks(text)
			}
			for _, answer := range part.Answers {
				lacks(answer.Text + " " + answer.Because)
			}
		}
	}
	if _, err := sdcdesk("learn", "--print"); err == nil || !strings.Contains(err.Error(), "--print takes a lesson") {
		t.Error(err)
	}
}
