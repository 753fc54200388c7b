// Package stata reads Stata files (.dta) of the formats 104 to 119, those of Stata 4 to 18, and writes the formats
// 114, 118 and 119.
//
// Source: the descriptions of the formats by StataCorp (help dta); for 104 and 105, which are no longer
// documented, other readers.
//
// "." is the system missing value, .a to .z are extended missing values. A text is never missing: an empty one is
// a value. Dates (%td) are days and %tc seconds since 1970-01-01; %tC, which counts leap seconds, and weeks to
// years remain numbers.
//
// Formats below 118 do not declare their encoding: unless it is specified, each text is decoded as UTF-8 if valid,
// else as Windows-1252.
package stata
