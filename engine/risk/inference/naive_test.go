package inference_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sdcdesk/sdcdesk/engine/base/stat"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/internal/golden"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
)

// naive follows the package documentation record by record, on texts.
type naive struct {
	was, is   [][]string // by variable, by record; "" is missing
	names     []string
	keys      []int
	household int
	tried     int
	steps     []bool // by variable: its categories were made by a recode, which is known without records
}

// asks has the records whose category is to be inferred, or from which it is learned.
type asks struct {
	x          int
	recoded    bool
	learned    []string // category of each record, or "" if it is not used for learning
	class      []string // class within which categories are inferred
	suppressed []bool
	truth      []string // true categories of suppressed records
}

// known returns the records with a value that agree with a record, except that record itself.
func (q *asks) known(record int, agree func(other int) bool) (values []string) {
	for other := range q.learned {
		if other != record && q.learned[other] != "" && q.class[other] == q.class[record] && agree(other) {
			values = append(values, q.learned[other])
		}
	}
	return values
}

// most returns the most frequent value and how often it occurs; ties go to the first in the order of the program.
func (q *asks) most(values []string) (most string, times int) {
	counts := map[string]int{}
	for _, value := range values {
		counts[value]++
	}
	for value, n := range counts {
		if n > times || n == times && value < most {
			most, times = value, n
		}
	}
	return most, times
}

// counts of claims: [suppressed, left out][exactly, probably][right, false].
type counts [2][2][2]int

func (q *asks) want(record int) string {
	if q.suppressed[record] {
		return q.truth[record]
	}
	return q.learned[record]
}

// claims returns what a variable or pair claims about each record: 0 nothing, 1 exactly, 2 probably, and whether
// it is right.
func (n *naive) claims(q *asks, by []int) (sure []int, right []bool) {
	sure, right = make([]int, len(q.learned)), make([]bool, len(q.learned))
	least := 3
	if len(by) == 1 && by[0] == n.household {
		least = 1
	}
	for record := range q.learned {
		missing := slices.ContainsFunc(by, func(z int) bool { return n.is[z][record] == "" })
		if missing || q.learned[record] == "" && !q.suppressed[record] {
			continue
		}
		values := q.known(record, func(other int) bool {
			return !slices.ContainsFunc(by, func(z int) bool { return n.is[z][other] != n.is[z][record] })
		})
		value, times := q.most(values)
		switch {
		case len(values) < least:
			continue
		case times == len(values):
			sure[record] = 1
		case float64(times) >= 0.8*float64(len(values)):
			sure[record] = 2
		}
		right[record] = sure[record] > 0 && value == q.want(record)
	}
	return sure, right
}

// base reports for each record whether the best guess from its other keys, without some, is right, and whether the
// most frequent value overall is.
func (n *naive) base(q *asks, by []int) (keys, most []bool) {
	keys, most = make([]bool, len(q.learned)), make([]bool, len(q.learned))
	modes := map[string]string{}
	for record, class := range q.class {
		if _, done := modes[class]; !done {
			modes[class], _ = q.most(append(q.known(record, func(int) bool { return true }), nonEmpty(q.learned[record])...))
		}
		all := modes[class]
		guess, times := q.most(q.known(record, func(other int) bool {
			return !slices.ContainsFunc(n.keys, func(key int) bool {
				return key != q.x && !slices.Contains(by, key) && n.is[key][record] != "" && n.is[key][other] != n.is[key][record]
			})
		}))
		if times == 0 {
			guess = all
		}
		want := q.want(record)
		keys[record], most[record] = want != "" && guess == want, want != "" && all == want
	}
	return keys, most
}

func nonEmpty(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// beats reports whether the share of right claims about some records is above those of all rivals.
func (n *naive) beats(q *asks, suppressed bool, sure []int, right []bool, rivals [][]bool) (none, beats bool) {
	claims, came, cells := 0, 0, 0
	same, whole := make([]int, len(rivals)), make([]int, len(rivals))
	for record := range sure {
		if q.suppressed[record] != suppressed || !suppressed && q.learned[record] == "" {
			continue
		}
		cells++
		for i, rival := range rivals {
			if rival[record] {
				whole[i]++
			}
		}
		if sure[record] == 0 {
			continue
		}
		claims++
		if right[record] {
			came++
		}
		for i, rival := range rivals {
			if rival[record] {
				same[i]++
			}
		}
	}
	if claims == 0 {
		return true, false
	}
	limit := stat.LowerLimit(came, claims, 0.001/float64(n.tried))
	for i := range rivals {
		if limit <= math.Max(float64(same[i])/float64(claims), float64(whole[i])/float64(cells)) {
			return false, false
		}
	}
	return false, true
}

// guesses reports for each record whether the most frequent value of the others with the same value of a variable
// is right. most is whether the most frequent value overall is.
func (n *naive) guesses(q *asks, part int, most []bool) []bool {
	right := make([]bool, len(q.learned))
	for record := range q.learned {
		if n.is[part][record] == "" {
			continue
		}
		value, times := q.most(q.known(record, func(other int) bool { return n.is[part][other] == n.is[part][record] }))
		right[record] = times > 0 && value == q.want(record) || times == 0 && most[record]
	}
	return right
}

// inferred returns what one or two variables reveal, or nil if they are not reported.
func (n *naive) inferred(q *asks, by []int) *inference.Inferred {
	sure, right := n.claims(q, by)
	var c counts
	for record := range sure {
		if sure[record] > 0 {
			kind, wrong := 1, 1
			if q.suppressed[record] {
				kind = 0
			}
			if right[record] {
				wrong = 0
			}
			c[kind][sure[record]-1][wrong]++
		}
	}
	if exact := c[1][0]; exact[0] == 0 || float64(exact[0]) < 0.95*float64(exact[0]+exact[1]) {
		for kind := range c {
			for i := range 2 {
				c[kind][1][i] += c[kind][0][i]
				c[kind][0][i] = 0
			}
		}
	}
	keys, most := n.base(q, by)
	rivals := [][]bool{keys, most}
	if len(by) == 2 {
		for _, part := range by {
			rivals = append(rivals, n.guesses(q, part, most))
		}
	}
	leftOut := rivals
	if !q.recoded {
		leftOut = rivals[1:] // the guess from keys is compared on suppressed cells
	}
	none, beats := n.beats(q, false, sure, right, leftOut)
	if !none && !beats {
		return nil
	}
	kind := 1
	if !q.recoded {
		kind = 0
		if _, beats = n.beats(q, true, sure, right, rivals); !beats {
			return nil
		}
	} else if none {
		return nil
	}
	t := &inference.Inferred{Variable: n.names[q.x], Recoded: q.recoded,
		Exactly:  inference.Claims{True: c[kind][0][0], False: c[kind][0][1]},
		Probably: inference.Claims{True: c[kind][1][0], False: c[kind][1][1]}}
	for _, z := range by {
		t.By = append(t.By, n.names[z])
	}
	return t
}

// asked returns what is to be inferred of a key: its suppressed cells, and the categories that a recode merged. In
// these files merged categories are named by their first letter.
func (n *naive) asked(x int) (all []*asks) {
	records := len(n.is[x])
	suppressed := &asks{x: x, learned: n.is[x], class: make([]string, records), suppressed: make([]bool, records),
		truth: make([]string, records)}
	recoded := &asks{x: x, recoded: true, learned: make([]string, records), class: n.is[x], suppressed: make([]bool, records),
		truth: make([]string, records)}
	became, lost, joined := map[string]string{}, false, map[string]map[string]bool{}
	for record, now := range n.is[x] {
		if was := n.was[x][record]; was != "" && now != "" {
			became[was] = now
			if joined[now] == nil {
				joined[now] = map[string]bool{}
			}
			joined[now][was] = true
		}
	}
	several := false
	for _, was := range n.was[x] {
		if n.steps[x] && was != "" {
			became[was] = was[:1]
		}
	}
	for record, now := range n.is[x] {
		if was := n.was[x][record]; was != "" && now == "" {
			suppressed.suppressed[record], suppressed.truth[record], lost = true, became[was], true
			if suppressed.truth[record] == "" && slices.Contains(n.is[x], was) {
				suppressed.truth[record] = was
			}
		} else if len(joined[now]) > 1 {
			recoded.learned[record], several = was, true
		}
	}
	if lost {
		all = append(all, suppressed)
	}
	if several {
		all = append(all, recoded)
	}
	return all
}

// found returns everything reported, by name.
func (n *naive) found() map[string]*inference.Inferred {
	var released []int
	for z := range n.is {
		counts, least := map[string]int{}, 3
		for _, value := range n.is[z] {
			if value != "" {
				counts[value]++
			}
		}
		if z == n.household {
			least = 1
		}
		if len(counts) > 1 && slices.Max(slices.Collect(maps.Values(counts))) > least {
			released = append(released, z)
		}
	}
	var all []*asks
	for _, x := range n.keys {
		all = append(all, n.asked(x)...)
	}
	trials := map[*asks][][]int{}
	for _, q := range all {
		for i, z := range released {
			if z == q.x {
				continue
			}
			trials[q] = append(trials[q], []int{z})
			for _, other := range released[i+1:] {
				if other != q.x {
					trials[q] = append(trials[q], []int{z, other})
				}
			}
		}
		n.tried += len(trials[q])
	}
	found := map[string]*inference.Inferred{}
	for q, list := range trials {
		for _, by := range list {
			if t := n.inferred(q, by); t != nil {
				found[fmt.Sprint(t.Variable, t.Recoded, t.By)] = t
			}
		}
	}
	return found
}

// drawn returns a random file whose variables partly reveal each other.
func drawn(rt *rapid.T) *naive {
	records, variables := rapid.SampledFrom([]int{1, 5, 60, 200, 200, 200}).Draw(rt, "records"), rapid.IntRange(2, 4).Draw(rt, "variables")
	n := &naive{household: -1}
	keys := rapid.IntRange(1, 2).Draw(rt, "keys")
	seed, half := make([]int, records), make([]int, records)
	random := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "random"), 1))
	for i := range seed {
		seed[i], half[i] = random.IntN(4), random.IntN(3)
	}
	for v := range variables {
		n.names = append(n.names, string(rune('a'+v)))
		kind, noise := rapid.IntRange(0, 3).Draw(rt, "kind"), rapid.SampledFrom([]int{0, 0, 5, 10}).Draw(rt, "noise")
		was, is := make([]string, records), make([]string, records)
		recoded := rapid.Bool().Draw(rt, "recoded")
		n.steps = append(n.steps, recoded && rapid.Bool().Draw(rt, "by a step"))
		lost := rapid.IntRange(0, 8).Draw(rt, "category that is suppressed everywhere, below 4")
		for i := range was {
			code := []int{seed[i], half[i], (seed[i] + half[i]) % 4, random.IntN(5)}[kind]
			if random.IntN(100) < noise {
				code = random.IntN(4)
			}
			switch random.IntN(20) {
			case 0:
			case 1, 2, 3, 4, 5, 6:
				was[i] = fmt.Sprintf("%c%d", 'p'+code/2, code)
			default:
				was[i] = fmt.Sprintf("%c%d", 'p'+code/2, code)
				is[i] = was[i]
				if recoded {
					is[i] = was[i][:1]
				}
				if n.steps[v] && code == lost {
					is[i] = ""
				}
			}
		}
		n.was, n.is = append(n.was, was), append(n.is, is)
		if v < keys {
			n.keys = append(n.keys, v)
		}
	}
	if rapid.Bool().Draw(rt, "numbered") {
		n.names, n.steps = append(n.names, "id"), append(n.steps, false)
		numbers, each := make([]string, records), rapid.IntRange(1, 4).Draw(rt, "records of a number")
		for i := range numbers {
			numbers[i] = fmt.Sprintf("%03d", i/each)
		}
		n.was, n.is = append(n.was, numbers), append(n.is, numbers)
	}
	if rapid.Bool().Draw(rt, "household") {
		n.household = len(n.names) - 1
	}
	return n
}

// released returns a variable as released: made from the original by a recode and suppression, or read from the
// file.
func (n *naive) released(t *testing.T, v int, before *microdata.Column) *microdata.Column {
	if !n.steps[v] {
		return golden.Column(t, n.names[v], n.is[v])
	}
	var levels []microdata.Level
	mapping := []uint32{0}
	for _, level := range before.Categories().Levels {
		if len(levels) == 0 || levels[len(levels)-1].Label != level.Label[:1] {
			levels = append(levels, microdata.Level{Label: level.Label[:1]})
		}
		mapping = append(mapping, uint32(len(levels)))
	}
	cells := microdata.NewBits(before.Len())
	for record, now := range n.is[v] {
		if now == "" {
			cells.Set(record)
		}
	}
	return before.Regroup(before, levels, mapping, false).Suppress(cells)
}

// The cells of a category that a recode merged with another are found even if all its records are suppressed.
func TestCategoriesWithoutRecordsAreFound(t *testing.T) {
	n := &naive{names: []string{"v", "z"}, keys: []int{0}, household: -1, steps: []bool{true, false},
		was: make([][]string, 2), is: make([][]string, 2)}
	for i := range 40 {
		was := []string{"a1", "b2", "b3"}[i%3]
		is := was[:1]
		if was == "b3" {
			is = ""
		}
		n.was[0], n.is[0] = append(n.was[0], was), append(n.is[0], is)
		n.was[1], n.is[1] = append(n.was[1], was[:1]), append(n.is[1], was[:1])
	}
	before, z := golden.Column(t, "v", n.was[0]), golden.Column(t, "z", n.was[1])
	original, _ := microdata.NewDataset([]*microdata.Column{before, z})
	released, _ := microdata.NewDataset([]*microdata.Column{n.released(t, 0, before), z})
	s := microdata.NewScenario()
	s.Keys = []string{"v"}
	got, want := find(t, original, released, &s), n.found()["vfalse [z]"]
	if len(got.Inferred) != 1 || want == nil || got.Inferred[0].Exactly != want.Exactly || want.Exactly != (inference.Claims{True: 13}) {
		t.Errorf("%+v, want %+v", got.Inferred, want)
	}
}

// The result equals the definition, record by record.
func TestAgainstTheDefinition(t *testing.T) {
	reports := [2]int{}
	rapid.Check(t, func(rt *rapid.T) {
		n := drawn(rt)
		var was, is []*microdata.Column
		s := microdata.NewScenario()
		for v, name := range n.names {
			before := golden.Column(t, name, n.was[v])
			was, is = append(was, before), append(is, n.released(t, v, before))
		}
		for _, key := range n.keys {
			s.Keys = append(s.Keys, n.names[key])
		}
		if n.household >= 0 {
			s.Household = n.names[n.household]
		}
		original, _ := microdata.NewDataset(was)
		released, _ := microdata.NewDataset(is)
		found, want := find(t, original, released, &s), n.found()
		if found.Tried != n.tried {
			rt.Fatalf("%d tried, want %d", found.Tried, n.tried)
		}
		for _, got := range found.Inferred {
			name := fmt.Sprint(got.Variable, got.Recoded, got.By)
			of := want[name]
			if of == nil || of.Exactly != got.Exactly || of.Probably != got.Probably {
				rt.Fatalf("%s: %+v, want %+v", name, got, of)
			}
			reports[len(got.By)-1]++
			delete(want, name)
		}
		for name, of := range want {
			if len(of.By) == 1 {
				rt.Fatalf("%s is not reported: %+v", name, of)
			}
		}
	})
	if reports == [2]int{} && !testing.Short() { // with few draws there may be nothing to report
		t.Error("nothing was reported")
	}
}
