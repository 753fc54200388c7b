// Package tauargus writes and reads the files of tau-Argus: a table (.tab) with its description (.rda), hierarchies (.hrc)
// and the states of cells (a priori files, .hst).
//
// Source: P.-P. de Wolf et al., tau-ARGUS User's Manual, version 4.1, 2014, sections 4.1 and 5.1.
//
//	err := file.WriteTable(w)
//	states, left, err := tauargus.ReadPriors(text, variables, total)
package tauargus

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// ErrFile is wrapped by errors about what a file of tau-Argus has, or cannot have.
var ErrFile = errors.New("no file for tau-Argus")

// Mark is the character that an .hrc file repeats for each level.
const Mark = "@"

// State is what tau-Argus knows of a cell.
type State string

// States of cells.
const (
	Safe    State = "s"
	Unsafe  State = "u"
	Protect State = "p" // it must be published
)

// File is a protected table for tau-Argus.
type File struct {
	Table        *tabular.Table
	Name         string // of the response
	State        func(cell int) State
	Published    func(cell int) (value float64, ok bool) // ok is false if the figures of a cell are left out
	Contributors bool                                    // the file has the number of contributors
}

// separator is between the fields of all files; tau-Argus knows no quotes.
const separator = ","

// usable returns an error for a code that a file cannot hold.
func usable(t *tabular.Table) error {
	for _, tree := range t.Trees {
		for i := range tree.Nodes {
			code := tree.Nodes[i].Code
			if strings.ContainsAny(code, separator+"\"\r\n") || strings.HasPrefix(code, Mark) || strings.TrimSpace(code) != code {
				return fmt.Errorf("%w: code %q of %s has a comma, a quote, a line break, a space at an end or %s at the start",
					ErrFile, wording.Excerpt(code), tree.Variable, Mark)
			}
		}
	}
	return nil
}

// number returns a number without exponent.
func number(x float64) string { return strconv.FormatFloat(tabular.Rounded(x), 'f', -1, 64) }

// WriteTable writes the .tab file: the codes of each cell, its value, contributors if the file has them, and state.
// Errors wrap ErrFile, or are those of w.
func (f *File) WriteTable(w io.Writer) error {
	if err := usable(f.Table); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for at := range f.Table.Cells {
		text, n := "", ""
		if value, ok := f.Published(at); ok {
			text, n = number(value), strconv.Itoa(f.Table.Cells[at].N)
		}
		fields := append(f.Table.Codes(at), text)
		if f.Contributors {
			fields = append(fields, n)
		}
		fmt.Fprintln(out, strings.Join(append(fields, string(f.State(at))), separator))
	}
	return out.Flush()
}

// WriteDescription writes the .rda file. hierarchy gives the name of the .hrc file of a variable. Errors are those of w.
func (f *File) WriteDescription(w io.Writer, hierarchy func(variable string) string) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "   <SEPARATOR> %q\n   <SAFE> %q\n   <UNSAFE> %q\n   <PROTECT> %q\n", separator, Safe, Unsafe, Protect)
	for _, tree := range f.Table.Trees {
		fmt.Fprintf(out, "%s\n  <RECODEABLE>\n  <TOTCODE> %q\n", tree.Variable, tabular.Total)
		if deep(tree) {
			fmt.Fprintf(out, "  <HIERARCHICAL>\n  <HIERCODELIST> %q\n  <HIERLEADSTRING> %q\n", hierarchy(tree.Variable), Mark)
		}
	}
	fmt.Fprintf(out, "%s\n  <NUMERIC>\n  <DECIMALS> %d\n", f.Name, f.decimals())
	if f.Contributors {
		fmt.Fprint(out, "frequency\n  <FREQUENCY>\n")
	}
	fmt.Fprint(out, "status\n  <STATUS>\n")
	return out.Flush()
}

// deep reports whether a tree has more than a total and its parts.
func deep(tree *tabular.Tree) bool {
	for i := range tree.Nodes {
		if tree.Nodes[i].Depth > 1 {
			return true
		}
	}
	return false
}

// decimals returns how many the published values have.
func (f *File) decimals() int {
	most := 0
	for at := range f.Table.Cells {
		value, _ := f.Published(at)
		if _, after, has := strings.Cut(number(value), "."); has {
			most = max(most, len(after))
		}
	}
	return most
}

// WriteHierarchy writes the .hrc file of a tree, which tabular.ReadLevels reads. Errors are those of w.
func WriteHierarchy(w io.Writer, tree *tabular.Tree) error {
	out := bufio.NewWriter(w)
	var write func(node int)
	write = func(node int) {
		n := &tree.Nodes[node]
		if node > 0 {
			fmt.Fprintln(out, strings.Repeat(Mark, n.Depth-1)+n.Code)
		}
		for _, child := range n.Children {
			write(child)
		}
	}
	write(0)
	return out.Flush()
}
