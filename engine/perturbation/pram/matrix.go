package pram

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// square returns an n by n matrix of zeros.
func square(n int) [][]float64 {
	cells := make([]float64, n*n)
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = cells[i*n : (i+1)*n : (i+1)*n]
	}
	return rows
}

// rest sets the diagonal of a row so that it sums to 1.
func rest(row []float64, i int) {
	sum := 0.0
	for j, p := range row {
		if j != i {
			sum += p
		}
	}
	row[i] = math.Max(0, 1-sum)
}

// matrix returns the transition matrix for the categories with the given labels, indices and numbers of records.
// places are indices in the whole variable, which define bands. low describes a mean diagonal that could not be
// made as low as required. r is used for random diagonals only.
func (m *PRAM) matrix(labels []string, places, counts []int, r *rand.Rand) (rows [][]float64, low string, err error) {
	forbidden, err := m.forbidden(labels)
	if err != nil {
		return nil, "", err
	}
	switch m.Form {
	case FormMatrix:
		return m.Matrix, "", nil
	case FormBand, FormEqual:
		return m.spread(places, forbidden), "", nil
	}
	rows = invariant(counts, m.diagonals(len(labels), r), m.Alpha)
	if forbidden == nil {
		return rows, "", nil
	}
	if mean, reached := restrict(rows, forbidden); reached > mean+1e-9 {
		low = fmt.Sprintf("the mean probability to stay is %.3f, not %.3f: with these forbidden transitions it cannot be lower", reached, mean)
	}
	return rows, low, nil
}

// diagonals returns the diagonal probabilities before mixing.
func (m *PRAM) diagonals(n int, r *rand.Rand) []float64 {
	diagonals := make([]float64, n)
	for i := range diagonals {
		diagonals[i] = m.PD
		if m.Diagonal == DiagonalDrawn {
			diagonals[i] += float64((1 - m.PD) * r.Float64())
		}
	}
	return diagonals
}

// spread returns the matrix with pd on the diagonal and the rest spread evenly over the reachable categories, for
// the form band those within the band. A category that can reach no other keeps probability 1.
func (m *PRAM) spread(places []int, forbidden [][]bool) [][]float64 {
	rows := square(len(places))
	for i, row := range rows {
		var reached []int
		for j := range row {
			near := m.Form != FormBand || max(places[i]-places[j], places[j]-places[i]) <= m.Band
			if j != i && near && (forbidden == nil || !forbidden[i][j]) {
				reached = append(reached, j)
			}
		}
		for _, j := range reached {
			row[j] = (1 - m.PD) / float64(len(reached))
		}
		rest(row, i)
	}
	return rows
}

// forbidden returns the forbidden transitions, or nil if there are none. Labels that do not occur in this matrix
// are ignored, because they were checked for the whole variable.
func (m *PRAM) forbidden(labels []string) ([][]bool, error) {
	if len(m.Forbid) == 0 {
		return nil, nil
	}
	place := placesOf(labels)
	forbidden := make([][]bool, len(labels))
	for i := range forbidden {
		forbidden[i] = make([]bool, len(labels))
	}
	for _, pair := range m.Forbid {
		if pair[0] == pair[1] {
			return nil, method.ParamError("\"forbid\": a value always may stay; %q is named as both ends of a transition",
				pair[0])
		}
		a, isA := place[pair[0]]
		b, isB := place[pair[1]]
		if isA && isB {
			forbidden[a][b], forbidden[b][a] = true, true
		}
	}
	return forbidden, nil
}

// placesOf returns the index of each label.
func placesOf(labels []string) map[string]int {
	place := make(map[string]int, len(labels))
	for i, label := range labels {
		place[label] = i
	}
	return place
}

// invariant returns alpha R + (1-alpha) I with R = PQ, where P has the diagonal d and (1-d)/(L-1) elsewhere, and
// Q_kj = P_jk t_j / sum_i P_ik t_i for the frequencies t. All counts must be positive, and there must be at least
// two.
//
// With o_k = (1-d_k)/(L-1) and s_m = sum_i P_im t_i, for j other than k
//
//	R_kj = t_j S_kj with S_kj = sum_m P_km P_jm / s_m
//	     = d_k o_j / s_k + o_k d_j / s_j + o_k o_j (sum of 1/s_m over the others).
//
// S is symmetric, hence t'R = t', and no matrix product is needed. The sum over the others is computed by
// addition, not by subtraction from the total, because one rare category can make up nearly all of it.
func invariant(counts []int, d []float64, alpha float64) [][]float64 {
	n := len(counts)
	t, o := frequencies(counts), make([]float64, n)
	for i := range o {
		o[i] = (1 - d[i]) / float64(n-1)
	}
	arriving := make([]float64, n) // s_m
	left, right := 0.0, 0.0
	for m := range n {
		arriving[m] += float64(d[m]*t[m]) + left
		left += float64(o[m] * t[m])
		arriving[n-1-m] += right
		right += float64(o[n-1-m] * t[n-1-m])
	}
	inverse, after := make([]float64, n), make([]float64, n+1) // 1/s_m, and its suffix sums
	for m := n - 1; m >= 0; m-- {
		if arriving[m] > 0 { // otherwise nothing becomes m
			inverse[m] = 1 / arriving[m]
		}
		after[m] = after[m+1] + inverse[m]
	}
	rows := square(n)
	before := 0.0
	for k := range rows {
		between := 0.0
		for j := k + 1; j < n; j++ {
			others := before + between + after[j+1]
			both := float64(d[k]*o[j]*inverse[k]) + float64(o[k]*d[j]*inverse[j]) + float64(o[k]*o[j]*others)
			rows[k][j], rows[j][k] = float64(alpha*t[j])*both, float64(alpha*t[k])*both
			between += inverse[j]
		}
		before += inverse[k]
	}
	for k, row := range rows {
		rest(row, k)
	}
	return rows
}

// frequencies returns counts as shares of their sum.
func frequencies(counts []int) []float64 {
	sum := 0.0
	for _, count := range counts {
		sum += float64(count)
	}
	shares := make([]float64, len(counts))
	for i, count := range counts {
		shares[i] = float64(count) / sum
	}
	return shares
}

// restrict removes the forbidden transitions from an invariant matrix and keeps it invariant: with s_ij = t_i
// r_ij, symmetric and 0 if forbidden, the remaining transitions become c s_ij / t_i, where c restores the mean
// diagonal of the matrix. If a row would then exceed 1, c is the largest possible value, and reached is above
// mean.
func restrict(rows [][]float64, forbidden [][]bool) (mean, reached float64) {
	moved, most := 0.0, 0.0
	for i, row := range rows {
		mean += row[i]
		sum := 0.0
		for j := range row {
			switch {
			case j == i:
			case forbidden[i][j]:
				row[j] = 0
			default:
				sum += row[j]
			}
		}
		moved += sum
		most = math.Max(most, sum)
	}
	n := float64(len(rows))
	c := 1.0
	if moved > 0 {
		c = math.Min((n-mean)/moved, 1/most)
	}
	for i, row := range rows {
		for j := range row {
			if j != i {
				row[j] = float64(row[j] * c)
			}
		}
		rest(row, i)
		reached += row[i]
	}
	return mean / n, reached / n
}
