package golden

import (
	"os"
	"testing"
)

// Long reports whether tests run that take longer than somebody who changes a line
// should wait: where SDCDESK_LONG_TESTS is set.
func Long() bool { return os.Getenv("SDCDESK_LONG_TESTS") != "" }

// SkipUnlessLong skips a test that takes long.
func SkipUnlessLong(t testing.TB) {
	t.Helper()
	if !Long() {
		t.Skip("takes long: runs where SDCDESK_LONG_TESTS is set")
	}
}
