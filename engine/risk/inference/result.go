package inference

import ()

// Kind says what reveals a category.
type Kind string

// The kinds.
const (
	Variable  Kind = "variable"
	Pair      Kind = "pair"
	Household Kind = "household"
)

// Claims are what can be inferred of cells, in records.
type Claims struct{ True, False int }

// All returns the number of claims.
func (c Claims) All() int { return c.True + c.False }

// Inferred says what a released variable, a pair of them or the household reveals of a key
// variable.
type Inferred struct {
	Variable string   // the key variable, X
	Recoded  bool     // its source categories can be inferred, learned from the original; else its suppressed cells
	By       []string // Z: one variable, or the two of a pair
	Kind     Kind
	Cells    int    // that are suppressed, or whose category a recode joined with others
	Exactly  Claims // on them
	Probably Claims // on them, without those that can be inferred exactly
	// Estimated says that the original does not reveal which claims on suppressed cells are
	// right: they are shared out as those on the records that have a value, each left out.
	Estimated bool
	// Determines says that Z is the household, or that Z was not masked and the category follows from it: of the records
	// that have a value and enough others, at least 95 % can be inferred exactly and rightly, each left out.
	Determines bool
	Share      float64 // of right claims
	Limit      float64 // the lower confidence limit of Share
	Base       float64 // the share that the best guess without Z reveals rightly of the same cells
	Bits       float64 // mutual information of X and Z among the records that have both
}

// Key is what can be inferred of a key variable in all: each cell by the Z that reveals it best.
type Key struct {
	Variable string
	Recoded  bool
	Cells    int
	Exactly  Claims
	Probably Claims
	// Estimated is as in Inferred.
	Estimated bool
}

// Result is what was found.
type Result struct {
	Keys     []Key      // the key variables that were recoded or lost cells, in their order
	Inferred []Inferred // what reveals them, by key in that order, the surest first
	Tried    int        // how many X and Z were tried; the error of the limits is divided by it

	Sums   []Sum   // that reveal masked or suppressed numbers
	Orders []Order // of masked numbers that others reveal

	revealed []*revealed
}

// Suppressed returns the number of suppressed cells of all key variables, and how many of them
// can be inferred exactly or probably.
func (r *Result) Suppressed() (cells int, exact, probable Claims) {
	for _, k := range r.Keys {
		if !k.Recoded {
			cells += k.Cells
			exact, probable = exact.plus(k.Exactly), probable.plus(k.Probably)
		}
	}
	return cells, exact, probable
}

func (c Claims) plus(o Claims) Claims { return Claims{c.True + o.True, c.False + o.False} }
