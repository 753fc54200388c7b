package cli

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
)

// addPatterns adds the flag for a file of additional identifier patterns.
func addPatterns(flags *pflag.FlagSet, patterns **identify.Patterns) {
	flags.Func("identifier-patterns",
		"additional identifier patterns: names, contents and exceptions, one JSON object per line",
		readsPatterns(patterns))
}

// readsPatterns returns a function that reads a file of patterns.
func readsPatterns(patterns **identify.Patterns) func(path string) error {
	return func(path string) error {
		file, err := os.Open(path)
		if err != nil {
			return fileProblem{err}
		}
		defer file.Close()
		if *patterns, err = identify.Default().Read(file); err != nil {
			return fileProblem{fmt.Errorf("%s: %w", path, err)}
		}
		return nil
	}
}

// addKeepNotes adds the flag that keeps notes, documents and the label of the dataset.
func addKeepNotes(flags *pflag.FlagSet, keep *bool) {
	flags.BoolVar(keep, "keep-notes", false, "keep the notes (Stata), documents (SPSS) and dataset label in the protected file")
}
