package tauargus

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// states are those of cells that were set by hand, by the state of tau-Argus that means the same. A frozen cell is one
// that must be published.
var states = map[State]microdata.State{Safe: microdata.StateSafe, Unsafe: microdata.StateUnsafe, Protect: microdata.StateForced}

// WritePriors writes the cells of a table that were set by hand, apart from preferred ones, as an .hst file. Errors wrap ErrFile, or are those of w.
func WritePriors(w io.Writer, t *tabular.Table, cells []microdata.CellState) error {
	if err := usable(t); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for _, c := range cells {
		if c.State == microdata.StatePreferred {
			continue
		}
		state := Protect
		for argus, is := range states {
			if is == c.State {
				state = argus
			}
		}
		fmt.Fprintln(out, strings.Join(append(slices.Clone(c.Codes), string(state)), separator))
	}
	return out.Flush()
}

// ReadPriors reads the states of an .hst file for a table of some variables, in the order of its lines: codes, then "u",
// "s" or "p". left counts the lines with costs ("c") or protection levels ("pl") instead. Fields may be separated by
// semicolons, and a total may have the code total. Errors wrap ErrFile and name the line.
func ReadPriors(text string, variables int, total string) (cells []microdata.CellState, left int, err error) {
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		between := separator
		if !strings.Contains(line, between) {
			between = ";"
		}
		fields := strings.Split(line, between)
		for k := range fields {
			fields[k] = strings.Trim(strings.TrimSpace(fields[k]), `"`)
			if k < variables && fields[k] == total {
				fields[k] = tabular.Total
			}
		}
		if len(fields) <= variables {
			return nil, 0, fmt.Errorf("%w: line %d has %s; it needs a code of each of %d variables, and a state", ErrFile, i+1,
				wording.Counted(len(fields), "field"), variables)
		}
		kind := strings.ToLower(fields[variables])
		state, known := states[State(kind)]
		switch {
		case known && len(fields) == variables+1:
			cells = append(cells, microdata.CellState{Codes: fields[:variables], State: state})
		case kind == "c", kind == "pl":
			left++
		default:
			return nil, 0, fmt.Errorf("%w: line %d has %q; write u, s or p", ErrFile, i+1, wording.Excerpt(kind))
		}
	}
	return cells, left, nil
}
