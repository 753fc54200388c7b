package pages

import (
	"cmp"
	"path/filepath"

	"github.com/sdcdesk/sdcdesk/engine/base/store"
	"github.com/sdcdesk/sdcdesk/tui/dialogs"
)

// scratchField chooses the folder of temporary files for the records of a file larger than memory. Nothing is
// written before the file is read.
func (p *Import) scratchField() *dialogs.Field {
	return &dialogs.Field{Label: "scratch folder",
		Help: "Folder for temporary files with the records, unlinked and readable only by you, until the program ends. All " +
			"methods work as in memory. Empty: read the records into memory.",
		Hidden: func() bool { return p.large == nil && p.format.Scratch == nil },
		Value:  func() string { return cmp.Or(p.format.Scratch.Folder(), p.folder) },
		Typed: func(folder string) error {
			p.folder, p.format.Scratch = folder, nil
			return p.agree()
		}}
}

// agree opens the scratch folder, unless it is open.
func (p *Import) agree() (err error) {
	if p.folder != "" && p.format.Scratch == nil {
		p.format.Scratch, err = store.New(p.folder)
	}
	return err
}

// proposal explains reading into the scratch folder.
func (p *Import) proposal() string {
	text := p.large.Error() + "."
	if folder := cmp.Or(p.format.Scratch.Folder(), p.folder); folder != "" {
		text += " enter reads the records into temporary files of " + folder + ", which take about as much there."
	}
	return text
}

// proposed returns the default scratch folder: that of the file, because it already contains the records.
func proposed(path string) string { return filepath.Dir(path) }
