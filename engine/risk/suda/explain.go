package suda

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// explain explains a figure with counts, or with the MSUs of a record.
func (r *Result) explain(e *measure.Explanation, what *measure.FigureKey) {
	if what.Column != "" {
		r.explainRecord(e, what)
		return
	}
	u, p, d := wording.Number(r.U), wording.Number(r.P), r.Options.Fraction
	switch what.Value.Name {
	case "dis":
		e.Values = []string{fmt.Sprintf("U = %s, P = %s, d = %v", u, p, d),
			fmt.Sprintf("DIS = %s × %v / (%s × %v + %s × %v) = %s", u, d, u, d, p, plain(1-d), e.Value)}
	case "expected_dis":
		e.Values = []string{wording.Counted(r.Scored, "record") + " with a minimal sample unique",
			"DIS " + wording.Probability(r.Rate)}
	case "highest_score":
		e.Formula = "score of a record = sum over its MSUs of " + r.formula()
		e.Values = r.weightLines()
	default:
		e.Values = []string{fmt.Sprintf("%s, %s in pairs, %s", wording.Counted(r.U, "unique record"), p,
			wording.Counted(r.Scored, "record")+" with a minimal sample unique"),
			fmt.Sprintf("sets of up to %d of %d variables", r.Options.MaxSize, r.Variables)}
	}
}

// plain formats a share without the rounding error of a subtraction.
func plain(x float64) string { return strings.TrimRight(fmt.Sprintf("%.9f", x), "0") }

// formula returns the score of one MSU as text.
func (r *Result) formula() string {
	const sizes = "; s: number of variables of the MSU; q: number of key variables"
	if r.Options.Score == IHSN {
		return "(2^(q-s) - 1) s! (q-s)! / q!" + sizes
	}
	return "the product of q - i, i = s … M" + sizes
}

// weightLines lists the score of an MSU by size.
func (r *Result) weightLines() []string {
	lines := []string{fmt.Sprintf("q = %d key variables, M = %d", r.Variables, min(r.Options.MaxSize, r.Variables-1))}
	for size := 1; size <= r.Options.MaxSize; size++ {
		lines = append(lines, fmt.Sprintf("of %s: %s each", wording.Counted(size, "variable"),
			wording.Amount(r.weights[size])))
	}
	return lines
}

func (r *Result) explainRecord(e *measure.Explanation, what *measure.FigureKey) {
	key := int(r.table.Key(what.Record))
	msus := r.MSUs(key)
	bySize := make([]int, r.Variables+1)
	for _, set := range msus {
		bySize[bits.OnesCount64(set)]++
	}
	var parts []string
	for size, count := range bySize {
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%d × %s", count, wording.Amount(r.weights[size])))
		}
	}
	score := wording.Amount(r.scores[key])
	sum := "no minimal sample unique: score = " + score
	if len(parts) > 0 {
		sum = strings.Join(parts, " + ") + " = " + score
	}
	e.Name += " of record " + wording.Number(what.Record+1)
	switch what.Column {
	case "suda_score":
		e.Formula, e.Value = "sum over the MSUs of "+r.formula(), score
		e.Values = append(r.weightLines(), sum)
	case "suda_dis_score":
		e.Values = []string{sum, "without a minimal sample unique: DIS-SUDA = " + e.Value}
		if r.scores[key] > 0 {
			e.Values = r.disLines(key, score)
		}
	default:
		e.Values = sizeLines(bySize, e.Value)
	}
}

// sizeLines shows the sum over the MSUs of a record by size.
func sizeLines(bySize []int, sum string) (lines []string) {
	var counts []string
	for size, count := range bySize {
		if count > 0 {
			lines = append(lines, "of "+wording.Counted(size, "variable")+": "+wording.Number(count))
			counts = append(counts, wording.Number(count))
		}
	}
	if len(counts) < 2 {
		return append(lines, "= "+sum)
	}
	return append(lines, strings.Join(counts, " + ")+" = "+sum)
}

// disLines shows the formula of DIS-SUDA with the values of a record.
func (r *Result) disLines(key int, score string) []string {
	d := r.Options.Fraction
	odds := float64(r.P) * (1 - d) / d
	raised := math.Pow(r.scores[key], r.power()) * r.sum
	lines := []string{fmt.Sprintf("s = %s, Q = 1 + (8 - %d)/20 = %v", score, r.Variables, r.power()),
		fmt.Sprintf("U/DIS - U = P (1 - d)/d = %s × %s/%v = %s", wording.Number(r.P), plain(1-d), d, wording.Amount(odds))}
	if r.P == 0 {
		return append(lines, "1 / (1 + 0) = 1")
	}
	return append(lines, fmt.Sprintf("s^Q A = %.4f × %.4f = %s", raised/r.sum, r.sum, wording.Amount(raised)),
		fmt.Sprintf("1 / (1 + %s/%s) = %s", wording.Amount(odds), wording.Amount(raised), wording.Probability(r.dis[key])))
}
