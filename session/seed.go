package session

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
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

// lifted returns the spec with a seed that stands among the parameters of a
// method that draws, as scripts may write it, in its own place.
func (s StepSpec) lifted() (StepSpec, error) {
	entry, ok := catalog.Find(s.Step)
	if !ok {
		return s, nil
	}
	if drawing, ok := entry.New().(Drawing); !ok || !drawing.Draws() {
		return s, nil
	}
	fields, err := objectFields(s.Params)
	at := slices.IndexFunc(fields, func(f field) bool { return f.name == seedField })
	if err != nil || at < 0 {
		return s, nil // what is wrong is said when the parameters are read
	}
	var seed uint64
	if json.Unmarshal(fields[at].value, &seed) != nil || s.Seed != 0 && s.Seed != seed {
		return s, fmt.Errorf("step %s: %w %q must be a whole number from 0 on, given once", s.Step, method.ErrParam, seedField)
	}
	values := make(map[string]json.RawMessage, len(fields))
	for i, field := range fields {
		if i != at {
			values[field.name] = field.value
		}
	}
	s.Seed = seed
	s.Params, err = json.Marshal(values)
	return s, err
}

// seedField is the name of a seed among parameters.
const seedField = "seed"
