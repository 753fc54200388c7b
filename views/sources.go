package views

import "github.com/sdcdesk/sdcdesk/engine/measure"

// The publications that figures come from.
const (
	sourceGuide  = measure.SourceGuide
	sourceTempl  = measure.SourceTempl
	sourceHundep = measure.SourceHundep
	sourcePRAM   = measure.SourcePRAM
)
