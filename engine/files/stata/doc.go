// Package stata reads the files of Stata (.dta) of the formats 104 to 119, which
// are those of the versions 4 to 18, and writes the formats 114, 118 and 119.
//
// Source: the descriptions of the formats that Stata Corporation publishes
// (help dta), and for 104 and 105, of which there is none any more, what other
// readers say of them.
//
// Missing values: "." is the missing value of the system, .a to .z are kept
// apart. A text is never missing: an empty one is a value. Dates (%td) are days
// and %tc seconds since 1970-01-01; %tC, which counts leap seconds, and weeks to
// years stay the numbers that they are.
//
// Files below 118 do not say their character set: where it is not asked for,
// each text is UTF-8 where it can be, else Windows-1252.
package stata
