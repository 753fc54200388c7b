// Package whatif is what is told of a step before it is made: what it would give, and how
// far the answer has come. The session fills it, dialogs hold it, views draw it.
package whatif

import (
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/risk"
	"github.com/sdcdesk/sdcdesk/engine/utility/tradeoff"
)

// Result is what a step would give. Its figures are those after the step is
// made, exactly.
type Result struct {
	Report     method.Report
	Figures    measure.Set        // those that what-ifs show
	Assessment *risk.Assessment   // nil without key variables
	Table      *keys.Table        // of the data after the step; nil without key variables
	Data       *microdata.Dataset // after the step
	Version    *measure.Version   // that the figures are of
	Elapsed    time.Duration

	// NotApplicable says why there are no figures of k-anonymity and risk after
	// the step; "" where there are.
	NotApplicable string

	// Sample is the number of records that the method looked at, where it tried the
	// step on some of them. 0: all.
	Sample int
	// Masking is risk and loss of the numbers that the step masks; nil: it masks none.
	Masking *Masking
	// Of are the records that Data is of, where they are a sample; nil: all.
	Of *microdata.Dataset
	// Before are the figures of the same records without the step, where they are not
	// those of the data under the scenario: of a sample, or with a k that is counted too.
	// nil: they are.
	Before measure.Set
}

// Masking is risk and loss of numeric variables against the data as they were read, of the
// same records: as they are now and as they would be.
type Masking struct {
	Now, Then *tradeoff.Figures
	Keys      bool // figures of key variables change with it: it masks one, the weight or the household
}

// Answer is what is known of a question so far. It comes with the figures and
// again with the suppressions, where those were asked for; while a newer
// question is being answered, the old answer comes once more, pending.
type Answer struct {
	WhatIf      *Result             // nil: not known yet
	Need        *method.Suppression // nil: not known yet
	Pending     bool                // all of it belongs to an older question
	Meter       *progress.Meter     // of the figures that are being computed; nil where that is not known
	Since       time.Time           // when that began
	NeedPending bool                // Need belongs to an older question
	NeedSince   time.Time           // since when it is being counted; zero: it is not
	Err         error               // why there are no figures
}
