package stat

import "gonum.org/v1/gonum/mathext"

// LowerLimit returns the exact lower confidence limit of a probability after came successes in trials: the
// probability at which that many or more successes have probability alpha. [Clopper and Pearson 1934] It is 0 if
// came or trials is 0.
func LowerLimit(came, trials int, alpha float64) float64 {
	if came <= 0 || came > trials || !(alpha > 0 && alpha < 1) {
		return 0
	}
	return mathext.InvRegIncBeta(float64(came), float64(trials-came+1), alpha)
}
