package minimal

import (
	"context"
	"testing"
)

// A panic beside the search is one of its caller, who waits for the work.
func TestPanicOfRaisingIsThatOfTheCaller(t *testing.T) {
	r := &raising{steps: 1} // without a dual there is nothing to step on
	r.start(context.Background())
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
		if r.underway != nil {
			t.Error("the work is still waited for")
		}
	}()
	_ = r.wait()
}
