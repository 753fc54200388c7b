package cli

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/sdcdesk/sdcdesk/views/draw"
)

// Kinds of messages.
const (
	failed  = "sdcdesk"
	warning = "warning"
)

// say writes a message as one line to a terminal. Messages hold names of files
// and variables, which can hold anything: no message reaches the terminal but
// through here or the screen.
func say(w io.Writer, kind, message string) {
	fmt.Fprintf(w, "%s: %s\n", kind, draw.Safe(message))
}

// printAsJSON writes a value as JSON that people can read.
func printAsJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
