package notation

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/internal/strict"
)

// Set parses a condition; "" is the one that all records meet.
func (c *Condition) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		*c = Condition{}
		return nil
	}
	read, err := ParseCondition(text)
	if err == nil {
		*c = read
	}
	return err
}

// MarshalJSON encodes the condition as a string, or as {} if all records meet it.
func (c Condition) MarshalJSON() ([]byte, error) {
	if c.root == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(c.text)
}

// UnmarshalJSON decodes a condition: a string, or an object with a variable and its labels or the bounds of its
// numbers, as in {"variable":"age","above":15}.
func (c *Condition) UnmarshalJSON(text []byte) error {
	var typed string
	if json.Unmarshal(text, &typed) == nil {
		return c.Set(typed)
	}
	var given struct {
		Variable string   `json:"variable"`
		Levels   []string `json:"levels"`
		Above    *float64 `json:"above"`
		Below    *float64 `json:"below"`
	}
	if err := strict.Decode(text, &given); err != nil {
		if _, name, found := strings.Cut(err.Error(), "unknown field "); found {
			return errorf("there is no field %s; write a text such as \"age > 15\"", wording.Excerpt(name))
		}
		return errorf("write a text such as \"age > 15\"")
	}
	var asked []string
	if given.Above != nil {
		asked = append(asked, "above "+strconv.FormatFloat(*given.Above, 'g', -1, 64))
	}
	if given.Below != nil {
		asked = append(asked, "below "+strconv.FormatFloat(*given.Below, 'g', -1, 64))
	}
	if len(given.Levels) > 0 {
		if len(asked) > 0 {
			return errorf("it has both levels and bounds; give one of them")
		}
		asked = append(asked, "in ("+wording.Joined(given.Levels, ", ", quoted)+")")
	}
	switch {
	case asked == nil && given.Variable == "":
		return c.Set("")
	case asked == nil:
		return errorf("%s needs levels or a bound", wording.Excerpt(given.Variable))
	case given.Variable == "":
		return errorf("it names no variable")
	}
	if err := c.Set(quoted(given.Variable) + " " + strings.Join(asked, " ")); err != nil {
		return err
	}
	c.text = c.Canonical()
	return nil
}
