package recode

// Exported for the tests of breaks.
var (
	BreaksBy   = breaksBy
	TidyBreaks = tidyBreaks
)
