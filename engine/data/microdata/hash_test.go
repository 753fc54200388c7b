package microdata

import (
	"fmt"
	"strings"
	"testing"
)

// A panic while a column is hashed in a goroutine is repeated in the caller.
func TestPanicOfAHashIsTheCallers(t *testing.T) {
	whole := &Column{hash: func() [32]byte { return [32]byte{} }}
	broken := &Column{hash: func() [32]byte { panic("broken") }}
	defer func() {
		if reason := fmt.Sprint(recover()); !strings.Contains(reason, "a panic with a string") {
			t.Errorf("recovered %q", reason)
		}
	}()
	(&Dataset{columns: []*Column{whole, broken, whole}}).Hash()
	t.Error("no panic")
}
