package microdata

import "github.com/sdcdesk/sdcdesk/engine/base/wording"

// Combination is one category of each of some variables, as a key or a stratum has
// them.
type Combination []CategoryOf

// CategoryOf is a category of a variable.
type CategoryOf struct{ Variable, Label string }

// String lists the labels: "urban, female, missing".
func (c Combination) String() string {
	return wording.Joined(c, ", ", func(one CategoryOf) string { return one.Label })
}

// MarshalText returns the labels: in summaries and journals they are a text.
func (c Combination) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText takes such a text as one category of a variable that is not known.
func (c *Combination) UnmarshalText(text []byte) error {
	*c = Combination{{Label: string(text)}}
	return nil
}
