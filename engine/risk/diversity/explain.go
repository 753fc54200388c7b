package diversity

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// mostListed is the maximum number of values listed in an explanation.
const mostListed = 12

// values lists the values of a key pattern with their numbers of records, most frequent first, and returns these
// numbers.
func (s *Spread) values(key int) (listed string, counts []int) {
	codes, count := s.Of(key)
	order := stat.InOrder(len(codes))
	slices.SortStableFunc(order, func(a, b uint32) int { return count[b] - count[a] })
	var parts []string
	for _, i := range order {
		label := "missing"
		if codes[i] != 0 {
			label = s.Levels[codes[i]-1].Label
			counts = append(counts, count[i])
		}
		parts = append(parts, fmt.Sprintf("%s %s", label, wording.Number(count[i])))
	}
	if more := len(parts) - mostListed; more > 0 {
		parts = append(parts[:mostListed], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", "), counts
}

// explain explains one kind of l-diversity of a key pattern. It adds no formula if kind is unknown.
func (d *Diversity) explain(e *measure.Explanation, kind string, key int) {
	listed, counts := d.Spread.values(key)
	records := d.Spread.Table.Counts()[key]
	e.Values = []string{wording.Counted(records, "record") + " with this key pattern: " + listed}
	switch kind {
	case "distinct":
		e.Formula = "number of distinct values, plus one if some but not all are missing"
		e.Values = append(e.Values, "l = "+e.Value)
	case "entropy":
		e.Value = fmt.Sprintf("%.4f", d.Entropy[key])
		e.Formula = "exp(sum of s ln(1/s)), s the share of each value"
		sum := terms{}
		_, count := d.Spread.Of(key)
		for _, n := range count {
			share := wording.Number(int(n)) + "/" + wording.Number(records)
			sum.add(share+" × ln(1 / ("+share+"))", float64(n)/float64(records)*math.Log(float64(records)/float64(n)))
		}
		lines, written := sum.lines()
		e.Values = append(append(e.Values, lines...), "l = exp("+written+") = "+e.Value)
	case "recursive":
		e.Formula = fmt.Sprintf("the largest l such that r1 < c (r_l + ... + r_m), c = %v, where r are the record counts of the values in "+
			"descending order; at least 1", d.C)
		if l := int(d.Recursive[key]); len(counts) > 0 {
			e.Values = append(e.Values, d.recursiveSteps(counts, l)...)
		}
		e.Values = append(e.Values, "l = "+e.Value)
	}
}

// recursiveSteps compares the most frequent value with the sum from place l on, for which the condition holds, and
// with the sum from the next place on, for which it does not.
func (d *Diversity) recursiveSteps(counts []int, l int) (steps []string) {
	c := strconv.FormatFloat(d.C, 'g', -1, 64)
	for place := l; place <= min(l+1, len(counts)); place++ {
		rest, sum := 0, terms{}
		for _, n := range counts[place-1:] {
			rest += int(n)
			sum.add(wording.Number(int(n)), float64(n))
		}
		lines, written := sum.lines()
		steps = append(steps, lines...)
		product := d.C * float64(rest)
		below := "is below"
		if float64(counts[0]) >= product {
			below = "is not below"
		}
		steps = append(steps, fmt.Sprintf("from place %d on: r1 = %s %s %s × (%s) = %s", place,
			wording.Number(counts[0]), below, c, written, wording.Precise(product)))
	}
	if l == len(counts) {
		steps = append(steps, fmt.Sprintf("there is no place %d", l+1))
	}
	return steps
}

// explain explains the distance of a key pattern.
func (c *Closeness) explain(e *measure.Explanation, key int) {
	s := c.Spread
	listed, _ := s.values(key)
	e.Value = fmt.Sprintf("%.4f", c.Distance[key])
	e.Values = []string{wording.Counted(s.Table.Counts()[key], "record") + " with this key pattern: " + listed}
	total := 0
	for code, n := range s.Counts {
		if code > 0 || !s.Ordered {
			total += n
		}
	}
	codes, count := s.Of(key)
	records := 0
	for i, code := range codes {
		if code > 0 || !s.Ordered {
			records += count[i]
		}
	}
	if s.Ordered {
		e.Formula = "sum over the steps between values of |cumulative share in the key pattern - cumulative share in the file|, " +
			"divided by the number of steps"
	} else {
		e.Formula = "half the sum over the values of |share in the key pattern - share in the file|"
	}
	for i, code := range codes[:min(len(codes), mostListed)] {
		label := "missing"
		if code > 0 {
			label = s.Levels[code-1].Label
		} else if s.Ordered {
			continue
		}
		e.Values = append(e.Values, fmt.Sprintf("%s: %d of %d here, %s of %s in the file", label, count[i], records,
			wording.Number(s.Counts[code]), wording.Number(total)))
	}
	lines, sum := c.terms(key).lines()
	e.Values = append(e.Values, lines...)
	by := 2
	if s.Ordered {
		by = max(1, s.occurring()-1)
	}
	e.Values = append(e.Values, fmt.Sprintf("distance = (%s) / %s = %s", sum, wording.Number(by), e.Value))
}

// occurring returns the number of values that occur, excluding missing.
func (s *Spread) occurring() (values int) {
	for _, n := range s.Counts[1:] {
		if n > 0 {
			values++
		}
	}
	return values
}

// terms returns the differences of shares whose sum is the distance of a key pattern. For a nominal variable there
// is one for each value, with the values that the key pattern lacks combined; for an ordered variable there is one
// for each value but the last, of cumulative shares.
func (c *Closeness) terms(key int) *terms {
	s := c.Spread
	here := make([]int, len(s.Counts))
	codes, count := s.Of(key)
	for i, code := range codes {
		here[code] = count[i]
	}
	records, total := 0, 0
	for code, n := range s.Counts {
		if code > 0 || !s.Ordered {
			records, total = records+here[code], total+n
		}
	}
	sum := &terms{}
	if !s.Ordered {
		lacking := 0
		for code, n := range s.Counts {
			if here[code] > 0 {
				sum.difference(here[code], records, n, total)
			} else {
				lacking += n
			}
		}
		sum.add(wording.Number(lacking)+"/"+wording.Number(total), float64(lacking)/float64(total))
		return sum
	}
	upTo, ofFile := 0, 0
	for code, n := range s.Counts {
		if code == 0 || n == 0 || ofFile+n == total {
			continue
		}
		upTo, ofFile = upTo+here[code], ofFile+n
		sum.difference(upTo, records, ofFile, total)
	}
	return sum
}

// terms formats the terms of a sum, several in a line.
type terms struct {
	texts   []string
	amounts []float64
}

const (
	perLine  = 6   // terms per line
	mostSums = 200 // maximum number of terms listed; the rest is one number
)

func (t *terms) add(text string, amount float64) {
	t.texts, t.amounts = append(t.texts, text), append(t.amounts, amount)
}

// difference adds the absolute difference of two shares, the greater first.
func (t *terms) difference(a, of, b, from int) {
	x, y := wording.Number(a)+"/"+wording.Number(of), wording.Number(b)+"/"+wording.Number(from)
	amount := float64(a)/float64(of) - float64(b)/float64(from)
	if amount < 0 {
		x, y, amount = y, x, -amount
	}
	t.add("("+x+" - "+y+")", amount)
}

// lines formats the sum. If it does not fit into one line, each line has a subtotal, and the last line adds these
// up.
func (t *terms) lines() (lines []string, sum string) {
	if len(t.texts) == 0 {
		return nil, "0"
	}
	if len(t.texts) <= perLine {
		return nil, strings.Join(t.texts, " + ")
	}
	var parts []string
	part := func(from, to int) {
		total := 0.0
		for _, amount := range t.amounts[from:to] {
			total += amount
		}
		spelled := wording.Precise(total)
		if parts = append(parts, spelled); from < mostSums {
			lines = append(lines, strings.Join(t.texts[from:to], " + ")+" = "+spelled)
		} else {
			lines = append(lines, fmt.Sprintf("the other %s: %s", wording.Counted(to-from, "term"), spelled))
		}
	}
	for from := 0; from < min(len(t.texts), mostSums); from += perLine {
		part(from, min(from+perLine, len(t.texts), mostSums))
	}
	if len(t.texts) > mostSums {
		part(mostSums, len(t.texts))
	}
	return lines, strings.Join(parts, " + ")
}
