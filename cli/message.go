package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/report"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/release/check"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// The kinds of messages; a critical finding has its own.
const (
	failed  = "sdcdesk"
	warning = "warning"
)

// say writes a message as one line to a terminal. Messages contain names of files and variables, which may contain
// anything, and arguments, which may contain passwords, so all messages to the terminal pass say or the screen.
func say(w io.Writer, kind, message string) {
	fmt.Fprintf(w, "%s: %s\n", kind, draw.Safe(database.Redacted(message)))
}

// warn prints the warnings of a command.
func warn(cmd *cobra.Command, messages ...string) {
	for _, message := range messages {
		kind := warning
		if strings.HasPrefix(message, check.Critical) {
			kind, message, _ = strings.Cut(message, ": ")
		}
		say(cmd.ErrOrStderr(), kind, message)
	}
}

// show prints the result of a command: the value as JSON, or the text.
func show(cmd *cobra.Command, asJSON bool, value any, text string) error {
	if asJSON {
		return printAsJSON(cmd.OutOrStdout(), value)
	}
	_, err := io.WriteString(cmd.OutOrStdout(), text)
	return err
}

// showPage prints a page in a form.
func showPage(cmd *cobra.Command, form report.Form, page *report.Page) error {
	return show(cmd, false, nil, form(page))
}

// printAsJSON prints a value as indented JSON.
func printAsJSON(w io.Writer, value any) error {
	return session.WriteJSON(escapingWriter{w}, value)
}

// escapingWriter writes JSON in which characters that would act on a terminal, or are invisible there, are escaped. In
// JSON they occur only in strings. Each write must end with a whole character.
type escapingWriter struct{ w io.Writer }

// Write writes a part of the JSON.
func (h escapingWriter) Write(part []byte) (int, error) {
	var text strings.Builder
	for _, r := range string(part) {
		switch {
		case !unicode.In(r, unicode.Cf) && (r < 0x7f || !unicode.IsControl(r)):
			text.WriteRune(r)
		case r > 0xffff:
			first, second := utf16.EncodeRune(r)
			fmt.Fprintf(&text, `\u%04x\u%04x`, first, second)
		default:
			fmt.Fprintf(&text, `\u%04x`, r)
		}
	}
	_, err := io.WriteString(h.w, text.String())
	return len(part), err
}
