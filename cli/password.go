package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

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
		fmt.Fprintf(cmd.ErrOrStderr(), "password for %s: ", address)
		given, err = typedUnseen(ctx)
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

// typedUnseen reads a line from the terminal, which shows nothing of it.
func typedUnseen(ctx context.Context) (string, error) {
	terminal := os.Stdin.Fd()
	before, err := term.GetState(terminal)
	if err != nil {
		return "", err
	}
	defer func() { _ = term.Restore(terminal, before) }()
	var line []byte
	done := make(chan error, 1)
	go func() {
		typed, err := term.ReadPassword(terminal)
		line = typed
		done <- err
	}()
	select {
	case err := <-done:
		if errors.Is(err, io.EOF) {
			return "", context.Canceled // ctrl+d
		}
		return string(line), err
	case <-ctx.Done(): // what waits for the line ends with the program
		return "", ctx.Err()
	}
}
