package method

// Swaps describes the swaps of a record swapping step.
type Swaps struct {
	Units   int         `json:"units"`   // households, or records, with a geography
	Swapped int         `json:"swapped"` // swapped units
	Levels  []SwapLevel `json:"levels"`  // from the largest areas to the smallest
	Random  int         `json:"random"`  // swapped to reach the rate, besides those at risk and their partners
	Short   int         `json:"short"`   // units missing to the swap rate
	// first records of the units at risk without a partner, by number in the source from 1; at most 1,000
	Records []int `json:"records,omitempty"`
}

// SwapLevel describes the swaps at one level of geography.
type SwapLevel struct {
	Level     string `json:"level"`
	AtRisk    int    `json:"at_risk"`   // units at risk not swapped in a larger area
	Swapped   int    `json:"swapped"`   // units at risk that were swapped
	Unmatched int    `json:"unmatched"` // units at risk without a partner
}
