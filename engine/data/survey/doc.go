// Package survey makes synthetic household surveys of any size, for the
// demonstration, for teaching and for benchmarks.
//
// The country, Meridia, and every record are invented. A file has the shape of
// a living-conditions survey: persons nested in households, geography, skewed
// categorical variables that depend on each other, right-skewed incomes with
// zeros, sampling weights that differ by stratum, and missing values.
//
//	err := survey.WriteCSV(file, 1_000_000, 7)
//
// The same number of persons and the same seed give the same bytes on every
// machine and for any number of processors.
package survey
