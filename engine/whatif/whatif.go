// Package whatif has the results of trying a step before it is applied, and their progress. The session fills them
// in, dialogs keep them, and views draw them.
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

// Result is the result of trying a step. Its figures are exactly those after the step.
type Result struct {
	Report     method.Report
	Figures    measure.Set        // measures shown in what-ifs
	Assessment *risk.Assessment   // nil without key variables
	Table      *keys.Table        // key table after the step; nil without key variables
	Data       *microdata.Dataset // data after the step
	Version    *measure.Version   // version that the figures are for
	Elapsed    time.Duration

	// NotApplicable is the reason why there are no figures of k-anonymity and risk after the step, or "".
	NotApplicable string

	// Sample is the number of records on which the method tried the step, if these are not all; 0: all.
	Sample int
	// Masking is the risk and loss of the numbers that the step masks; nil: it masks none.
	Masking *Masking
	// Of has the records of Data if these are a sample; nil: all.
	Of *microdata.Dataset
	// Before has the figures of the same records without the step, if they differ from those of the data under the
	// scenario: for a sample, or with an additional k. nil: they do not.
	Before measure.Set
}

// Masking has the risk and loss of numeric variables compared with the original data, for the same records: now
// and after the step.
type Masking struct {
	Now, Then *tradeoff.Figures
	Keys      bool // the step changes figures of key variables: it masks one, the weight or the household ID
}

// Answer is the current state of the answer to a what-if. It is sent with the figures, and again with the
// suppressions if requested. While a newer question is being answered, the old answer is sent once more, marked as
// pending.
type Answer struct {
	WhatIf      *Result             // nil: not known yet
	Need        *method.Suppression // nil: not known yet
	Pending     bool                // all of it belongs to an older question
	Meter       *progress.Meter     // progress of computing the figures; nil if unknown
	Since       time.Time           // when the computation started
	NeedPending bool                // Need belongs to an older question
	NeedSince   time.Time           // when computing Need started; zero: not running
	Err         error               // why there are no figures
}
