package combinations

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/keys"
	"github.com/sdcdesk/sdcdesk/engine/data/notation"
	"github.com/sdcdesk/sdcdesk/engine/internal/strict"
)

// Combinations says which combinations of key variables are cross-tabulated,
// and up to how many records a cell is unsafe. One of four forms is given:
//
//   - up to a dimension, with one threshold for all: {"dimension":3,"threshold":1},
//     typed "3:1";
//   - up to a dimension, with a threshold for each number of variables, from 1 on:
//     {"dimension":3,"thresholds":[5,3,1]}, typed "1:5, 2:3, 3:1". With 0, or where
//     it is not typed, combinations of that number are not looked at: "1:0, 3:1" are
//     those of exactly 3;
//   - by level of identification, from 1, most identifying, to 5; 0 or none is
//     not identifying: {"levels":{"region":1,"sex":2,"age":3},"threshold":1},
//     typed "region=1, sex=2, age=3: 1". The combinations have one variable for
//     each level that occurs, which may be more identifying than that level:
//     with three levels, a variable of the first, another of the first two, and
//     a third of all, as mu-Argus makes them;
//   - listed: [{"variables":["region","sex"],"threshold":1}], typed
//     "region+sex:1, age+marital:2".
//
// Names with one of + = , : in them, or that are numbers, are typed in double
// quotes.
type Combinations struct {
	Dimension  int            `json:"dimension,omitempty"`
	Levels     map[string]int `json:"levels,omitempty"`
	Threshold  int            `json:"threshold,omitempty"`
	Thresholds []int          `json:"thresholds,omitempty"` // for 1, 2, ... variables; nil: Threshold is that of all
	List       []Listed       `json:"-"`
}

// Listed is one combination of key variables with its threshold.
type Listed struct {
	Variables []string `json:"variables"`
	Threshold int      `json:"threshold"`
}

// MarshalJSON writes a list as a list and the other forms as an object.
func (c Combinations) MarshalJSON() ([]byte, error) {
	if len(c.List) > 0 {
		return json.Marshal(c.List)
	}
	type plain Combinations
	return json.Marshal(plain(c))
}

// UnmarshalJSON reads what MarshalJSON writes. Unknown fields are an error.
func (c *Combinations) UnmarshalJSON(text []byte) error {
	type plain Combinations
	var read plain
	var into any = &read
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")) {
		into = &read.List
	}
	if err := strict.Decode(text, into); err != nil {
		return err
	}
	*c = Combinations(read)
	return nil
}

// String writes the combinations as they are typed.
func (c *Combinations) String() string {
	switch {
	case len(c.List) > 0:
		return wording.Joined(c.List, ", ", func(listed Listed) string {
			return wording.Joined(listed.Variables, "+", quoted) + ":" + strconv.Itoa(listed.Threshold)
		})
	case len(c.Levels) > 0:
		names := slices.SortedFunc(maps.Keys(c.Levels), func(a, b string) int {
			return cmp.Or(cmp.Compare(c.Levels[a], c.Levels[b]), strings.Compare(a, b))
		})
		for i, name := range names {
			names[i] = quoted(name) + "=" + strconv.Itoa(c.Levels[name])
		}
		return strings.Join(names, ", ") + ": " + strconv.Itoa(c.Threshold)
	case len(c.Thresholds) > 0:
		return c.sizes()
	default:
		return fmt.Sprintf("%d:%d", c.Dimension, c.Threshold)
	}
}

// quoted writes a name so that it is read as one with all of its blanks, and not as a number.
func quoted(name string) string {
	if _, err := strconv.Atoi(name); err == nil || strings.Join(strings.Fields(name), " ") != name {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return notation.Quote(name, signs)
}

// sizes writes the thresholds by number of variables. A number alone would stand
// for all up to it.
func (c *Combinations) sizes() string {
	var entries []string
	for i, threshold := range c.Thresholds {
		if threshold > 0 {
			entries = append(entries, fmt.Sprintf("%d:%d", i+1, threshold))
		}
	}
	if len(entries) == 1 && c.Thresholds[0] == 0 {
		entries = append([]string{"1:0"}, entries...)
	}
	return strings.Join(entries, ", ")
}

var errCombinations = errors.New(`combinations: write "3:1" for all up to 3 variables, "1:5, 2:3, 3:1" for a ` +
	`threshold by number ` +
	`of variables, "region+sex:1, age:2" for some combinations, or "region=1, sex=2: 1" for levels of ` +
	`identification; the number ` +
	`after a colon is the threshold`)

// Set reads what String writes.
func (c *Combinations) Set(text string) error {
	words, err := notation.Phrases(text, strings.Split(signs, "")...)
	if err != nil {
		return err
	}
	read := reading{sizes: map[int]int{}}
	for len(words) > 0 {
		end := slices.IndexFunc(words, func(w notation.Word) bool { return w.Is(",") })
		entry := words
		if words = nil; end >= 0 {
			entry, words = entry[:end], entry[end+1:]
			if len(words) == 0 {
				return errCombinations
			}
		}
		if err := read.add(entry); err != nil {
			return err
		}
	}
	given, err := read.combinations()
	if err == nil {
		*c = given
	}
	return err
}

// reading is what has been read of combinations.
type reading struct {
	Combinations
	sizes map[int]int // number of variables to threshold
}

// combinations returns what was read, if it has one form.
func (c *reading) combinations() (Combinations, error) {
	if forms := min(1, len(c.sizes)) + min(1, len(c.Levels)) + min(1, len(c.List)); forms != 1 {
		return Combinations{}, errCombinations
	}
	if len(c.Levels) > 0 && c.Threshold == 0 {
		return Combinations{}, errCombinations
	}
	if len(c.sizes) == 0 {
		return c.Combinations, nil
	}
	for size, threshold := range c.sizes {
		if threshold > 0 {
			c.Dimension = max(c.Dimension, size)
		}
	}
	switch {
	case c.Dimension == 0:
		return Combinations{}, errCombinations
	case len(c.sizes) == 1 || c.Dimension == 1: // all up to a number of variables
		c.Threshold = c.sizes[c.Dimension]
		return c.Combinations, nil
	}
	c.Thresholds = make([]int, c.Dimension)
	for size, threshold := range c.sizes {
		if size <= c.Dimension {
			c.Thresholds[size-1] = threshold
		}
	}
	return c.Combinations, nil
}

// add reads one entry: what stands between two commas.
func (c *reading) add(entry []notation.Word) error {
	threshold := -1
	if n := len(entry); n > 2 && entry[n-2].Is(":") {
		var ok bool
		if threshold, ok = number(entry[n-1]); !ok || threshold < 0 {
			return errCombinations
		}
		entry = entry[:n-2]
	}
	switch n := len(entry); {
	case n == 0 || entry[0].Sign:
		return errCombinations
	case n == 3 && entry[1].Is("="):
		return c.addLevel(entry, threshold)
	}
	if size, ok := number(entry[0]); ok && len(entry) == 1 && threshold >= 0 {
		if _, twice := c.sizes[size]; twice || size < 1 || size > keys.MostVariables {
			return errCombinations
		}
		c.sizes[size] = threshold
		return nil
	}
	if threshold < 1 {
		return errCombinations
	}
	return c.addListed(entry, threshold)
}

// addLevel reads a variable with its level of identification; the last one has
// the threshold, which is that of all.
func (c *reading) addLevel(entry []notation.Word, threshold int) error {
	level, ok := number(entry[2])
	if !ok || threshold == 0 || threshold > 0 && c.Threshold > 0 {
		return errCombinations
	}
	if c.Levels == nil {
		c.Levels = map[string]int{}
	}
	c.Levels[entry[0].Text] = level
	c.Threshold = max(c.Threshold, threshold)
	return nil
}

// addListed reads names with a plus between.
func (c *reading) addListed(entry []notation.Word, threshold int) error {
	listed := Listed{Threshold: threshold}
	for i, w := range entry {
		if i%2 == 1 && !w.Is("+") || i%2 == 0 && w.Sign || len(entry)%2 == 0 {
			return errCombinations
		}
		if !w.Sign {
			listed.Variables = append(listed.Variables, w.Text)
		}
	}
	c.List = append(c.List, listed)
	return nil
}

// signs part the names and numbers of combinations.
const signs = "+=,:"

// number returns the whole number that a word is.
func number(w notation.Word) (n int, ok bool) {
	n, err := strconv.Atoi(w.Text)
	return n, err == nil && !w.Quoted && !w.Sign
}

// title says which combinations these are, in a few words.
func (c *Combinations) title() string {
	switch {
	case len(c.List) > 0:
		return c.String()
	case len(c.Levels) > 0:
		return fmt.Sprintf("by level of identification, threshold %d", c.Threshold)
	case len(c.Thresholds) > 0:
		return "by number of variables " + c.sizes()
	default:
		return fmt.Sprintf("of up to %s, threshold %d", wording.Counted(c.Dimension, "variable"), c.Threshold)
	}
}
