package publish

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
	"github.com/sdcdesk/sdcdesk/engine/tables/tauargus"
)

// WithPrior returns the definition with states from a file: those of an a priori file of tau-Argus (.hst), or the pattern of
// a protected table that was published earlier, as File has it. The suppressed cells of that table are preferred. If the
// table is published again, as a revision, its published cells are frozen, because they cannot be hidden any more. A state that
// the definition has already is kept. left counts lines of an .hst file that have no state. Errors wrap tabular.ErrDefinition
// or tauargus.ErrFile.
func WithPrior(d *microdata.TableDefinition, text string, revision bool) (with microdata.TableDefinition, left int, err error) {
	with = d.Clone()
	prior, is, err := published(text, d.By, revision)
	switch {
	case err == nil && !is && revision:
		err = fmt.Errorf("%w: a revision needs the published table, with the columns %s and status", tabular.ErrDefinition,
			wording.Excerpt(variablesOf(d.By)))
	case err == nil && !is:
		prior, left, err = tauargus.ReadPriors(text, len(d.By), d.Total)
	}
	if err != nil {
		return with, left, err
	}
	given := map[string]bool{}
	for _, s := range with.States {
		given[strings.Join(s.Codes, "\x00")] = true
	}
	for _, s := range prior {
		if !given[strings.Join(s.Codes, "\x00")] {
			with.States = append(with.States, s)
		}
	}
	return with, left, nil
}

func variablesOf(by []microdata.Spanning) string {
	var names []string
	for i := range by {
		names = append(names, by[i].Variable)
	}
	return strings.Join(names, ", ")
}

// published reads the pattern of a published table; ok is false for another file.
func published(text string, by []microdata.Spanning, revision bool) (states []microdata.CellState, ok bool, err error) {
	rows := csv.NewReader(strings.NewReader(text))
	head, err := rows.Read()
	if err != nil {
		return nil, false, nil
	}
	var places []int
	for i := range head {
		head[i] = unguarded(head[i])
	}
	for i := range by {
		places = append(places, slices.Index(head, by[i].Variable))
	}
	status := slices.Index(head, "status")
	if status < 0 || slices.Contains(places, -1) {
		return nil, false, nil
	}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return states, true, nil
		}
		if err != nil {
			return nil, true, fmt.Errorf("%w: the published table: %w", tabular.ErrDefinition, err)
		}
		state := microdata.StatePreferred
		switch {
		case row[status] == SuppressedMark:
		case revision:
			state = microdata.StateFrozen
		default:
			continue
		}
		var codes []string
		for _, at := range places {
			codes = append(codes, unguarded(row[at]))
		}
		states = append(states, microdata.CellState{Codes: codes, State: state})
	}
}

// unguarded returns a text without the apostrophe that files have before what a spreadsheet would take for a formula.
func unguarded(text string) string {
	if rest, marked := strings.CutPrefix(text, "'"); marked && strings.IndexAny(rest, "=+-@\t\r") == 0 {
		return rest
	}
	return text
}
