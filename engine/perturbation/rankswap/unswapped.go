package rankswap

import "math/bits"

// unswappedRanks is a set of ranks. Finding its k-th member and counting members below a rank take O(log n): it is a
// Fenwick tree.
type unswappedRanks struct {
	low  int
	sums []uint32 // index from 1
	in   []bool
}

// newUnswapped returns the set of the ranks in [low, high).
func newUnswapped(low, high int) *unswappedRanks {
	n := max(0, high-low)
	u := &unswappedRanks{low: low, sums: make([]uint32, n+1), in: make([]bool, n)}
	for i := 1; i <= n; i++ {
		u.in[i-1] = true
		u.sums[i] = uint32(i & -i)
	}
	return u
}

func (u *unswappedRanks) has(rank int) bool { return u.in[rank-u.low] }

func (u *unswappedRanks) take(rank int) {
	u.in[rank-u.low] = false
	for i := rank - u.low + 1; i < len(u.sums); i += i & -i {
		u.sums[i]--
	}
}

// before returns the number of members below a rank.
func (u *unswappedRanks) before(rank int) int {
	sum := 0
	for i := rank - u.low; i > 0; i -= i & -i {
		sum += int(u.sums[i])
	}
	return sum
}

// at returns the member with k members below it.
func (u *unswappedRanks) at(k int) int {
	place := 0
	for step := 1 << (bits.Len(uint(len(u.sums))) - 1); step > 0; step /= 2 {
		if next := place + step; next < len(u.sums) && int(u.sums[next]) <= k {
			place = next
			k -= int(u.sums[next])
		}
	}
	return u.low + place
}
