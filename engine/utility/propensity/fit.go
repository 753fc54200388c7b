package propensity

import (
	"context"
	"math"
	"runtime"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// fit is a fitted logistic regression.
type fit struct {
	U            float64 // mean of (p - 1/2)^2
	coefficients []float64
	rounds       int
}

const (
	mostRounds = 60
	mostHalved = 30    // maximum number of times a step is halved
	mostBlocks = 16    // maximum number of blocks of records, each with its own sums
	settled    = 1e-10 // relative change in the deviance at convergence
	steepest   = 30    // limit of the linear predictor, beyond which p is 0 or 1
	rounding   = 1e-20 // U below this is 0: p differs from 1/2 by less than the convergence error
)

// sums are the sums over records of one iteration: gradient, information matrix, deviance and squares of p - 1/2.
type sums struct {
	gradient          []float64
	information       stat.Matrix // lower triangle
	deviance, squares float64
}

// fit maximises the likelihood by Newton's method. A step that lowers the likelihood, as a few huge values can
// cause, is halved. Terms that are linear combinations of others get the coefficient 0. If the files can be
// separated perfectly, p ends close to 0 and 1.
func (d *design) fit(ctx context.Context, meter *progress.Meter) (*fit, error) {
	f := &fit{coefficients: make([]float64, len(d.terms))}
	last, halved := math.Inf(1), 0
	var step []float64
	meter.Start(mostRounds)
	for f.rounds < mostRounds {
		s, err := d.round(ctx, f.coefficients)
		if err != nil {
			return nil, err
		}
		if s.deviance > last*(1+settled) && halved < mostHalved {
			halved++
			for j := range step {
				step[j] /= 2
				f.coefficients[j] -= step[j]
			}
			continue
		}
		halved = 0
		if f.U = s.squares / float64(2*d.records); f.U < rounding {
			f.U = 0
		}
		f.rounds++
		meter.Add(1)
		if last-s.deviance <= settled*math.Abs(s.deviance) || s.deviance < 1e-8 {
			break
		}
		last = s.deviance
		step = s.step()
		for j := range step {
			f.coefficients[j] += step[j]
		}
	}
	meter.Set(mostRounds, mostRounds)
	return f, nil
}

// step solves information x = gradient.
func (s *sums) step() []float64 {
	for i := range s.information {
		for j := range i {
			s.information[j][i] = s.information[i][j]
		}
	}
	root, dependent := s.information.SemiCholesky()
	for _, j := range dependent {
		root[j][j], s.gradient[j] = 1, 0
		for k := range j {
			root[j][k] = 0
		}
	}
	root.Solved(s.gradient)
	for _, j := range dependent {
		s.gradient[j] = 0
	}
	root.SolvedTransposed(s.gradient)
	return s.gradient
}

// round computes the sums over blocks of records. The result does not depend on the number of processors.
func (d *design) round(ctx context.Context, coefficients []float64) (*sums, error) {
	n := 2 * d.records
	size := max(parallel.Block, (n+mostBlocks-1)/mostBlocks)
	blocks := make([]*sums, (n+size-1)/size)
	err := parallel.Tasks(ctx, len(blocks), min(runtime.GOMAXPROCS(0), len(blocks)), func(_, block int) {
		s := &sums{gradient: make([]float64, len(coefficients)), information: stat.NewMatrix(len(coefficients),
			len(coefficients))}
		var places []int
		var values []float64
		for row := block * size; row < min((block+1)*size, n); row++ {
			places, values = d.entries(row, places, values)
			s.add(places, values, coefficients, row >= d.records)
		}
		blocks[block] = s
	})
	if err != nil {
		return nil, err
	}
	all := blocks[0]
	for _, s := range blocks[1:] {
		all.deviance += s.deviance
		all.squares += s.squares
		for i := range s.gradient {
			all.gradient[i] += s.gradient[i]
			for j := range i + 1 {
				all.information[i][j] += s.information[i][j]
			}
		}
	}
	return all, nil
}

// add adds a record.
func (s *sums) add(places []int, values, coefficients []float64, masked bool) {
	eta := 0.0
	for k, place := range places {
		eta += float64(coefficients[place] * values[k])
	}
	eta = math.Max(-steepest, math.Min(steepest, eta))
	p := 1 / (1 + math.Exp(-eta))
	y := 0.0
	if masked {
		y = 1
		s.deviance += 2 * math.Log1p(math.Exp(-eta))
	} else {
		s.deviance += 2 * math.Log1p(math.Exp(eta))
	}
	s.squares += float64((p - 0.5) * (p - 0.5))
	w := p * (1 - p)
	for k, i := range places {
		s.gradient[i] += float64((y - p) * values[k])
		for l, j := range places[:k+1] {
			s.information[i][j] += float64(w * values[k] * values[l])
		}
	}
}
