// Package parquet reads and writes the files of Apache Parquet whose columns are
// not nested.
//
// Pages are decoded by github.com/parquet-go/parquet-go; what its version does
// wrong (LZ4_RAW) is refused. Before a page is decoded, what the file claims about
// it is held against the bytes that are there.
//
// Missing values: a null and a NaN are the missing value of the system; an empty
// text is a value. Timestamps are seconds since 1970-01-01, those of a time zone in
// UTC. A decimal number is the nearest float64.
//
// Source: the format's description, github.com/apache/parquet-format.
package parquet
