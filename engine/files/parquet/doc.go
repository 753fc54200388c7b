// Package parquet reads and writes the files of Apache Parquet whose columns are
// not nested; nested ones, which can be no variables, are left out.
//
// Footers are decoded by github.com/parquet-go/parquet-go, pages are decoded here:
// straight into our columns, with no more memory than the values need, whatever runs
// and lengths a page claims. Before a column is read, what the file claims of its
// pages is held against the bytes that are there. The library's own reader refuses
// footers with keys without values, and a few damaged bytes make it ask for more
// memory than any machine has; its writer takes twice the time of ours.
//
// Missing values: a null and a NaN are the missing value of the system; an empty
// text is a value. Timestamps are seconds since 1970-01-01, those of a time zone in
// UTC. A decimal number is the nearest float64.
//
// Source: the format's description, github.com/apache/parquet-format.
package parquet
