// Package parquet reads and writes Apache Parquet files with flat columns; nested ones, which cannot be variables,
// are left out.
//
// Footers are decoded by github.com/parquet-go/parquet-go, pages by this package: directly into columns, with
// memory in proportion to the values, whatever runs and lengths a page claims. Before a column is read, the claims
// about its pages are checked against the bytes that exist. The library's own reader rejects footers with keys
// without values, and a few damaged bytes make it request more memory than any machine has; its writer takes twice
// the time of ours.
//
// A null and a NaN become the system missing value; an empty text is a value. Timestamps are seconds since
// 1970-01-01, in UTC if they have a time zone. Decimal numbers become the nearest float64.
//
// Source: the format specification, github.com/apache/parquet-format.
package parquet
