// Command sdcdesk is an interactive terminal workbench for statistical
// disclosure control of microdata.
package main

import (
	"errors"
	"os"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
)

func main() {
	err := newRootCommand(catalog.Methods(), catalog.Measures()).Execute()
	if err == nil {
		return
	}
	say(os.Stderr, failed, err.Error())
	os.Exit(exitCode(err))
}

// exitCode returns the exit status of an error: 2 of bad usage, else 1.
func exitCode(err error) int {
	var bad usageError
	if errors.As(err, &bad) {
		return 2
	}
	return 1
}
