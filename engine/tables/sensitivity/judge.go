package sensitivity

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/tables/tabular"
)

// Verdict is what rules find of a cell.
type Verdict struct {
	Rule  int     // the first rule that makes the cell sensitive, from 0; -1: none
	Level float64 // the largest protection level of the rules that do
}

// Sensitive reports whether a rule makes the cell sensitive.
func (v Verdict) Sensitive() bool { return v.Rule >= 0 }

// Judge judges a cell by several rules.
func Judge(c *tabular.Cell, rules ...Rule) Verdict {
	v := Verdict{Rule: -1}
	for i, rule := range rules {
		sensitive, level := rule.Judge(c)
		if !sensitive {
			continue
		}
		if v.Level = max(v.Level, level); v.Rule < 0 {
			v.Rule = i
		}
	}
	return v
}

// ErrRule is wrapped by errors of Parse.
var ErrRule = errors.New("unknown rule")

// kinds are the rules that Parse knows: their form, and the rule made of the numbers that follow the name.
var kinds = map[string]struct {
	form        string
	least, most int
	rule        func(of []float64) (Rule, bool)
}{
	"frequency": {"frequency:MIN[,RANGE]", 1, 2, func(of []float64) (Rule, bool) {
		return Frequency{Min: int(of[0]), Range: of[1]}, of[0] >= 1 && of[1] >= 0
	}},
	"dominance": {"dominance:N,PERCENT", 2, 2, func(of []float64) (Rule, bool) {
		return Dominance{N: int(of[0]), Percent: of[1]}, of[0] >= 1 && of[0] <= tabular.Kept && of[1] > 0 && of[1] <= 100
	}},
	"p": {"p:PERCENT", 1, 1, func(of []float64) (Rule, bool) {
		return PriorPosterior{P: of[0], Q: 100, Coalition: 1}, of[0] > 0
	}},
	"pq": {"pq:P,Q[,COALITION]", 2, 3, func(of []float64) (Rule, bool) {
		return PriorPosterior{P: of[0], Q: of[1], Coalition: max(1, int(of[2]))},
			of[0] > 0 && of[1] > of[0] && of[2] <= tabular.Kept-1
	}},
}

// Parse reads a rule: "frequency:3", "frequency:3,10" with a protection range of 10 %, "frequency:3,10,zeros",
// "dominance:1,85", "p:10", "pq:25,50" or "pq:25,50,2" with a coalition of two. Errors wrap ErrRule.
func Parse(text string) (Rule, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(text), ":")
	kind, known := kinds[name]
	if !known {
		return nil, fmt.Errorf("%w %q; use frequency:3, dominance:1,85, p:10 or pq:25,50", ErrRule, text)
	}
	rest, zeros := strings.CutSuffix(rest, ",zeros")
	var numbers [3]float64
	words := strings.Split(rest, ",")
	ok := len(words) >= kind.least && len(words) <= kind.most && (!zeros || name == "frequency")
	for i := 0; ok && i < len(words); i++ {
		var err error
		numbers[i], err = strconv.ParseFloat(strings.TrimSpace(words[i]), 64)
		ok = err == nil && numbers[i] >= 0 && numbers[i] < 1e9
	}
	if ok {
		if rule, valid := kind.rule(numbers[:]); valid {
			if f, is := rule.(Frequency); is {
				f.Zeros = zeros
				return f, nil
			}
			return rule, nil
		}
	}
	return nil, fmt.Errorf("%w %q; the form is %s, with numbers that make sense together", ErrRule, text, kind.form)
}
