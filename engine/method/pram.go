package method

import "github.com/sdcdesk/sdcdesk/engine/data/microdata"

// PRAMVariable is what PRAM did to one variable. It has frequencies and
// probabilities, neither values of records nor the seed.
type PRAMVariable struct {
	Variable  string `json:"variable"`
	Condition string `json:"condition,omitempty"` // which records may change, in words; "": all
	Records   int    `json:"records"`             // with a value that may change
	// with a value that the condition or a stratum of one category keeps
	Kept    int           `json:"kept,omitempty"`
	Changed int           `json:"changed"`
	Strata  []PRAMStratum `json:"strata,omitempty"` // the whole file: one without a name
}

// PRAMStratum is the transition matrix of one stratum and what it did to the
// records there whose value may change. Its slices are by level, in the order
// of Levels; matrices have a row per level before and a column per level after.
type PRAMStratum struct {
	Stratum microdata.Combination `json:"stratum,omitempty"` // its categories; missing values as "missing"
	Records int                   `json:"records"`
	Changed int                   `json:"changed"`
	Levels  []string              `json:"levels"`
	Matrix  [][]float64           `json:"matrix"` // probabilities; rows sum to 1
	// records that went from level to level; nil where several steps are composed
	Transitions [][]int `json:"transitions,omitempty"`
	Before      []int   `json:"before"` // T
	After       []int   `json:"after"`  // T*
	// per level the sum of squared sizes of the groups that share a draw; nil: each record draws by itself
	Together []int     `json:"together,omitempty"`
	Expected []float64 `json:"expected"`           // E(T*) = P'T
	Estimate []float64 `json:"estimate,omitempty"` // of T from T*: (P^-1)'T*; nil where P is singular
	Errors   []float64 `json:"errors,omitempty"`   // standard errors of the estimate
	Singular bool      `json:"singular,omitempty"` // P has no usable inverse: there is no estimate
}

// Movable returns how many records have a level that can become another one.
func (s *PRAMStratum) Movable() (records int) {
	for k, count := range s.Before {
		if s.Matrix[k][k] < 1 {
			records += count
		}
	}
	return records
}
