package fileio

import (
	"errors"
	"testing"
)

// If several blocks fail, the error of the first in file order is returned; later blocks may be skipped, earlier
// ones must be parsed.
func TestTheErrorOfTheFirstBlockCounts(t *testing.T) {
	first, later := errors.New("first"), errors.New("later")
	for name, order := range map[string][]int{"ascending": {1, 3, 4}, "descending": {4, 3, 1}, "mixed": {3, 1, 4}} {
		r := &readState{}
		for _, index := range order {
			err := later
			if index == 1 {
				err = first
			}
			r.fail(index, err)
		}
		if r.failed != first {
			t.Errorf("%s: the error is that of block %d", name, r.failedAt)
		}
		if r.stopped(0) || r.stopped(1) || !r.stopped(2) {
			t.Errorf("%s: blocks before the error are stopped, or later ones are not", name)
		}
	}
}
