package cli

import (
	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
)

// scratchFlag is the folder of --scratch, and the store in it.
type scratchFlag struct{ store *store.Store }

// Set opens the store.
func (f *scratchFlag) Set(folder string) (err error) {
	f.store, err = store.New(folder)
	return err
}

// String returns the folder.
func (f *scratchFlag) String() string { return f.store.Folder() }

// Type says what help calls the value.
func (f *scratchFlag) Type() string { return "folder" }

// scratchOf returns the store of a command; nil: there is none.
func scratchOf(cmd *cobra.Command) *store.Store {
	if flag := cmd.Flags().Lookup("scratch"); flag != nil {
		return flag.Value.(*scratchFlag).store
	}
	return nil
}
