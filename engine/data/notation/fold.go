package notation

import "slices"

// Test is a part of a condition that asks about one variable.
type Test struct{ of test }

// Variable returns the name as it was typed.
func (t Test) Variable() string { return t.of.variable }

// Operator returns one of = != < <= > >= in contains missing suppressed changed.
func (t Test) Operator() string { return t.of.operator }

// Values returns what the variable is compared with; nothing where the operator asks about the cell alone.
func (t Test) Values() []Word { return t.of.values }

// Number returns the finite number that a word spells.
func (w Word) Number() (float64, bool) { return w.number() }

// Bind is Condition.Bind of the test alone.
func (t Test) Bind(s Scope) (func(record int) bool, error) { return t.of.bind(s) }

// Folding makes something else of a condition, such as one of another language.
type Folding[T any] struct {
	Test func(Test) (T, error)
	Join func(any bool, parts []T) T // by or, else by and; no parts: all records meet it
	Not  func(part T) T
}

// Of returns what is made of a condition; the error is the first one of Test.
func (f Folding[T]) Of(c Condition) (T, error) {
	if c.root == nil {
		return f.Join(false, nil), nil
	}
	return f.node(c.root)
}

func (f Folding[T]) node(n node) (made T, err error) {
	switch n := n.(type) {
	case several:
		parts := make([]T, len(n.parts))
		for i, part := range n.parts {
			if parts[i], err = f.node(part); err != nil {
				return made, err
			}
		}
		return f.Join(n.any, parts), nil
	case negation:
		if made, err = f.node(n.part); err != nil {
			return made, err
		}
		return f.Not(made), nil
	}
	return f.Test(Test{n.(test)})
}

// Spelled returns the condition, as it is typed, that a variable has a label, and no number that looks like it.
func Spelled(variable, label string) string {
	return test{variable, "=", []Word{{Text: label, Quoted: true}}}.write(true)
}

// WithoutValue returns the condition, as it is typed, that a variable is missing.
func WithoutValue(variable string) string {
	return test{variable: variable, operator: "missing"}.write(true)
}

// Refusedf returns an error that wraps ErrCondition and says why a condition cannot be used.
func Refusedf(format string, values ...any) error { return errorf(format, values...) }

// Variables returns the names that the condition asks about, as they were typed.
func (c Condition) Variables() []string {
	names, _ := Folding[[]string]{ // the test has no error
		Test: func(t Test) ([]string, error) { return []string{t.Variable()}, nil },
		Join: func(_ bool, parts [][]string) []string { return slices.Concat(parts...) },
		Not:  func(part []string) []string { return part },
	}.Of(c)
	return names
}
