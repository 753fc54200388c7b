package pram

import (
	"context"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/random"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// variable randomises one variable.
func (m *PRAM) variable(ctx context.Context, in method.Input, column *microdata.Column, parts *partition,
	meter *progress.Meter) (after *microdata.Column, report method.PRAMVariable, _ []string, err error) {
	fail := func(err error) (*microdata.Column, method.PRAMVariable, []string, error) {
		return nil, report, nil, err
	}
	categories := column.Categories()
	if err := m.suits(column.Name(), categories); err != nil {
		return fail(err)
	}
	households, err := householdsOf(in, column.Name())
	if err != nil {
		return fail(err)
	}
	seed := in.SeedFor(column)
	layout, err := m.layout(seed, column.Name(), categories, parts.forHouseholds(households))
	if err != nil {
		return fail(err)
	}
	codes := categories.Codes.Copy()
	shared := householdLeaders(households, layout.plan, categories.Codes)
	transitions, err := layout.plan.draw(ctx, codes, seed, column.Name(), shared.leaders, meter)
	if err != nil {
		return fail(err)
	}
	if report, err = layout.report(ctx, m, column.Name(), transitions, shared.together); err != nil {
		return fail(err)
	}
	warnings := append(layout.warnings, shared.parted(column.Name(), categories.Codes, codes)...)
	if report.Changed > 0 {
		column = column.WithCodes(codes)
	}
	return column.DrawnWith(in.Seed), report, warnings, ctx.Err()
}

// suits reports a variable that PRAM cannot be applied to.
func (m *PRAM) suits(name string, categories *microdata.Categories) error {
	switch occurring := categories.Occurring(); {
	case occurring > MaxLevels:
		return fmt.Errorf("%w: %q has %s; PRAM is for at most %s: merge categories or recode to intervals first",
			method.ErrInput, name, wording.Counted(occurring, "value"), wording.Number(MaxLevels))
	case occurring == 0:
		return fmt.Errorf("%w: %q has no values", method.ErrInput, name)
	case occurring == 1 && m.Form != FormMatrix:
		return fmt.Errorf("%w: %q has only one category, so no value can change", method.ErrInput, name)
	case m.Form == FormBand && !categories.Ordered:
		return fmt.Errorf("%w: the categories of %q have no order, which the form band needs; order them first (recode-order)", method.ErrInput, name)
	}
	for _, pair := range m.Forbid {
		for _, label := range pair {
			if _, ok := categories.CodeOf(label); !ok {
				return method.ParamError("\"forbid\": %q has no category %q", name, wording.Excerpt(label))
			}
		}
	}
	return nil
}

// layout has the matrices of a variable and their positions in its plan.
type layout struct {
	plan     *plan
	strata   []method.PRAMStratum // strata with at least two categories
	first    []int                // number of the first row of each stratum in the plan
	kept     int
	warnings []string
	low      int // number of matrices whose diagonal could not be made as low as required
}

// mostLow is the maximum number of such matrices named in a warning.
const mostLow = 3

// layout builds the matrices of all strata.
func (m *PRAM) layout(seed uint64, variable string, categories *microdata.Categories, parts *partition) (*layout,
	error) {
	width := len(categories.Levels) + 1
	counts, kept, err := parts.counts(categories.Codes, width)
	if err != nil {
		return nil, err
	}
	l := &layout{kept: kept, plan: &plan{parts: parts, width: width, row: make([]uint32, len(counts))}}
	single := 0
	for stratum, label := range parts.Labels {
		of := counts[stratum*width : (stratum+1)*width]
		codes, err := m.codes(variable, categories, of)
		if err != nil {
			return nil, err
		}
		if len(codes) < 2 {
			for _, code := range codes {
				l.kept += of[code]
				single++
			}
			continue
		}
		made := method.PRAMStratum{Stratum: label}
		low, err := m.fill(&made, categories, codes, of, seed, variable, stratum)
		if err != nil {
			return nil, err
		}
		if low != "" {
			if l.low++; l.low <= mostLow {
				l.warnings = append(l.warnings, where(variable, label)+": "+low)
			}
		}
		if err := l.add(made, stratum, codes); err != nil {
			return nil, fmt.Errorf("%q: %w", variable, err)
		}
	}
	return l, l.complete(variable, single)
}

// complete checks and completes the result for the strata.
func (l *layout) complete(variable string, single int) error {
	if len(l.strata) == 0 {
		return fmt.Errorf("%w: the records of %q that may change have fewer than two categories, so no value can change",
			method.ErrInput, variable)
	}
	if l.low > mostLow {
		l.warnings = append(l.warnings, fmt.Sprintf("%s: the same in %s more", variable, wording.CountedAs(l.low-mostLow,
			"stratum", "strata")))
	}
	if single > 0 {
		l.warnings = append(l.warnings, fmt.Sprintf("%s: %s with only one category are unchanged", variable,
			wording.CountedAs(single, "stratum", "strata")))
	}
	return nil
}

// where names a variable and, if there are strata, its stratum.
func where(variable string, stratum microdata.Combination) string {
	if stratum == nil {
		return variable
	}
	return variable + " in " + stratum.String()
}

// codes returns the categories of a matrix: those that occur, or those of the user-defined matrix.
func (m *PRAM) codes(variable string, categories *microdata.Categories, counts []int) ([]uint32, error) {
	var codes []uint32
	for code := 1; code < len(counts); code++ {
		if counts[code] > 0 {
			codes = append(codes, uint32(code))
		}
	}
	if m.Form != FormMatrix || len(m.Levels) == 0 || len(codes) == 0 {
		return codes, nil
	}
	named := make([]uint32, len(m.Levels))
	is := make(map[uint32]bool, len(named))
	for i, label := range m.Levels {
		code, ok := categories.CodeOf(label)
		if !ok {
			return nil, method.ParamError("\"levels\": %q has no category %q", variable, wording.Excerpt(label))
		}
		if is[code] {
			return nil, method.ParamError("\"levels\" names %q twice", label)
		}
		named[i], is[code] = code, true
	}
	for _, code := range codes {
		if !is[code] {
			return nil, method.ParamError("\"levels\": the matrix has no row for the category %q of %q",
				categories.Levels[code-1].Label, variable)
		}
	}
	return named, nil
}

// fill sets the categories, frequencies and matrix of a stratum.
func (m *PRAM) fill(s *method.PRAMStratum, categories *microdata.Categories, codes []uint32, counts []int, seed uint64,
	variable string, stratum int) (low string, err error) {
	places := make([]int, len(codes))
	for i, code := range codes {
		s.Levels = append(s.Levels, categories.Levels[code-1].Label)
		s.Before = append(s.Before, counts[code])
		s.Records += counts[code]
		places[i] = int(code)
	}
	if m.Form == FormMatrix {
		if len(m.Matrix) != len(codes) {
			return "", method.ParamError("\"matrix\" has %s; %s has %s: name them in \"levels\" if the matrix has others too",
				wording.Counted(len(m.Matrix), "row"), where(variable, s.Stratum),
				wording.CountedAs(len(codes), "category", "categories"))
		}
		if err := m.Matrix.Check(s.Levels); err != nil {
			return "", err
		}
	}
	stream := random.Stream(seed, purpose("diagonals", variable), stratum)
	s.Matrix, low, err = m.matrix(s.Levels, places, s.Before, stream)
	return low, err
}

// add adds a stratum to the plan.
func (l *layout) add(s method.PRAMStratum, stratum int, codes []uint32) error {
	p := l.plan
	if p.cells+len(codes)*len(codes) > maxCells {
		return fmt.Errorf("%w: the matrices of all strata have more than %s cells; use fewer strata, or merge categories first", method.ErrInput, wording.Number(maxCells))
	}
	l.strata, l.first = append(l.strata, s), append(l.first, len(p.rows))
	for i, code := range codes {
		p.rows = append(p.rows, newThresholds(s.Matrix[i], i, codes))
		p.row[stratum*p.width+int(code)] = uint32(len(p.rows))
		p.start, p.places = append(p.start, p.cells), append(p.places, i)
		p.cells += len(codes)
	}
	return nil
}

// report returns the report on a variable, given its transitions.
func (l *layout) report(ctx context.Context, m *PRAM, variable string, transitions []int, together map[uint32]int) (
	method.PRAMVariable, error) {
	out := method.PRAMVariable{Variable: variable, Condition: m.Condition.Canonical(), Kept: l.kept, Strata: l.strata}
	for i := range l.strata {
		if err := l.account(ctx, i, transitions, together); err != nil {
			return out, err
		}
		out.Records += l.strata[i].Records
		out.Changed += l.strata[i].Changed
	}
	return out, nil
}

// account sets the results of stratum i.
func (l *layout) account(ctx context.Context, i int, transitions []int, together map[uint32]int) error {
	s, n := &l.strata[i], len(l.strata[i].Levels)
	s.Transitions, s.After = make([][]int, n), make([]int, n)
	if together != nil {
		s.Together = make([]int, n)
	}
	for k := range n {
		row := l.first[i] + k
		s.Transitions[k] = transitions[l.plan.start[row]:][:n]
		if together != nil {
			s.Together[k] = together[uint32(row+1)]
		}
		for j, count := range s.Transitions[k] {
			s.After[j] += count
			if j != k {
				s.Changed += count
			}
		}
	}
	return estimate(ctx, s)
}
