// Package profile tells what one variable of a dataset holds, and what two hold
// together: what somebody wants to know of a file before any figure of risk.
//
// New goes through the cells once: how many are missing and as which code,
// smallest and largest number, mean and standard deviation. Values needs the
// distinct values too: their counts and weights, and quantiles. A histogram has
// round bins, and that of the source values the same ones, so that one can be
// laid over the other. Cross counts two variables against each other.
//
// Every count goes by records, of which a row may stand for several; sums of
// weights are those of the rows with a value. Missing cells are in no mean, no
// quantile and no bin. Without weights, nil, sums of weights are zero.
//
// Quantiles are those of type 7 of Hyndman and Fan (Sample Quantiles in
// Statistical Packages, The American Statistician 50, 1996); weighted ones are
// the smallest value up to which at least that share of the weights lies.
package profile
