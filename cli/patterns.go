package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/sdcdesk/sdcdesk/engine/data/identify"
)

// mostOfPatterns is the number of bytes that a file of identifier patterns may have.
const mostOfPatterns = 1 << 20

// addPatterns adds the flag that names a file of identifier patterns.
func addPatterns(flags *pflag.FlagSet, path *string) {
	flags.StringVar(path, "identifier-patterns", "",
		"recognise identifiers also by the names, contents and exceptions of this file, a JSON object a line")
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
	patterns, err := identify.Default().Read(io.LimitReader(file, mostOfPatterns))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return patterns, nil
}
