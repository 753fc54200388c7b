package cli

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
)

// addPatterns adds the flag that names a file of identifier patterns.
func addPatterns(flags *pflag.FlagSet, path *string) {
	flags.StringVar(path, "identifier-patterns", "",
		"recognise identifiers also by the names, contents and exceptions of this file, a JSON object a line")
}

// addKeepNotes adds the flag that keeps what a file says of itself.
func addKeepNotes(flags *pflag.FlagSet, keep *bool) {
	flags.BoolVar(keep, "keep-notes", false, "keep notes (Stata), documents (SPSS) and the label of the data set in the protected file")
}

// readPatterns returns the known patterns with those of a file; nil where none is named.
func readPatterns(path string) (*identify.Patterns, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	patterns, err := identify.Default().Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return patterns, nil
}
