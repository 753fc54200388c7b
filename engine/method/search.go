package method

import "context"

// Search is the interface of methods whose result improves with the time spent. The parameter "iterations" limits
// the time, so that a step has the same result on every machine; Spec.Search starts a search whatever its value
// and returns the errors of Apply.
//
// A search always has a complete result, which each iteration can improve. It can be continued or ended at any
// time. It must be used by one goroutine at a time.
type Search interface {
	// Continue makes more iterations, or fewer if no improvement is possible. After an error, which is that of
	// ctx, the next call completes the interrupted work.
	Continue(ctx context.Context, iterations int) error
	// Iterations returns the number of iterations, including interrupted ones.
	Iterations() int
	// Piece returns the number of iterations to make in one call.
	Piece() int
	// Done reports whether the result is optimal.
	Done() bool
	// Account returns the figures of the current result that are cheaper to compute than the result.
	Account(ctx context.Context) (*Report, error)
	// Output returns the current result, byte for byte the output of Apply for Method.
	Output(ctx context.Context) (Output, error)
	// Method returns the method with the parameters that produce the current result.
	Method() Method
}
