package method

import (
	"math"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// PRAMVariable reports what PRAM did to a variable. It contains frequencies and probabilities, but neither values
// of records nor the seed.
type PRAMVariable struct {
	Variable  string `json:"variable"`
	Condition string `json:"condition,omitempty"` // condition on the records, or "" for all
	Records   int    `json:"records"`             // records with a value that may change
	// records whose value the condition, or a stratum of one category, keeps
	Kept    int           `json:"kept,omitempty"`
	Changed int           `json:"changed"`
	Strata  []PRAMStratum `json:"strata,omitempty"` // without strata, one without a label
}

// PRAMStratum holds the transition matrix of a stratum and its effect on the records whose value may change.
// Slices are by level, in the order of Levels; matrices have a row per level before and a column per level after.
type PRAMStratum struct {
	Stratum microdata.Combination `json:"stratum,omitempty"` // its categories; missing values as "missing"
	Records int                   `json:"records"`
	Changed int                   `json:"changed"`
	Levels  []string              `json:"levels"`
	Matrix  [][]float64           `json:"matrix"` // probabilities; rows sum to 1
	// number of records by level before and after; nil after several steps
	Transitions [][]int `json:"transitions,omitempty"`
	Before      []int   `json:"before"` // T
	After       []int   `json:"after"`  // T*
	// by level, the sum of the squared sizes of the groups that share a draw; nil if each record has its own draw
	Together []int     `json:"together,omitempty"`
	Expected []float64 `json:"expected"`           // E(T*) = P'T
	Estimate []float64 `json:"estimate,omitempty"` // estimate of T from T*: (P^-1)'T*; nil if P is singular
	Errors   []float64 `json:"errors,omitempty"`   // standard errors of the estimate
	Singular bool      `json:"singular,omitempty"` // P has no usable inverse, so there is no estimate
}

// Movable returns the number of records with a level that can change.
func (s *PRAMStratum) Movable() (records int) {
	for k, count := range s.Before {
		if s.Matrix[k][k] < 1 {
			records += count
		}
	}
	return records
}

// Invariant reports whether the matrices preserve the expected frequencies of the levels.
func (v *PRAMVariable) Invariant() bool {
	for i := range v.Strata {
		s := &v.Strata[i]
		for k, count := range s.Before {
			if math.Abs(s.Expected[k]-float64(count)) > 1e-6*float64(s.Records) {
				return false
			}
		}
	}
	return true
}
