package method

import "context"

// Search is how a method is carried out whose result gets better the longer it is searched
// for. Its parameter "iterations" says for how long, so that a step does the same everywhere;
// the search of its Spec begins whatever number the parameters have, with the errors of Apply.
//
// It has a complete result from the beginning, which gets better from iteration to
// iteration. It can be continued, and ended at any time; it belongs to one goroutine at
// a time.
type Search interface {
	// Continue makes so many iterations more, fewer where nothing more can be gained.
	// After an error, which is that of ctx, what was begun is made by what is called next.
	Continue(ctx context.Context, iterations int) error
	// Iterations returns the number of those made, with those that were begun.
	Iterations() int
	// Piece returns the number of iterations that are made at a time.
	Piece() int
	// Done reports whether nothing more can be gained: no result is better.
	Done() bool
	// Account returns what the result so far comes to, in the parts of a report that
	// cost less than the result.
	Account(ctx context.Context) (*Report, error)
	// Output returns the result so far: that which Apply of Method gives, byte for byte.
	Output(ctx context.Context) (Output, error)
	// Method returns the method with the parameters that give the result so far.
	Method() Method
}
