package inference

import ()

// Kind is the kind of what reveals a category.
type Kind string

// Kinds of what reveals a category.
const (
	Variable  Kind = "variable"
	Pair      Kind = "pair"
	Household Kind = "household"
)

// Claims counts what can be inferred of cells, in records.
type Claims struct{ True, False int }

// All returns the number of claims.
func (c Claims) All() int { return c.True + c.False }

// Inferred is what a released variable, a pair of them or the household reveals about a key variable.
type Inferred struct {
	Variable string   // key variable, X
	Recoded  bool     // source categories can be inferred, learned from the original; otherwise suppressed cells
	By       []string // Z: one variable, or the two of a pair
	Kind     Kind
	Cells    int    // suppressed cells, or cells whose category a recode merged with others
	Exactly  Claims // claims on these cells
	Probably Claims // claims on these cells, without those that can be inferred exactly
	// Estimated reports that the original is not available, so the share of right claims about suppressed cells is
	// that of the records with a value, each left out in turn.
	Estimated bool
	// Determines reports that Z is the household, or that Z was not masked and determines the category: of the
	// records with a value and enough others, at least 95 % can be inferred exactly and correctly, each left out
	// in turn.
	Determines bool
	Share      float64 // of right claims
	Limit      float64 // lower confidence limit of Share
	Base       float64 // share of the same cells that the best guess without Z reveals correctly
	Bits       float64 // mutual information of X and Z over the records that have both
}

// Key is the total of what can be inferred of a key variable, using for each cell the Z that reveals it best.
type Key struct {
	Variable string
	Recoded  bool
	Cells    int
	Exactly  Claims
	Probably Claims
	// Estimated is as in Inferred.
	Estimated bool
}

// Result is the result of Find.
type Result struct {
	Keys     []Key      // key variables that were recoded or lost cells, in order
	Inferred []Inferred // what reveals them, by key variable, the surest first
	Tried    int        // number of combinations of X and Z tested, by which the error of the limits is divided

	Sums   []Sum   // sums that reveal masked or suppressed numbers
	Orders []Order // orders of masked numbers that other variables reveal

	revealed []*revealedCells
}

// Suppressed returns the number of suppressed cells of all key variables, and the claims of those that can be
// inferred exactly or probably.
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
