package cli

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/session/bundle"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

// areBundles reports whether both arguments are folders; only one folder is an error.
func areBundles(args []string) (bool, error) {
	folders := 0
	for _, path := range args {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			folders++
		}
	}
	if folders == 1 {
		return false, badUsage("a release can be compared only with another release: name two folders, or two scripts")
	}
	return folders == 2, nil
}

// compareBundles prints what two bundles reveal together.
func compareBundles(ctx context.Context, cmd *cobra.Command, args []string, o bundle.VerifyOptions, asJSON bool) error {
	r, err := bundle.Compare(ctx, [2]string{args[0], args[1]}, o)
	if err != nil {
		return otherVersion(err)
	}
	return show(cmd, asJSON, newRevisionObject(r), revisionText(r))
}

// revisionObject is what two bundles reveal together, in JSON.
type revisionObject struct {
	A         string          `json:"a"`
	B         string          `json:"b"`
	Compared  int             `json:"records_compared"`
	Differing int             `json:"records_that_differ"`
	OnlyA     int             `json:"records_only_in_a"`
	OnlyB     int             `json:"records_only_in_b"`
	Variables []revisedObject `json:"variables"`
	Random    []string        `json:"random_identifiers"`
	Union     *unionObject    `json:"both_releases"`
}

type revisedObject struct {
	Name  string `json:"variable"`
	InA   bool   `json:"in_a"`
	InB   bool   `json:"in_b"`
	OnlyA int    `json:"cells_only_in_a"`
	OnlyB int    `json:"cells_only_in_b"`
	Other int    `json:"cells_with_another_value"`
}

func newRevisionObject(r *bundle.Revision) revisionObject {
	object := revisionObject{r.A, r.B, r.Compared, r.Differing, r.OnlyA, r.OnlyB, []revisedObject{},
		append([]string{}, r.Random...), newUnionObject(r.Union)}
	for _, v := range r.Variables {
		object.Variables = append(object.Variables, revisedObject{v.Name, v.InA, v.InB, v.OnlyA, v.OnlyB, other(v)})
	}
	return object
}

// other counts the cells with different values in both.
func other(v session.VariableOfTwo) int { return v.Cells - v.OnlyA - v.OnlyB }

// revisionText returns the comparison of two bundles as a table.
func revisionText(r *bundle.Revision) string {
	lines := []string{draw.Safe(r.Sentence())}
	if len(r.Random) > 0 {
		lines = append(lines, draw.Safe("not compared because their values are random IDs: "+strings.Join(r.Random, ", ")))
	}
	table := [][]string{{"variable", "only in A", "only in B", "another value"}}
	for _, v := range r.Variables {
		switch {
		case !v.InA:
			table = append(table, []string{v.Name, "", "whole variable", ""})
		case !v.InB:
			table = append(table, []string{v.Name, "whole variable", "", ""})
		default:
			table = append(table, []string{v.Name, wording.Number(v.OnlyA), wording.Number(v.OnlyB), wording.Number(other(v))})
		}
	}
	if len(table) > 1 {
		lines = append(append(lines, ""), draw.Aligned(table, nil, 0)...)
		lines = append(lines, "", "An intruder who has both releases knows these cells of A and of B.")
	}
	lines = append(append(lines, ""), unionLines(r.Union)...)
	return strings.Join(lines, "\n") + "\n"
}
