// Package profile describes one variable of a dataset, or two together: what users want to know about a file
// before any risk figure.
//
// New makes one pass over the cells: how many are missing and with which codes, minimum and maximum, mean and
// standard deviation. Profile.Values also collects the distinct values with their counts and weights, and
// quantiles. Histograms have round bins; that of the source values has the same ones, so that they can be
// overlaid. Cross cross-tabulates two variables.
//
// Counts are of records, of which a row may represent several; sums of weights are over the rows with a value.
// Missing cells are excluded from means, quantiles and bins. If weights is nil, sums of weights are zero.
//
// Quantiles are of type 7 in Hyndman and Fan (Sample Quantiles in Statistical Packages, The American Statistician
// 50, 1996). Weighted quantiles are the smallest value up to which at least the given share of the weights lies.
package profile
