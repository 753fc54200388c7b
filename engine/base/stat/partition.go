package stat

// Partition reorders the records by quickselect so that none at or after the index middle is less than one before
// it.
func Partition(records []uint32, middle int, less func(a, b uint32) bool) {
	for len(records) > 1 {
		pivot := inMiddle(less, records[0], records[len(records)/2], records[len(records)-1])
		i, j := 0, len(records)-1
		for i <= j {
			for less(records[i], pivot) {
				i++
			}
			for less(pivot, records[j]) {
				j--
			}
			if i <= j {
				records[i], records[j] = records[j], records[i]
				i++
				j--
			}
		}
		switch {
		case middle <= j:
			records = records[:j+1]
		case middle >= i:
			records, middle = records[i:], middle-i
		default:
			return
		}
	}
}

// inMiddle returns the median of three records.
func inMiddle(less func(a, b uint32) bool, x, y, z uint32) uint32 {
	if less(y, x) {
		x, y = y, x
	}
	if less(z, y) {
		y = z
		if less(y, x) {
			y = x
		}
	}
	return y
}
