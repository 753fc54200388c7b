package loss

import (
	"context"
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// variables is the variable loss of Młodak (2020): the mean deviation of a cell over records and variables, from 0
// to 1.
type variables struct {
	mean float64
	of   []float64 // by variable
}

// variableLoss computes 2/pi atan |x - x'| for numbers, the difference of ranks divided by the number of levels
// minus one if categories are ordered and the same as before, and 1 for other categories that differ. A cell that
// is missing either now or originally counts 1.
func variableLoss(ctx context.Context, in measure.Input, names []string) (variables, error) {
	v := variables{of: make([]float64, len(names))}
	for j, name := range names {
		was, _ := in.Original.Data().Column(name)
		now, _ := in.Current.Data().Column(name)
		if was == now {
			continue
		}
		sum, n := 0.0, now.Len()
		if was.Amounts() && now.Amounts() {
			sum = numberLoss(was.Floats(), now.Floats())
		} else {
			sum = categoryLoss(was.Categories(), now.Categories())
		}
		if n > 0 {
			v.of[j] = sum / float64(n)
		}
		v.mean += v.of[j]
		if err := ctx.Err(); err != nil {
			return v, err
		}
	}
	v.mean /= float64(len(names))
	return v, nil
}

func numberLoss(was, now []float64) (sum float64) {
	for i, x := range was {
		switch a, b := math.IsNaN(x), math.IsNaN(now[i]); {
		case a && b || x == now[i]:
		case a || b:
			sum++
		default:
			sum += float64(2 / math.Pi * math.Atan(math.Abs(x-now[i])))
		}
	}
	return sum
}

func categoryLoss(was, now *microdata.Categories) (sum float64) {
	code := microdata.SameLabels(was.Levels, now.Levels)
	ranked := was.Ordered && now.Ordered && len(was.Levels) == len(now.Levels) && len(was.Levels) > 1
	for c, same := range code {
		ranked = ranked && int(same) == c
	}
	for _, pairs := range microdata.Pairs(was.Codes, now.Codes) {
		for _, pair := range pairs {
			switch a, b := code[pair[0]], pair[1]; {
			case pair[0] == 0 && b == 0 || a == b && b != 0:
			case ranked && pair[0] != 0 && b != 0:
				sum += math.Abs(float64(a)-float64(b)) / float64(len(was.Levels)-1)
			default:
				sum++
			}
		}
	}
	return sum
}
