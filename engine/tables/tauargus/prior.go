package tauargus

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Prior is what an a priori file says of a cell.
type Prior struct {
	Cell         int
	State        State // "": the file does not say
	Cost         *float64
	Lower, Upper *float64 // protection levels
}

// WritePriors writes an .hst file. Errors wrap ErrFile, or are those of w.
func WritePriors(w io.Writer, t *tabular.Table, priors []Prior) error {
	if err := usable(t); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	for _, p := range priors {
		line := strings.Join(t.Codes(p.Cell), separator) + separator
		if p.State != "" {
			fmt.Fprintln(out, line+string(p.State))
		}
		if p.Cost != nil {
			fmt.Fprintln(out, line+"c"+separator+number(*p.Cost))
		}
		if p.Lower != nil && p.Upper != nil {
			fmt.Fprintln(out, line+"pl"+separator+number(*p.Lower)+separator+number(*p.Upper))
		}
	}
	return out.Flush()
}

// ReadPriors reads an .hst file, in the order of its lines: codes, then "u", "s" or "p", or "c" and the cost, or "pl" and
// the protection levels. Fields may be separated by semicolons, and a total may have the code total. Errors wrap
// ErrFile and name the line.
func ReadPriors(t *tabular.Table, text, total string) ([]Prior, error) {
	var priors []Prior
	for i, line := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		p, err := readPrior(t, line, total)
		if err != nil {
			return nil, fmt.Errorf("%w: line %d %w", ErrFile, i+1, err)
		}
		priors = append(priors, p)
	}
	return priors, nil
}

// readPrior reads a line.
func readPrior(t *tabular.Table, line, total string) (p Prior, err error) {
	between := separator
	if !strings.Contains(line, between) {
		between = ";"
	}
	fields := strings.Split(line, between)
	for i := range fields {
		fields[i] = strings.Trim(strings.TrimSpace(fields[i]), `"`)
	}
	if len(fields) <= len(t.Trees) {
		return p, fmt.Errorf("has %s; it needs a code of each of %d variables, and what is known of the cell",
			wording.Counted(len(fields), "field"), len(t.Trees))
	}
	var nodes []int
	for d, tree := range t.Trees {
		node, ok := tree.Find(fields[d])
		if fields[d] == total {
			node, ok = 0, true
		}
		if !ok {
			return p, fmt.Errorf("has code %q, which %s does not have", wording.Excerpt(fields[d]), tree.Variable)
		}
		nodes = append(nodes, node)
	}
	p.Cell = t.Cell(nodes...)
	return p, p.know(fields[len(t.Trees)], fields[len(t.Trees)+1:])
}

// know sets what a line says of its cell.
func (p *Prior) know(kind string, numbers []string) error {
	var values []float64
	for _, text := range numbers {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("has %q where a number must be", wording.Excerpt(text))
		}
		values = append(values, x)
	}
	switch kind = strings.ToLower(kind); {
	case len(values) == 0 && (kind == string(Safe) || kind == string(Unsafe) || kind == string(Protect)):
		p.State = State(kind)
	case len(values) == 1 && kind == "c":
		p.Cost = &values[0]
	case len(values) == 2 && kind == "pl":
		p.Lower, p.Upper = &values[0], &values[1]
	default:
		return fmt.Errorf("has %q with %s; write u, s, p, c and a cost, or pl and two levels", wording.Excerpt(kind),
			wording.Counted(len(values), "number"))
	}
	return nil
}
