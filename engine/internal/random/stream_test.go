package random_test

import (
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/internal/random"
)

func TestStreamsDiffer(t *testing.T) {
	seen := map[uint64]bool{}
	for _, seed := range []uint64{1, 2} {
		for _, purpose := range []string{"", "a", "b"} {
			for block := range 3 {
				first := random.Stream(seed, purpose, block).Uint64()
				if seen[first] {
					t.Errorf("seed %d, purpose %q, block %d begins like another stream", seed, purpose, block)
				}
				seen[first] = true
				if random.Stream(seed, purpose, block).Uint64() != first {
					t.Errorf("seed %d, purpose %q, block %d does not repeat", seed, purpose, block)
				}
			}
		}
	}
}

func TestBlocks(t *testing.T) {
	for records, want := range map[int]int{0: 0, 1: 1, random.Block: 1, random.Block + 1: 2} {
		if got := random.Blocks(records); got != want {
			t.Errorf("%d blocks of %d records, want %d", got, records, want)
		}
	}
}
