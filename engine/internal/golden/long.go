package golden

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/house/longtests"
)

// Long reports whether tests run that take longer than somebody who changes a line
// should wait: where SDCDESK_LONG_TESTS is set.
func Long() bool { return longtests.Wanted() }

// SkipUnlessLong skips a test that takes long.
func SkipUnlessLong(t testing.TB) {
	t.Helper()
	longtests.Needed(t)
}
