package audit

import (
	"github.com/sdcdesk/sdcdesk/engine/internal/modular"
	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// eliminated returns the system of the suppressed cells without those of tight sums, and the sums that are tight because of
// what is published alone: if 15 = 10 + 3 + x + y, and no cell is 0, x and y are 1.
func eliminated(e *tabular.Equations, suppressed func(cell int32) bool, least func(cell int) bool) (s *system, tight []Sum) {
	revealed := map[int32]bool{}
	for {
		s = newSystem(e, func(cell int32) bool { return suppressed(cell) && !revealed[cell] })
		s.least = least
		found := s.tight()
		s.eliminate()
		if found = append(found, s.tight()...); len(found) == 0 {
			return s, tight
		}
		if tight == nil {
			tight = found
		}
		for _, sum := range found {
			for _, a := range sum {
				revealed[int32(a.Cell)] = true
			}
		}
	}
}

// tight returns the equations whose cells all have their least values, and factors of the same sign.
func (s *system) tight() (tight []Sum) {
	for _, row := range s.rows {
		if sum := s.sum(row); len(sum) > 0 {
			tight = append(tight, sum)
		}
	}
	return tight
}

// sum returns an equation as a sum; nil: it is not tight.
func (s *system) sum(row []term) (sum Sum) {
	for _, t := range row {
		cell := int(s.cells[t.unknown])
		if s.least == nil || !s.least(cell) {
			return nil
		}
		sum = append(sum, Addend{cell, t.factor})
	}
	for _, t := range row {
		if modular.Fraction(t.factor) > 0 != (modular.Fraction(row[0].factor) > 0) {
			return nil
		}
	}
	return sum
}
