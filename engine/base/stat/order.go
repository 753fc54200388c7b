package stat

import (
	"cmp"
	"math"
	"slices"
)

// fewValues is the number of values up to which comparison sort is faster.
const fewValues = 1024

// InOrder returns the integers from 0 to n-1.
func InOrder(n int) []uint32 {
	places := make([]uint32, n)
	for i := range places {
		places[i] = uint32(i)
	}
	return places
}

// OrderBits maps a number to an integer with the same order. Both zeros have the same value.
func OrderBits(x float64) uint64 {
	bits := math.Float64bits(x + 0)
	if bits>>63 != 0 {
		return ^bits
	}
	return bits | 1<<63
}

// Order returns the indices of the values in ascending order of value, then of index, in O(n) time.
func Order(values []float64) []uint32 { return OrderIn(make([]uint32, len(values)), values) }

// OrderIn is Order into a slice of the same length.
func OrderIn(order []uint32, values []float64) []uint32 {
	if len(values) > manyValues {
		orderInParts(order, values)
		return order
	}
	for i := range order {
		order[i] = uint32(i)
	}
	sortPlaces(values, order)
	return order
}

// sortPlaces sorts ascending indices stably by value.
func sortPlaces(values []float64, places []uint32) {
	pairs := make([]keyed, len(places))
	for i, place := range places {
		pairs[i] = keyed{OrderBits(values[place]), place}
	}
	if len(pairs) <= fewValues {
		slices.SortFunc(pairs,
			func(a, b keyed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.place, b.place)) })
	} else {
		pairs = radixSorted(pairs)
	}
	for i := range pairs {
		places[i] = pairs[i].place
	}
}

// manyValues is the number of values from which they are sorted in parts, to use less memory.
const manyValues = 1 << 21

// parts is the number of parts, which fits into a byte.
const parts = 256

// orderInParts is OrderIn with one byte per value and the memory of one part. A part contains the values between
// two bounds from a sample, so equal values are in the same part.
func orderInParts(order []uint32, values []float64) {
	bounds, partOf := boundsOf(values), make([]uint8, len(values))
	var starts [parts + 1]int
	for i, x := range values {
		key := OrderBits(x)
		part, _ := slices.BinarySearch(bounds, key+1) // number of bounds up to the value
		partOf[i] = uint8(part)
		starts[part+1]++
	}
	for part := range parts {
		starts[part+1] += starts[part]
	}
	next := starts
	for i, part := range partOf {
		order[next[part]] = uint32(i)
		next[part]++
	}
	for part := range parts {
		places := order[starts[part]:starts[part+1]]
		if slices.ContainsFunc(places, func(place uint32) bool { return values[place] != values[places[0]] }) {
			sortPlaces(values, places)
		}
	}
}

// boundsOf returns OrderBits of values that divide all values into parts of similar size.
func boundsOf(values []float64) []uint64 {
	const each = 64
	sample := make([]uint64, parts*each)
	for i := range sample {
		sample[i] = OrderBits(values[i*(len(values)/len(sample))])
	}
	slices.Sort(sample)
	bounds := make([]uint64, 0, parts-1)
	for i := each; i < len(sample); i += each {
		bounds = append(bounds, sample[i])
	}
	return slices.Compact(bounds)
}

type keyed struct {
	key   uint64
	place uint32
}

// radixSorted sorts stably by key, 11 bits per pass.
func radixSorted(pairs []keyed) []keyed {
	const bits, passes = 11, 6
	var counts [passes][1 << bits]uint32
	for i := range pairs {
		key := pairs[i].key
		for pass := range passes {
			counts[pass][key>>(pass*bits)&(1<<bits-1)]++
		}
	}
	other := make([]keyed, len(pairs))
	for pass := range passes {
		count, shift := &counts[pass], pass*bits
		if count[pairs[0].key>>shift&(1<<bits-1)] == uint32(len(pairs)) {
			continue // all equal
		}
		start := uint32(0)
		for digit, n := range count {
			count[digit], start = start, start+n
		}
		for i := range pairs {
			digit := pairs[i].key >> shift & (1<<bits - 1)
			other[count[digit]] = pairs[i]
			count[digit]++
		}
		pairs, other = other, pairs
	}
	return pairs
}

// leastPlaces returns the indices of the h smallest values in ascending order of index; of equal values, the
// first. It takes O(n) time.
func leastPlaces(values []float64, h int) []uint32 {
	limit := kth(slices.Clone(values), h-1)
	below := 0
	for _, x := range values {
		if x < limit {
			below++
		}
	}
	places := make([]uint32, 0, h)
	for i, x := range values {
		if x < limit {
			places = append(places, uint32(i))
		} else if x == limit && below < h {
			places = append(places, uint32(i))
			below++
		}
	}
	return places
}

// kth returns the value with rank k, from 0, and partitions the values around it.
func kth(values []float64, k int) float64 {
	from, to := 0, len(values)-1
	for from < to {
		pivot := values[from+(to-from)/2]
		i, j := from, to
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			to = j
		case k >= i:
			from = i
		default:
			return values[k]
		}
	}
	return values[k]
}

// Ranks returns the rank of each value, from 1; equal values have their mean rank.
func Ranks(values []float64) []float64 {
	order, ranks := Order(values), make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, place := range order[from:to] {
			ranks[place] = float64(from+to+1) / 2
		}
		from = to
	}
	return ranks
}

// Median returns the median of the values, the mean of the middle two for an even number, or NaN if there are
// none.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return Between(sorted[half-1], sorted[half], 0.5)
}

// Quantile returns the p-quantile of the values, linearly interpolated (type 7 of Hyndman and Fan 1996), or NaN if
// there are none.
func Quantile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return SortedQuantile(slices.Sorted(slices.Values(values)), p)
}

// SortedQuantile is Quantile for at least one value in ascending order.
func SortedQuantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	below := int(math.Floor(at))
	if below+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return Between(sorted[below], sorted[below+1], at-float64(below))
}

// Between returns the linear interpolation of two numbers, even if their difference overflows.
func Between(from, to, share float64) float64 {
	if difference := to - from; finite(difference) {
		return from + float64(share*difference)
	}
	return float64((1-share)*from) + float64(share*to)
}

// weightDust is the share of the total weight below which a difference of sums is rounding error: ten weights of
// 0.1 do not add up to 1.
const weightDust = 1e-12

// WeightedQuantile returns the smallest value up to which the weights reach the share p of the total; if they
// equal the share, the mean of it and the next value. nil weights are equal. With p = 1/2 and equal weights it is
// the Median.
func WeightedQuantile(values, weights []float64, p float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	total := float64(len(values))
	if weights != nil {
		total = 0
		for _, w := range weights {
			total += w
		}
	}
	order, sum := Order(values), 0.0
	for i, place := range order {
		if weights == nil {
			sum++
		} else {
			sum += weights[place]
		}
		if math.Abs(sum-p*total) <= weightDust*total && i+1 < len(order) {
			return Between(values[place], values[order[i+1]], 0.5)
		}
		if sum > p*total {
			return values[place]
		}
	}
	return values[order[len(order)-1]]
}

// ConsistencyMAD scales the MAD to the standard deviation of normal data.
const ConsistencyMAD = 1.4826

// MAD returns the median absolute deviation from the median, times 1.4826, which estimates the standard deviation
// of normal data.
func MAD(values []float64) float64 {
	values, exponent := squarable(values)
	median := Median(values)
	deviations := make([]float64, len(values))
	for i, x := range values {
		deviations[i] = math.Abs(x - median)
	}
	return math.Ldexp(ConsistencyMAD*Median(deviations), exponent)
}
