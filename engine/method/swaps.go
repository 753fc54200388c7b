package method

// Swaps tells which households of records a step gave the places of others, and which
// it could not.
type Swaps struct {
	Units   int         `json:"units"`   // households, or records, with a place
	Swapped int         `json:"swapped"` // of them
	Levels  []SwapLevel `json:"levels"`  // from the largest areas to the smallest
	Random  int         `json:"random"`  // swapped to reach the rate, beside those at risk and their partners
	Short   int         `json:"short"`   // that lack to the rate of all
	// first records of those at risk that found no partner, from 1, in the source; at most 1,000
	Records []int `json:"records,omitempty"`
}

// SwapLevel is what the swaps in one level of geography came to.
type SwapLevel struct {
	Level     string `json:"level"`
	AtRisk    int    `json:"at_risk"`   // that were not swapped in a larger area
	Swapped   int    `json:"swapped"`   // of these
	Unmatched int    `json:"unmatched"` // that found no partner there
}
