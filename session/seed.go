package session

import (
	"crypto/rand"
	"encoding/binary"

	"github.com/sdcdesk/sdcdesk/engine/method"
)

// NewSeed draws a seed, never 0, from the system's secure source. A dialog
// draws it when it opens, so that the what-if and the step draw the same.
// Whoever knows the seed of a step can undo its perturbation: it stands in the
// journal and nowhere else.
func NewSeed() uint64 {
	for {
		var bytes [8]byte
		// The reader of crypto/rand never fails: it ends the program instead.
		_, _ = rand.Read(bytes[:])
		if seed := binary.LittleEndian.Uint64(bytes[:]); seed != 0 {
			return seed
		}
	}
}

// Drawing is a method that draws random numbers, so that its step needs a
// seed. A step of such a method that has none is given one when it is run.
type Drawing interface {
	method.Method
	Draws() bool
}

// seeded returns the spec with a seed where its method needs one.
func (s StepSpec) seeded(m method.Method) StepSpec {
	if drawing, ok := m.(Drawing); ok && drawing.Draws() && s.Seed == 0 {
		s.Seed = NewSeed()
	}
	return s
}
