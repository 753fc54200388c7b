package risk

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// The functions here return worked examples: formulas with numbers, ending in the displayed figure, "46.41 / 5,000
// = 0.9 %".

// part is a term of an explained sum.
type part struct {
	name    string
	order   float64
	records int
	amount  float64
}

// mostParts is the maximum number of terms of a sum that are listed separately.
const mostParts = 8

// parted groups the key patterns by their frequency f, rounded down to an integer, in ascending order. The last
// group also has all higher frequencies.
func (a *Assessment) parted(which func(key int) bool) []part {
	var parts []part
	at := map[float64]int{}
	for key, records := range a.table.Counts() {
		if !which(key) {
			continue
		}
		f := math.Floor(a.frequencies.Sample[key] + whole)
		i, ok := at[f]
		if !ok {
			i = len(parts)
			at[f], parts = i, append(parts, part{order: f})
		}
		parts[i].records += int(records)
		parts[i].amount += a.risks[key] * float64(records)
	}
	return gathered(parts, func(f float64, more bool) string {
		if more {
			return "f ≥ " + wording.Precise(f)
		}
		return "f = " + wording.Precise(f)
	})
}

// gathered sorts and names parts. Parts beyond mostParts are merged into the last.
func gathered(parts []part, name func(order float64, more bool) string) []part {
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.order, b.order) })
	if len(parts) > mostParts {
		rest := &parts[mostParts-1]
		for _, p := range parts[mostParts:] {
			rest.records += p.records
			rest.amount += p.amount
		}
		parts = parts[:mostParts]
		rest.name = name(rest.order, true)
	}
	for i := range parts {
		if parts[i].name == "" {
			parts[i].name = name(parts[i].order, false)
		}
	}
	return parts
}

// summed formats one line for each part and a line with their sum.
func summed(parts []part, amount func(p *part) string, what func(p *part) string, sum string) []string {
	var lines, terms []string
	for i := range parts {
		p := &parts[i]
		lines, terms = append(lines, p.name+": "+what(p)), append(terms, amount(p))
	}
	switch len(parts) {
	case 0:
		return []string{"none: " + sum}
	case 1:
		return append(lines, "= "+sum)
	}
	return append(lines, strings.Join(terms, " + ")+" = "+sum)
}

// term formats the amount of a part with four decimals, like all terms of its sum.
func term(p *part) string { return wording.Thousands(strconv.FormatFloat(p.amount, 'f', 4, 64)) }

// violatorSteps shows the violators of k by frequency.
func (a *Assessment) violatorSteps(k int, sum string) []string {
	parts := a.parted(func(key int) bool { return a.frequencies.Violates(key, k) })
	records := func(p *part) string { return wording.Number(p.records) }
	return summed(parts, records, func(p *part) string { return wording.Counted(p.records, "record") }, sum)
}

// expectedSteps shows the sum of the risks by frequency.
func (a *Assessment) expectedSteps() []string {
	parts := a.parted(func(int) bool { return true })
	return summed(parts, term, func(p *part) string {
		return fmt.Sprintf("%s, mean risk %.6f, sum %s", wording.Counted(p.records, "record"), p.amount/float64(p.records),
			term(p))
	}, wording.Amount(a.Expected))
}

// householdSteps shows the sum of the household risks by household size.
func (a *Assessment) householdSteps() []string {
	var parts []part
	at := map[int]int{}
	for h := range a.Households.risks {
		members := a.index.Members(h)
		i, ok := at[members]
		if !ok {
			i = len(parts)
			at[members], parts = i, append(parts, part{order: float64(members)})
		}
		parts[i].records += members
		parts[i].amount += a.Households.risks[h] * float64(members)
	}
	parts = gathered(parts, func(members float64, more bool) string {
		if more {
			return "households of ≥ " + wording.Counted(int(members), "member")
		}
		return "households of " + wording.Counted(int(members), "member")
	})
	return summed(parts, term, func(p *part) string {
		return fmt.Sprintf("%s, sum of the risks %s", wording.Counted(p.records, "record"), term(p))
	}, wording.Amount(a.Households.Expected))
}

// sizeSteps shows the number of members of households with a unique size.
func (a *Assessment) sizeSteps() []string {
	var parts []part
	for members, households := range a.index.Sizes() {
		if households == 1 {
			parts = append(parts, part{order: float64(members), records: members})
		}
	}
	parts = gathered(parts, func(members float64, more bool) string {
		if more {
			return "the larger ones"
		}
		return "one household"
	})
	records := func(p *part) string { return wording.Number(p.records) }
	return summed(parts, records, func(p *part) string { return wording.Counted(p.records, "member") },
		wording.Number(a.index.SingledOut()))
}

// memberSteps shows the product of the probabilities that no member of a household is re-identified.
func (a *Assessment) memberSteps(h int) []string {
	var lines, factors []string
	none, members := 1.0, a.index.Members(h)
	for i := range members {
		record := a.index.Member(h, i)
		if i < mostParts {
			name := nameOf(record)
			lines = append(lines, fmt.Sprintf("%s: r = %s", name, wording.Precise(a.Risk(record))))
			factors = append(factors, fmt.Sprintf("(1 - %s)", wording.Precise(a.Risk(record))))
			continue
		}
		none *= 1 - a.Risk(record)
	}
	if more := members - mostParts; more > 0 {
		lines = append(lines, fmt.Sprintf("%s more: the product of their 1 - r is %s", wording.Number(more),
			wording.Precise(none)))
		factors = append(factors, wording.Precise(none))
	}
	return append(lines, fmt.Sprintf("r_h = 1 - %s = %.6f", strings.Join(factors, " × "), a.Households.risks[h]))
}

// sampleSteps shows the components of f.
func (e *Explanation) sampleSteps() []string {
	lines := []string{"identical, including the record itself: " + wording.Number(e.Identical),
		"compatible without missing values: " + wording.Number(e.Complete),
		"compatible with missing values: " + wording.Number(e.Incomplete)}
	rest := e.Sample - float64(e.Identical)
	switch part := rest - float64(e.Complete); {
	case e.Complete+e.Incomplete == 0 || rest == 0:
		return append(lines, fmt.Sprintf("f = %s", wording.Precise(e.Sample)))
	case e.Alpha != 1 && math.Abs(part-e.Alpha*float64(e.Incomplete)) < whole:
		return append(lines, fmt.Sprintf("f = %d + %d + %v × %d = %s", e.Identical, e.Complete, e.Alpha, e.Incomplete,
			wording.Precise(e.Sample)))
	default:
		return append(lines, fmt.Sprintf("f = %d + %d + %s = %s, as the rule counts those with missing values", e.Identical,
			e.Complete, wording.Precise(part), wording.Precise(e.Sample)))
	}
}

// worked shows the formula of the record's risk with values and its result.
func (e *Explanation) worked() []string {
	lines := e.Steps()
	lines[len(lines)-1] += fmt.Sprintf(" = %.6f", e.Risk)
	return lines
}

// recordOf returns the first record of a key pattern.
func (a *Assessment) recordOf(key int) int {
	for row, k := range a.table.RowKeys() {
		if int(k) == key {
			return row
		}
	}
	return -1
}
