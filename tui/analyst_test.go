package tui

import (
	"sync"

	"github.com/sdcdesk/sdcdesk/house/longtests"
	"github.com/sdcdesk/sdcdesk/session"
)

// The programs that tests start share one cache of results. Results are found by the contents of the data, so each
// figure of a file is computed once. Long tests compute all of them.
func init() {
	if longtests.Wanted() {
		return
	}
	shared := sync.OnceValue(session.NewAnalyst)
	newAnalyst = func() *session.Analyst { return shared().Counting(0) }
}
