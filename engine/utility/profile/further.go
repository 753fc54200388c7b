package profile

import "sort"

// Further returns the place so many places further than x among n ascending values; from
// between two values one place leads to the next. It ends at the least and the greatest.
func Further(n int, value func(i int) float64, x float64, by int) int {
	at := sort.Search(n, func(i int) bool { return value(i) >= x })
	if by > 0 && (at == n || value(at) > x) {
		at--
	}
	return max(0, min(n-1, at+by))
}
