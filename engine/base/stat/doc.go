// Package stat has the statistics that methods and measures of numeric variables
// are made of: moments, order statistics, ranks, principal components and the
// robust covariance of FAST-MCD.
//
// Data are variables: one slice per variable, all of equal length, without
// missing values (NaN) and infinities; the caller takes complete records. No
// function modifies its input, and none panics for what the data are. Results
// are the same on every machine: sums are in the order of the records, and no
// product is fused with a sum, which is why the few small matrices here are not
// given to a library that fuses on some machines.
package stat
