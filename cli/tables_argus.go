package cli

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/engine/tables/publish"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
	"github.com/sdcdesk/sdcdesk/engine/tables/tauargus"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// forTauArgus reports whether a path is that of a table of tau-Argus.
func forTauArgus(path string) bool { return strings.EqualFold(filepath.Ext(path), ".tab") }

// writeTauArgus writes a protected table for tau-Argus: the table, its description (.rda), and a hierarchy (.hrc) for
// each variable that has coarser codes, and the states that were set by hand (.hst). The files hold no figure of a
// suppressed cell, and with changed values no contributors. All appear, or none.
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
	file := tauargus.File{Table: t.Table, Name: t.ValueName(), Published: t.Published, Contributors: !t.Perturbs(), State: func(cell int) tauargus.State {
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
	if states := t.Definition.States; len(states) > 0 {
		err := staging.Add(stem+".hst", func(w io.Writer) error { return tauargus.WritePriors(w, t.Table, states) })
		if err != nil {
			return err
		}
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

// readPrior adds the states of an a priori file of tau-Argus, or the pattern of a published table, to the definition; states of
// --state replace them.
func (f *tablesFlags) readPrior(cmd *cobra.Command) error {
	switch {
	case f.revision && f.prior == "":
		return badUsage("--revision needs --prior FILE, the published table")
	case f.prior == "":
		return nil
	}
	text, err := fileio.ReadText(f.prior)
	if err != nil {
		return err
	}
	with, left, err := publish.WithPrior(&f.definition, text, f.revision)
	if left > 0 {
		cmd.PrintErrln("warning: " + draw.Safe(f.prior) + ": " + wording.Counted(left, "line") + " with costs or protection levels ignored")
	}
	f.definition = with
	return err
}
