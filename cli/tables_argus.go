package cli

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
	"github.com/sdcdesk/sdcdesk/engine/tables/tauargus"
)

// forTauArgus reports whether a path is that of a table of tau-Argus.
func forTauArgus(path string) bool { return strings.EqualFold(filepath.Ext(path), ".tab") }

// writeTauArgus writes a protected table for tau-Argus: the table, its description (.rda), and a hierarchy (.hrc) for
// each variable that has coarser codes. The files of suppressed cells hold no figure of them. All appear, or none.
func writeTauArgus(path string, t *publish.Table, options fileio.WriteOptions) error {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	staging := fileio.Staging{Options: options}
	defer staging.Discard()
	hierarchy := func(variable string) string {
		at := slices.IndexFunc(t.Trees, func(tree *tabular.Tree) bool { return tree.Variable == variable })
		if !slices.ContainsFunc(t.Trees[at].Nodes, func(n tabular.Node) bool { return n.Depth > 1 }) {
			return ""
		}
		return filepath.Base(stem) + "-" + wording.FileWord(variable, "-") + ".hrc"
	}
	file := tauargus.File{Table: t.Table, Name: t.ValueName(), Hidden: t.Suppressed, State: func(cell int) tauargus.State {
		if t.Suppressed(cell) {
			return tauargus.Unsafe
		}
		return tauargus.Safe
	}}
	if err := staging.Add(path, file.WriteTable); err != nil {
		return err
	}
	if err := staging.Add(stem+".rda", func(w io.Writer) error { return file.WriteDescription(w, hierarchy) }); err != nil {
		return err
	}
	for _, tree := range t.Trees {
		if name := hierarchy(tree.Variable); name != "" {
			err := staging.Add(filepath.Join(filepath.Dir(path), name), func(w io.Writer) error { return tauargus.WriteHierarchy(w, tree) })
			if err != nil {
				return err
			}
		}
	}
	return staging.Place()
}
