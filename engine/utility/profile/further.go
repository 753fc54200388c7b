package profile

import "sort"

// Further returns the value by positions after x among n ascending values. From a point between two values, one
// step leads to the next value. It stops at the first and the last value.
func Further(n int, value func(i int) float64, x float64, by int) int {
	at := sort.Search(n, func(i int) bool { return value(i) >= x })
	if by > 0 && (at == n || value(at) > x) {
		at--
	}
	return max(0, min(n-1, at+by))
}
