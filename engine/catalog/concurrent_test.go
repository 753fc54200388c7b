package catalog_test

import (
	"sync"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// Several goroutines can read the parameters of a step, as checks before release do. The race detector finds writes.
func TestParametersAreReadConcurrently(t *testing.T) {
	each(t, func(t *testing.T, spec method.Spec, m method.Method) {
		var readers sync.WaitGroup
		for range 2 {
			readers.Go(func() {
				if _, masks := method.Masked(m); masks && len(m.Params()) == 0 {
					t.Errorf("%s masks without a parameter", spec.Name)
				}
			})
		}
		readers.Wait()
	})
}
