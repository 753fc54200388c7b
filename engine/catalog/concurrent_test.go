package catalog_test

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Several goroutines can read the parameters of a step, as checks before release do. The race detector finds writes.
func TestParametersAreReadConcurrently(t *testing.T) {
	for _, spec := range catalog.Methods() {
		m, values := spec.New(), map[string]json.RawMessage{}
		if err := json.Unmarshal([]byte(spec.Sample), &values); err != nil {
			t.Fatal(spec.Name, err)
		}
		if err := method.Decode(m, values); err != nil {
			t.Fatal(spec.Name, err)
		}
		var readers sync.WaitGroup
		for range 2 {
			readers.Go(func() {
				if _, masks := method.Masked(m); masks && len(m.Params()) == 0 {
					t.Errorf("%s masks without a parameter", spec.Name)
				}
			})
		}
		readers.Wait()
	}
}
