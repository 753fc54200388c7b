package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/files/database"
)

// reachable asks on the terminal for missing passwords of database addresses and adds them. Other problems, and a
// missing terminal, are reported when the tables are opened.
func reachable(ctx context.Context, cmd *cobra.Command, addresses ...*string) error {
	given := ""
	for _, text := range addresses {
		if !lacksPassword(ctx, *text) {
			continue
		}
		if typed := database.WithPassword(*text, given); given != "" && !lacksPassword(ctx, typed) {
			*text = typed
			continue
		}
		if !term.IsTerminal(os.Stdin.Fd()) {
			return nil
		}
		address, err := database.Parse(*text)
		if err != nil {
			return err
		}
		given, err = typedUnseen(ctx, func() { fmt.Fprintf(cmd.ErrOrStderr(), "password for %s: ", address) })
		fmt.Fprintln(cmd.ErrOrStderr())
		if err != nil {
			return err
		}
		*text = database.WithPassword(*text, given)
	}
	return nil
}

// lacksPassword reports whether text is an address without the password that its server requires.
func lacksPassword(ctx context.Context, text string) bool {
	address, err := database.Parse(text)
	return err == nil && address.File() == "" && errors.Is(address.Reach(ctx), database.ErrPassword)
}

// typedUnseen reads a line from the terminal without echo.
func typedUnseen(ctx context.Context, ask func()) (string, error) {
	terminal := os.Stdin.Fd()
	before, err := term.MakeRaw(terminal)
	if err != nil {
		return "", err
	}
	defer func() { _ = term.Restore(terminal, before) }()
	ask()
	type typed struct {
		line string
		err  error
	}
	done := make(chan typed, 1)
	go func() {
		line, err := lineOfKeys(os.Stdin)
		done <- typed{line, err}
	}()
	select {
	case is := <-done:
		return is.line, is.err
	case <-ctx.Done(): // the goroutine that reads the line ends with the program
		return "", ctx.Err()
	}
}

// lineOfKeys reads keys up to the end of a line. ctrl+c, and ctrl+d at the beginning, are errors.
func lineOfKeys(in io.Reader) (string, error) {
	const interrupt, end, backspace, erase, eraseLine = 3, 4, 8, 127, 21
	var line []byte
	for key := make([]byte, 1); ; {
		if n, err := in.Read(key); n == 0 && err != nil {
			return "", err
		} else if n == 0 {
			continue
		}
		switch key[0] {
		case '\r', '\n':
			return string(line), nil
		case interrupt:
			return "", context.Canceled
		case end:
			if len(line) == 0 {
				return "", context.Canceled
			}
		case backspace, erase:
			_, size := utf8.DecodeLastRune(line)
			line = line[:len(line)-size]
		case eraseLine:
			line = line[:0]
		default:
			line = append(line, key[0])
		}
	}
}
