package pram

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
)

// Condition says which records may change: those whose value of a variable is
// one of the levels, or a number above or below the bounds, neither included.
// A record whose value is missing stays. The zero value lets all change.
type Condition struct {
	Variable string   `json:"variable,omitempty"`
	Levels   []string `json:"levels,omitempty"`
	Above    *float64 `json:"above,omitempty"`
	Below    *float64 `json:"below,omitempty"`
}

var _ method.Written = (*Condition)(nil)

// UnmarshalJSON reads a condition; a field it does not have is an error.
func (c *Condition) UnmarshalJSON(text []byte) error {
	type plain Condition
	var read plain
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return err
	}
	*c = Condition(read)
	return nil
}

// String returns the condition as it is typed: "age above 15", "age above 5
// below 16", "region in Arden, Brisk"; "" for none.
func (c Condition) String() string {
	if c.Variable == "" {
		return ""
	}
	text := quoted(c.Variable)
	if strings.Contains(c.Variable, " ") {
		text = strconv.Quote(c.Variable)
	}
	if c.Above != nil {
		text += " above " + strconv.FormatFloat(*c.Above, 'g', -1, 64)
	}
	if c.Below != nil {
		text += " below " + strconv.FormatFloat(*c.Below, 'g', -1, 64)
	}
	if len(c.Levels) > 0 {
		labels := make([]string, len(c.Levels))
		for i, label := range c.Levels {
			labels[i] = quoted(label)
		}
		text += " in " + strings.Join(labels, ", ")
	}
	return text
}

var errCondition = errors.New("write a condition such as age above 15, age below 16, or region in Arden, Brisk")

// Set takes what String gives.
func (c *Condition) Set(text string) error {
	var read Condition
	text = strings.TrimSpace(text)
	if text == "" {
		*c = read
		return nil
	}
	name, rest, err := firstWord(text)
	if err != nil {
		return err
	}
	read.Variable = name
	for rest != "" {
		var word string
		if word, rest, err = firstWord(rest); err != nil {
			return err
		}
		if word == "in" {
			if read.Levels, err = labelsIn(rest); err != nil {
				return err
			}
			break
		}
		if rest, err = read.bound(word, rest); err != nil {
			return err
		}
	}
	if len(read.Levels) == 0 && read.Above == nil && read.Below == nil {
		return errCondition
	}
	*c = read
	return nil
}

// bound reads the number behind "above" or "below".
func (c *Condition) bound(word, rest string) (string, error) {
	number, rest, err := firstWord(rest)
	if err != nil {
		return "", err
	}
	value, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return "", errCondition
	}
	switch word {
	case "above":
		c.Above = &value
	case "below":
		c.Below = &value
	default:
		return "", errCondition
	}
	return rest, nil
}

// firstWord cuts the first word, or label in quotes, off a text.
func firstWord(text string) (word, rest string, err error) {
	text = strings.TrimSpace(text)
	if prefix, err := strconv.QuotedPrefix(text); err == nil && strings.HasPrefix(text, `"`) {
		word, err := strconv.Unquote(prefix)
		return word, strings.TrimSpace(text[len(prefix):]), err
	}
	word, rest, _ = strings.Cut(text, " ")
	if word == "" {
		return "", "", errCondition
	}
	return word, strings.TrimSpace(rest), nil
}

func labelsIn(text string) ([]string, error) {
	parts, err := split(text, ',')
	if err != nil {
		return nil, err
	}
	labels := make([]string, len(parts))
	for i, part := range parts {
		if labels[i], err = unquoted(part); err != nil {
			return nil, err
		}
	}
	return labels, nil
}

// mask returns the records that may change; nil: all.
func (c *Condition) mask(data *microdata.Dataset) (*microdata.Bits, error) {
	if c.Variable == "" {
		if len(c.Levels) > 0 || c.Above != nil || c.Below != nil {
			return nil, fmt.Errorf("%w \"condition\" names no variable", method.ErrParam)
		}
		return nil, nil
	}
	column, ok := data.Column(c.Variable)
	if !ok {
		return nil, fmt.Errorf("%w \"condition\": the file has no variable %q", method.ErrParam, c.Variable)
	}
	switch {
	case len(c.Levels) == 0 && c.Above == nil && c.Below == nil:
		return nil, fmt.Errorf("%w \"condition\": %s; nothing is said about %q", method.ErrParam, errCondition, c.Variable)
	case len(c.Levels) > 0 && (c.Above != nil || c.Below != nil):
		return nil, fmt.Errorf("%w \"condition\" has levels and bounds; give one of them", method.ErrParam)
	case len(c.Levels) > 0:
		return c.maskLevels(column)
	case !column.Numeric():
		return nil, fmt.Errorf("%w \"condition\": %q has no numbers to be above or below; name its categories", method.ErrParam, c.Variable)
	}
	mask := microdata.NewBits(column.Len())
	for record := range column.Len() {
		value := column.Float(record)
		if !math.IsNaN(value) && (c.Above == nil || value > *c.Above) && (c.Below == nil || value < *c.Below) {
			mask.Set(record)
		}
	}
	return mask, nil
}

func (c *Condition) maskLevels(column *microdata.Column) (*microdata.Bits, error) {
	categories := column.Categories()
	in := make([]bool, len(categories.Levels)+1)
	for i, level := range categories.Levels {
		in[i+1] = slices.Contains(c.Levels, level.Label)
	}
	for _, label := range c.Levels {
		if _, ok := categories.CodeOf(label); !ok {
			return nil, fmt.Errorf("%w \"condition\": %q has no category %q", method.ErrParam, c.Variable, label)
		}
	}
	mask := microdata.NewBits(column.Len())
	for record := range column.Len() {
		if in[categories.Codes.At(record)] {
			mask.Set(record)
		}
	}
	return mask, nil
}
