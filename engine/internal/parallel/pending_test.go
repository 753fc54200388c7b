package parallel

import (
	"fmt"
	"strings"
	"testing"
)

func TestPendingWorkIsDoneAfterWait(t *testing.T) {
	done := false
	work := Go(func() { done = true })
	work.Wait()
	work.Wait()
	if !done {
		t.Error("the work was not done")
	}
}

func TestPanicOfPendingWorkIsThatOfWhoWaits(t *testing.T) {
	work := Go(func() { panic("broken") })
	defer func() {
		if reason := fmt.Sprint(recover()); strings.Contains(reason, "broken") ||
			!strings.Contains(reason, "pending_test.go") {
			t.Errorf("recovered %q", reason)
		}
	}()
	work.Wait()
	t.Error("no panic")
}
