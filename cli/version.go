package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/session"
)

// newVersionCommand returns "sdcdesk version".
func newVersionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program",
		Args:  takes(0, 0, "no name"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return show(cmd, false, nil, versionText()+"\n")
		},
	}
}

// versionText returns the version of the program and its platform.
func versionText() string {
	return fmt.Sprintf("sdcdesk %s %s/%s %s", session.ProgramVersion(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}
