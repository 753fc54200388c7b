package microdata

import "github.com/sdcdesk/sdcdesk/engine/base/wording"

// Combination is a combination of categories, as in a key pattern or a stratum.
type Combination []CategoryOf

// CategoryOf is a category of a variable.
type CategoryOf struct{ Variable, Label string }

// String lists the labels: "urban, female, missing".
func (c Combination) String() string {
	return wording.Joined(c, ", ", func(one CategoryOf) string { return one.Label })
}

// MarshalText returns the labels as text, for summaries and journals.
func (c Combination) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the text as a single category of an unknown variable.
func (c *Combination) UnmarshalText(text []byte) error {
	*c = Combination{{Label: string(text)}}
	return nil
}
