package suppress

// planes is the number of bits of a count of differing variables: enough for 127 variables.
const planes = 7

// differences finds the records that differ from a given record on a variable: both have values and these are not
// equal. It handles 64 records per word. Frequent values have a bit set of their records; rare values have a list,
// so that memory is O(records) per variable.
type differences struct {
	missing [][]uint64   // missing[variable]: records without a value, and the bits past the last record
	common  [][][]uint64 // common[variable][code]: records with the value at the start; nil: see rare
	rare    [][][]uint32 // rare[variable][code]: the same as a list

	found [][]uint64 // per variable compared: one word per 64 records
}

// newDifferences indexes records by codes[variable][record]. levels is the number of categories of each variable.
func newDifferences(codes [][]uint32, levels []int) *differences {
	n := len(codes[0])
	words := (n + 63) / 64
	d := &differences{}
	for v := range codes {
		missing, common, rare := make([]uint64, words), make([][]uint64, levels[v]+1), make([][]uint32, levels[v]+1)
		for record, code := range codes[v] {
			if code == 0 {
				missing[record>>6] |= 1 << (record & 63)
			} else {
				rare[code] = append(rare[code], uint32(record))
			}
		}
		if rest := n & 63; rest != 0 {
			missing[words-1] |= ^uint64(0) << rest
		}
		for code, records := range rare {
			if len(records) > words {
				common[code], rare[code] = bitmap(records, words), nil
			}
		}
		d.missing, d.common, d.rare = append(d.missing, missing), append(d.common, common), append(d.rare, rare)
		d.found = append(d.found, make([]uint64, words))
	}
	return d
}

func bitmap(records []uint32, words int) []uint64 {
	set := make([]uint64, words)
	for _, record := range records {
		set[record>>6] |= 1 << (record & 63)
	}
	return set
}

// suppress notes that a record has lost its value. It leaves the record in the set of the value, because missing
// records are excluded anyway.
func (d *differences) suppress(record, variable int) {
	d.missing[variable][record>>6] |= 1 << (record & 63)
}

// on fills into with the records that differ from the value.
func (d *differences) on(into []uint64, variable int, code uint32) {
	missing := d.missing[variable]
	if common := d.common[variable][code]; common != nil {
		for w := range into {
			into[w] = ^(common[w] | missing[w])
		}
		return
	}
	for w := range into {
		into[w] = ^missing[w]
	}
	for _, record := range d.rare[variable][code] {
		into[record>>6] &^= 1 << (record & 63)
	}
}

// nearest considers the records that differ from the given one on the fewest of the variables, but at least one.
// It returns the index in variables of the first on which any of them differs. ok is false if no record differs.
func (d *differences) nearest(codes [][]uint32, record int, variables []int) (first int, ok bool) {
	for place, v := range variables {
		d.on(d.found[place], v, codes[v][record])
	}
	found := d.found[:len(variables)]
	fewest, first := len(variables)+1, len(variables)
	for w := range d.missing[0] {
		sum, counted := addUp(found, w)
		if counted == 0 {
			continue
		}
		for n := 1; n <= fewest && n <= len(variables); n++ {
			records := exactly(&sum, n)
			if records == 0 {
				continue
			}
			if n < fewest {
				fewest, first = n, len(variables)
			}
			first = min(first, firstHit(found, w, records))
			break
		}
		if fewest == 1 && first == 0 {
			break // no earlier variable is possible
		}
	}
	return first, fewest <= len(variables)
}

// addUp counts, for each of the 64 records of a word, the sets that contain it, in binary with one bit plane per
// digit. counted has the records that are in at least one set.
func addUp(sets [][]uint64, w int) (sum [planes]uint64, counted uint64) {
	for _, set := range sets {
		carry := set[w]
		counted |= carry
		for p := 0; carry != 0; p++ {
			sum[p], carry = sum[p]^carry, sum[p]&carry
		}
	}
	return sum, counted
}

// exactly returns the records that are in n sets.
func exactly(sum *[planes]uint64, n int) uint64 {
	records := ^uint64(0)
	for p := range sum {
		if n>>p&1 == 1 {
			records &= sum[p]
		} else {
			records &^= sum[p]
		}
	}
	return records
}

// firstHit returns the index of the first set that contains one of the records.
func firstHit(sets [][]uint64, w int, records uint64) int {
	for place, set := range sets {
		if set[w]&records != 0 {
			return place
		}
	}
	return len(sets)
}
