package stat

// Centred returns the values minus their means; constant variables become exactly 0.
func Centred(values [][]float64) [][]float64 {
	out := make([][]float64, len(values))
	for j, x := range values {
		mean := Mean(x)
		out[j] = make([]float64, len(x))
		if Constant(x) {
			continue
		}
		for i := range x {
			out[j][i] = x[i] - mean
		}
	}
	return out
}

// Variables returns the selected variables, sharing their values.
func Variables(values [][]float64, which []int) [][]float64 {
	out := make([][]float64, len(which))
	for k, j := range which {
		out[k] = values[j]
	}
	return out
}

// Picked returns the variables restricted to the given records.
func Picked(variables [][]float64, records []uint32) [][]float64 {
	out := make([][]float64, len(variables))
	for j, values := range variables {
		out[j] = make([]float64, len(records))
		for i, r := range records {
			out[j][i] = values[r]
		}
	}
	return out
}

// Combined returns, by variable, the product of m with the values of each record.
func Combined(m Matrix, values [][]float64) [][]float64 {
	out := make([][]float64, len(m))
	for j := range m {
		out[j] = make([]float64, len(values[0]))
		for k, factor := range m[j] {
			if factor == 0 {
				continue
			}
			for i, x := range values[k] {
				out[j][i] += float64(factor * x)
			}
		}
	}
	return out
}

// Unrooted returns, by variable, the solution y of l y = values for each record. If l is the Cholesky factor of
// the covariance of the values, the variables of y are uncorrelated with variance 1.
func Unrooted(l Matrix, values [][]float64) [][]float64 {
	out := make([][]float64, len(values))
	for j := range values {
		out[j] = append([]float64(nil), values[j]...)
		for k := range j {
			for i := range out[j] {
				out[j][i] -= float64(l[j][k] * out[k][i])
			}
		}
		for i := range out[j] {
			out[j][i] /= l[j][j]
		}
	}
	return out
}

// Independent returns the variables that are linearly independent of those before them, and the Cholesky factor of
// their covariance; v is the covariance of all.
func Independent(v Matrix) (l Matrix, free []int) {
	full, dependent := v.SemiCholesky()
	follows := map[int]bool{}
	for _, j := range dependent {
		follows[j] = true
	}
	for j := range v {
		if !follows[j] {
			free = append(free, j)
		}
	}
	l = NewMatrix(len(free), len(free))
	for a, i := range free {
		for b, j := range free {
			l[a][b] = full[i][j]
		}
	}
	return l, free
}

// Orthonormal returns uncorrelated variables with variance 1 of which the centred variables are linear
// combinations; none if they are constant.
func Orthonormal(centred [][]float64) [][]float64 {
	if len(centred) == 0 {
		return nil
	}
	l, free := Independent(Covariance(centred))
	if len(free) == 0 {
		return nil
	}
	return Unrooted(l, Variables(centred, free))
}

// Unexplained returns the residuals of the centred variables after regression on a basis from Orthonormal.
func Unexplained(centred, basis [][]float64) [][]float64 {
	out := make([][]float64, len(centred))
	for j, x := range centred {
		out[j] = append([]float64(nil), x...)
		for _, b := range basis {
			sum := 0.0
			for i, y := range b {
				sum += float64(out[j][i] * y)
			}
			slope := sum / float64(len(b)-1)
			for i, y := range b {
				out[j][i] -= float64(slope * y)
			}
		}
	}
	return out
}
