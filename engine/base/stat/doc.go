// Package stat provides statistics for methods and measures of numeric variables: moments, order statistics,
// ranks, principal components and robust covariance by FAST-MCD.
//
// Data is one slice per variable, all of equal length, without missing values (NaN) and infinities; callers select
// complete records. No function modifies its input or panics because of the values. Results are the same on every
// machine: sums are in record order and no product is fused with a sum; for this reason, small matrices are not
// passed to a library that uses fused operations on some machines.
package stat
