package microdata

import (
	"math"
	"slices"
	"testing"
)

// Later derives the changes of another program from the values before and after.
func TestLater(t *testing.T) {
	column := func(labels ...string) *Column {
		categories := &Categories{Codes: NewCodes(len(labels), len(labels))}
		for record, label := range labels {
			code := 1 + slices.IndexFunc(categories.Levels, func(l Level) bool { return l.Label == label })
			if code == 0 && label != "" {
				categories.Levels = append(categories.Levels, Level{Label: label, Value: math.NaN()})
				code = len(categories.Levels)
			}
			categories.Codes.Set(record, uint32(code))
		}
		return NewCategorical("x", Category, categories)
	}
	was := column("a", "b", "c", "c", "")
	for _, test := range []struct {
		name       string
		now        []string
		suppressed int
		recoded    bool
		origin     Origin
	}{
		{"nothing", []string{"a", "b", "c", "c", ""}, 0, false, 0},
		{"suppression", []string{"a", "", "c", "", ""}, 2, false, 0},
		{"recode", []string{"ab", "ab", "c", "c", ""}, 0, true, 0},
		{"both", []string{"ab", "ab", "c", "", ""}, 1, true, 0},
		{"swapping", []string{"b", "a", "c", "b", ""}, 0, false, Perturbed},
		{"imputation", []string{"a", "b", "c", "c", "a"}, 0, false, Perturbed},
		{"swapping and suppression", []string{"b", "", "c", "b", ""}, 1, false, Perturbed},
	} {
		later := was.Later(column(test.now...), false, Perturbed)
		var labels []string
		for record := range later.Len() {
			labels = append(labels, later.Text(record))
		}
		suppressed := 0
		if later.Suppressed() != nil {
			suppressed = later.Suppressed().Count()
		}
		if !slices.Equal(labels, test.now) || suppressed != test.suppressed || later.Recoded() != test.recoded ||
			later.Origin() != test.origin || later.Source() != was {
			t.Errorf("%s: %q, %d suppressed, recoded %v, origin %d", test.name, labels, suppressed, later.Recoded(), later.Origin())
		}
	}
	if exact := was.Later(column("ab", "ab", "c", "c", ""), true, Drawn); exact.Recoded() || exact.Origin() != Drawn {
		t.Error("figures are recoded")
	}
	numbers := func(values ...float64) *Column {
		c := NewNumeric("x", Whole, &Numbers{Values: values})
		return c
	}
	figures := numbers(1, 2, 3)
	if later := figures.Later(numbers(1, 2, 3), true, Perturbed); later != figures {
		t.Error("equal numbers became others")
	}
	if later := figures.Later(numbers(2, 2, 2), true, Perturbed); later.Origin() != Perturbed || later.Text(0) != "2" ||
		later.Source() != figures || later.StoredAsNumbers() == nil {
		t.Error("numbers are not those of now")
	}
}
