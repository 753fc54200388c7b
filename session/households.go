package session

import (
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// told returns data with the households of the variables that are to tell them, as each is asked for. An error wraps
// ErrStream where there are too many records.
func (g *groups) told(data *microdata.Dataset, ask func(variable string) (*microdata.Households, error)) (*microdata.Dataset,
	error) {
	for _, name := range g.households {
		if data.Records() > microdata.MostInHouseholds {
			return nil, Unheld("households of more than %s records; take the role of %s away",
				wording.Number(microdata.MostInHouseholds), name)
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
