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

// Combinations selects the combinations of key variables to cross-tabulate and the maximum number of records of an
// unsafe cell. It has one of four forms:
//
//   - All combinations up to a dimension, with one threshold: {"dimension":3,"threshold":1}, typed "3:1".
//   - All combinations up to a dimension, with a threshold for each number of variables from 1:
//     {"dimension":3,"thresholds":[5,3,1]}, typed "1:5, 2:3, 3:1". Numbers of variables that have threshold 0 or are
//     not typed are ignored: "1:0, 3:1" selects the combinations of exactly 3 variables.
//   - Combinations by level of identification, from 1 for the most identifying variables to 5; 0 or no level means
//     not identifying: {"levels":{"region":1,"sex":2,"age":3},"threshold":1}, typed "region=1, sex=2, age=3: 1". As in
//     mu-Argus, a combination has one variable for each level that occurs, of that level or a more identifying one:
//     with three levels, a variable of the first, another of the first two, and a third of all.
//   - A list of combinations: [{"variables":["region","sex"],"threshold":1}], typed "region+sex:1, age+marital:2".
//
// Names that contain one of + = , : or are numbers are typed in double quotes.
type Combinations struct {
	Dimension  int            `json:"dimension,omitempty"`
	Levels     map[string]int `json:"levels,omitempty"`
	Threshold  int            `json:"threshold,omitempty"`
	Thresholds []int          `json:"thresholds,omitempty"` // for 1, 2, ... variables; nil: Threshold holds for all
	List       []Threshold    `json:"-"`
}

// Threshold is one combination of key variables with its threshold.
type Threshold struct {
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
		return wording.Joined(c.List, ", ", func(listed Threshold) string {
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

// quoted quotes a name if necessary, so that it is read back with all its blanks and not as a number.
func quoted(name string) string {
	if _, err := strconv.Atoi(name); err == nil || strings.Join(strings.Fields(name), " ") != name {
		return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
	}
	return notation.Quote(name, signs)
}

// sizes formats the thresholds by number of variables. It adds "1:0" to a single number, which would otherwise
// mean all combinations up to that number.
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

var errCombinations = errors.New(`combinations: write "3:1" for all of up to 3 variables, "1:5, 2:3, 3:1" for a ` +
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
	read := setParser{sizes: map[int]int{}}
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

// setParser is the state of Set.
type setParser struct {
	Combinations
	sizes map[int]int // number of variables to threshold
}

// combinations returns the combinations read, or an error unless they have exactly one form.
func (c *setParser) combinations() (Combinations, error) {
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

// add parses one entry between commas.
func (c *setParser) add(entry []notation.Word) error {
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

// addLevel parses a variable with its level of identification. The last entry has the threshold, which holds for
// all.
func (c *setParser) addLevel(entry []notation.Word, threshold int) error {
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

// addListed parses names joined by plus signs.
func (c *setParser) addListed(entry []notation.Word, threshold int) error {
	listed := Threshold{Threshold: threshold}
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

// signs separate the names and numbers of combinations.
const signs = "+=,:"

// number returns the integer that a word represents.
func number(w notation.Word) (n int, ok bool) {
	n, err := strconv.Atoi(w.Text)
	return n, err == nil && !w.Quoted && !w.Sign
}

// title describes the combinations in a few words.
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
