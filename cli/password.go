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

// reachable gives addresses of tables the passwords that their servers want and nobody gave, which are asked for on the
// terminal. What else is in their way is told when they are opened, and so is that where there is no terminal.
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

// lacksPassword reports whether text is an address whose server wants a password that it has not.
func lacksPassword(ctx context.Context, text string) bool {
	address, err := database.Parse(text)
	return err == nil && address.File() == "" && errors.Is(address.Reach(ctx), database.ErrPassword)
}

// typedUnseen reads a line from the terminal, which shows nothing of it from before it is asked for.
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
	case <-ctx.Done(): // what waits for the line ends with the program
		return "", ctx.Err()
	}
}

// lineOfKeys reads what is typed up to the end of a line. ctrl+c, and ctrl+d before anything else, are an error.
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
