package recode

// What the tests of breaks look at by itself.
var (
	BreaksBy   = breaksBy
	TidyBreaks = tidyBreaks
)
