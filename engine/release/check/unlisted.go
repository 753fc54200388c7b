package check

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// unlisted says what a variable is that has too many values to be listed, as those of files that
// are read in passes can be: by its role, its name and its schema alone.
func (r *release) unlisted(c *microdata.Column) identity {
	suggestion := r.suggested[c.Name()]
	switch {
	case c.Name() == r.scenario.Household || suggestion.Role == microdata.RoleHousehold && !suggestion.Guessed():
		return identity{content: household}
	case suggestion.Role == microdata.RoleRemoved && !suggestion.Guessed() && !r.named(c):
		return identity{content: identifier, title: suggestion.Reason}
	}
	return identity{}
}
