package session

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// NewSeed draws a seed, never 0, from the system's secure source. A dialog
// draws it when it opens, so that the what-if and the step draw the same.
// Whoever knows the seed of a step can undo its perturbation: it stands in the
// journal and nowhere else.
func NewSeed() uint64 {
	var bytes [8]byte
	// The reader of crypto/rand never fails: it ends the program instead.
	_, _ = rand.Read(bytes[:])
	return max(1, binary.LittleEndian.Uint64(bytes[:]))
}

// seedField is the name of a seed among parameters.
const seedField = "seed"

// takeSeed moves a seed that stands among the parameters of a method that draws, as
// scripts may write it, to its own place.
func (c *call) takeSeed(values map[string]json.RawMessage) error {
	text, given := values[seedField]
	if !given || !c.entry.Random(c.method) {
		return nil
	}
	var seed uint64
	if json.Unmarshal(text, &seed) != nil || c.Seed != 0 && c.Seed != seed {
		return fmt.Errorf("%w %q must be a non-negative integer, given once", method.ErrParam, seedField)
	}
	delete(values, seedField)
	c.Seed = seed
	return nil
}
