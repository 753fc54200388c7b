package session

import (
	"fmt"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// mostInHouseholds is the number of records up to which it is held of which groups the members of households are:
// 12 bytes for each record at most, and 20 more while a file is read.
const mostInHouseholds = 100_000_000

// told returns data with the households of the variables that are to tell them, as each is asked for. An error wraps
// ErrStream where there are too many records.
func (g *groups) told(data *microdata.Dataset, ask func(variable string) (*microdata.Households, error)) (*microdata.Dataset,
	error) {
	for _, name := range g.households {
		if data.Records() > mostInHouseholds {
			return nil, fmt.Errorf("%w: households of more than %s records; take the role of %s away", ErrStream,
				wording.Number(mostInHouseholds), name)
		}
		households, err := ask(name)
		if err != nil {
			return nil, err
		}
		if column, ok := data.Column(name); ok {
			data = data.With(column.WithHouseholds(households))
		}
	}
	return data, nil
}
