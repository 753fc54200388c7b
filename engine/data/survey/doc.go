// Package survey generates synthetic household surveys of any size, for demonstration, teaching and benchmarks.
//
// The country, Meridia, and every record are invented. A file resembles a living-conditions survey: persons nested
// in households, geography, dependent and skewed categorical variables, right-skewed incomes with zeros, sampling
// weights that differ by stratum, and missing values.
//
//	err := survey.WriteCSV(file, 1_000_000, 7)
//
// The same number of persons and the same seed give the same bytes on every machine and with any number of
// processors.
package survey
