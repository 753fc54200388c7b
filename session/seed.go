package session

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// NewSeed returns a random seed, never 0, from the system's secure source. A dialog calls it when it opens, so
// that the what-if and the step use the same seed. With its seed, the perturbation of a step can be reversed, so
// it is stored only in the journal.
func NewSeed() uint64 {
	var bytes [8]byte
	// The reader of crypto/rand never fails: it ends the program instead.
	_, _ = rand.Read(bytes[:])
	return max(1, binary.LittleEndian.Uint64(bytes[:]))
}

// seedField is the name of a seed among parameters.
const seedField = "seed"

// takeSeed moves the seed of a random method from the parameters, where scripts may write it, to its own field.
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
