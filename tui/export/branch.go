package export

import (
	"io"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// branchExport writes the steps of a branch as a script.
type branchExport struct {
	dialogs.Narrow
	dialogs.Saving
	seeds bool
}

// NewBranch opens the dialog that writes the steps of a document as a script; branch
// is what they are called.
func NewBranch(doc session.Document, branch, path string) dialogs.Dialog {
	d := &branchExport{}
	d.Heading, d.Path = "Export the script of "+draw.Safe(branch), path
	d.Fields = []*dialogs.Field{
		d.PathField("The script repeats the steps up to the one under the cursor with: sdcdesk run."),
		dialogs.NewSwitch("with seeds", seedsHelp, &d.seeds),
	}
	d.Saving.Write = func(path string) (dialogs.Effect, error) {
		return dialogs.Write{Title: "writing " + filepath.Base(path), Path: path, Replace: d.Replace,
			Notice:  "script written to " + path,
			Content: func(w io.Writer) error { return doc.WriteScript(w, d.seeds) }}, nil
	}
	return d
}
