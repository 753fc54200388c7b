package check

import (
	"context"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// identifiers finds variables that look as if they identified people.
func identifiers(_ context.Context, in Input, _ *progress.Meter) ([]Finding, error) {
	var names []string
	for _, suggestion := range microdata.Suggest(in.Released.Data()) {
		if suggestion.Role == microdata.RoleRemoved {
			names = append(names, suggestion.Variable)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	return []Finding{{Name: "direct-identifiers", Title: "Direct identifiers", Grave: true, Variables: names,
		Text: "The file has " + wording.CountedAs(len(names), "variable that looks", "variables that look") +
			" like a direct identifier: " + strings.Join(names, ", ") + ".",
		Why:   "Who knows the identifier of a person finds the record, whatever else was done.",
		Mends: []Mend{{Title: "leave out " + strings.Join(names, ", "), Remove: names}}}}, nil
}
