package session

import (
	"crypto/rand"
	"fmt"
	random "math/rand/v2"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/preparation/prepare"
)

// secureRandom returns a generator with a seed from the system's secure source that is not stored.
func secureRandom() *random.Rand {
	var seed [32]byte
	_, _ = rand.Read(seed[:]) // never fails
	return random.New(random.NewChaCha8(seed))
}

// randomOrder returns the data with new IDs and in random order, as far as the options say: the effect of the
// steps new-ids and shuffle-records, with randomness that is not stored.
func (d *Document) randomOrder(o ExportOptions) (*microdata.Dataset, error) {
	data := d.Data
	for _, name := range o.NewIdentifiers {
		column, ok := data.Column(name)
		if !ok {
			return nil, fmt.Errorf("random IDs: the file has no variable %q", name)
		}
		after, _, err := prepare.RandomIdentifiers(secureRandom(), []*microdata.Column{column})
		if err != nil {
			return nil, fmt.Errorf("random IDs: %w", err)
		}
		data = data.With(after...)
	}
	if !o.RandomOrder {
		return data, nil
	}
	var households *microdata.Households
	if column, ok := d.original().Column(d.Scenario.Household); ok {
		households = microdata.NewHouseholds(column)
	}
	return data.Select(prepare.RandomOrder(secureRandom(), data.Len(), households, false)), nil
}
