package export

import (
	"io"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/method"
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
	const label, help = "with seeds", "Write the seeds of random methods: whoever has them can undo the perturbation."
	d.Fields = []*dialogs.Field{
		d.PathField("The script repeats the steps up to the one under the cursor with: sdcdesk run."),
		{Label: label, Help: help, Value: method.Switch(&d.seeds, label, help).Value.String,
			Change: func(int) { d.seeds = !d.seeds }},
	}
	d.Saving.Write = func(path string) (dialogs.Effect, error) {
		return dialogs.Write{Title: "writing " + filepath.Base(path), Path: path, Replace: d.Replace,
			Notice:  "script written to " + path,
			Content: func(w io.Writer) error { return doc.WriteScript(w, d.seeds) }}, nil
	}
	return d
}
